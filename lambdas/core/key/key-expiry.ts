import { RuleError } from '../errors.ts';
import type { ApiKey } from './api-key.ts';

/** Whether a key has expired. It is valid until the millisecond before. An unreadable time is treated as expired. */
export const hasExpired = (expiresAt: string | undefined, now: number): boolean =>
  expiresAt !== undefined && !(now < Date.parse(expiresAt));

/** An expiry as a number: infinite if there is none. */
const endOf = (expiresAt: string | undefined): number =>
  expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);

/** Whether the first expiry is no later than the second. False if either is unreadable. */
export const endsWithin = (one: string | undefined, other: string | undefined): boolean => endOf(one) <= endOf(other);

/** The earlier of two expiries. */
export const earlierEnd = (one: string | undefined, other: string | undefined): string | undefined =>
  endsWithin(one, other) ? one : other;

/** An expiry that somebody sets. @throws RuleError `not_in_future` */
export function futureExpiry(expiresAt: string, now: number): string {
  if (!hasExpired(expiresAt, now)) return expiresAt;
  throw new RuleError('not_in_future', 'must be in the future: revoke the key to end it at once');
}

/** When a replaced key expires: after the overlap, but never later than it would have anyway. */
export const endOfOverlap = ({ expiresAt }: Pick<ApiKey, 'expiresAt'>, overlapMs: number, now: number): string =>
  earlierEnd(expiresAt, iso(now + overlapMs)) as string;

/** When a replacement key expires by default: its lifetime is that of the key it replaces. */
export const expiryOfReplacement = ({ createdAt, expiresAt }: ApiKey, now: number): string | undefined =>
  expiresAt === undefined ? undefined : iso(now + Date.parse(expiresAt) - Date.parse(createdAt));

/** The last time with a year of four digits. */
const latest = Date.parse('9999-12-31T23:59:59.999Z');

const iso = (time: number): string => new Date(Math.min(time, latest)).toISOString();
