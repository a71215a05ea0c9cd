import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Link } from './link.ts';

/** For how long a visitor who has given a link's password need not give it again, in seconds. */
export const accessSeconds = 15 * 60;

/**
 * What a visitor keeps who has given the password: until when it is good, and a signature. The key of the signature is the hash of
 * the link's password, with its salt, which never leaves the table: so the token is good for this link alone, it is void as soon as
 * the password changes, and there is no secret of the service's own to be kept and replaced.
 */
export function newAccessToken(link: Link, now: number): string {
  const until = now + accessSeconds * 1000;
  return `${until}.${signature(link, until)}`;
}

/** Whether the token lets its bearer pass. */
export function isAccessToken(link: Link, token: string, now: number): boolean {
  const [, until, signed = ''] = /^(\d{13})\.([\w-]{43})$/.exec(token) ?? [];
  if (until === undefined || Number(until) <= now || link.passwordHash === null) return false;
  // As texts: several of them stand for the same bytes.
  return timingSafeEqual(Buffer.from(signed), Buffer.from(signature(link, Number(until))));
}

const signature = ({ id, passwordHash }: Link, until: number): string =>
  createHmac('sha256', passwordHash ?? '')
    .update(`access/${id}/${until}`)
    .digest('base64url');
