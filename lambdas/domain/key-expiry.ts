import type { ApiKey } from './api-key.ts';

/** Whether a key is past its time: it is good up to the millisecond before. A time that cannot be read is past. */
export const hasExpired = (expiresAt: string | undefined, now: number): boolean =>
  expiresAt !== undefined && !(now < Date.parse(expiresAt));

/** When a key that is replaced expires: once the overlap is over, and never later than it would have anyway. */
export function endOfOverlap({ expiresAt }: Pick<ApiKey, 'expiresAt'>, overlapMs: number, now: number): string {
  const end = new Date(now + overlapMs).toISOString();
  return expiresAt !== undefined && expiresAt < end ? expiresAt : end;
}

/** When the key that replaces another expires unless somebody says so: it lives as long as the other was meant to. */
export const expiryOfReplacement = ({ createdAt, expiresAt }: ApiKey, now: number): string | undefined =>
  expiresAt === undefined ? undefined : new Date(now + Date.parse(expiresAt) - Date.parse(createdAt)).toISOString();
