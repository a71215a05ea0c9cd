import type { ApiKey } from './api-key.ts';

/** Whether a key has expired. It is valid until the millisecond before. An unreadable time counts as expired. */
export const hasExpired = (expiresAt: string | undefined, now: number): boolean =>
  expiresAt !== undefined && !(now < Date.parse(expiresAt));

/** When a replaced key expires: after the overlap, but never later than it would have anyway. */
export function endOfOverlap({ expiresAt }: Pick<ApiKey, 'expiresAt'>, overlapMs: number, now: number): string {
  const end = new Date(now + overlapMs).toISOString();
  return expiresAt !== undefined && expiresAt < end ? expiresAt : end;
}

/** When a replacement key expires by default: its lifetime is that of the key it replaces. */
export const expiryOfReplacement = ({ createdAt, expiresAt }: ApiKey, now: number): string | undefined =>
  expiresAt === undefined ? undefined : new Date(now + Date.parse(expiresAt) - Date.parse(createdAt)).toISOString();
