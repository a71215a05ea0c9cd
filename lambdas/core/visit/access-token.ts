import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Link } from '../link/link.ts';

/** How long a visitor who has entered a link's password doesn't have to enter it again, in seconds. */
export const accessSeconds = 15 * 60;

/**
 * A token for a visitor who has entered the password: its expiry and a signature.
 *
 * The signature's key is the salted hash of the link's password, which is never shown. So the token works for this link
 * only, becomes invalid as soon as the password changes, and needs no secret that would have to be rotated.
 */
export function newAccessToken(link: Link, now: number): string {
  const until = now + accessSeconds * 1000;
  return `${until}.${signature(link, until)}`;
}

/** Whether the token grants access to the link. */
export function isAccessToken(link: Link, token: string, now: number): boolean {
  const [, until, signed = ''] = /^(\d{13})\.([\w-]{43})$/.exec(token) ?? [];
  if (until === undefined || Number(until) <= now || link.passwordHash === null) return false;
  // Compared as text: several base64url texts decode to the same bytes.
  return timingSafeEqual(Buffer.from(signed), Buffer.from(signature(link, Number(until))));
}

const signature = ({ id, passwordHash }: Link, until: number): string =>
  createHmac('sha256', passwordHash ?? '')
    .update(`access/${id}/${until}`)
    .digest('base64url');
