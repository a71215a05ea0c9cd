import { dayMs } from './day.ts';

/**
 * A workspace's newest clicks, not in a file yet.
 *
 * @property bytes approximate
 * @property since its first click, in ISO 8601
 */
export type Tail = { readonly bytes: number; readonly since: string };

/** A tail with more bytes than this (some 120,000 clicks) is sealed at once. */
export const largeTail = 8_000_000;

/** How many days after the end of its first click's day (UTC) a tail is sealed, however small it is. */
const sealedAfterDays = 2;

/** Whether a tail is to be sealed. @param now in milliseconds since 1970 */
export const isToSeal = (tail: Tail, now: number): boolean => tail.bytes > largeTail || isOlder(tail, sealedAfterDays, now);

/** Whether a tail should have been sealed a day ago. @param now in milliseconds since 1970 */
export const isOverdue = (tail: Tail, now: number): boolean => isOlder(tail, sealedAfterDays + 1, now);

/** Whether the day of a tail's first click ended at least that many days ago. */
const isOlder = ({ since }: Tail, days: number, now: number): boolean =>
  startOfDay(Date.parse(since)) + (1 + days) * dayMs <= now;

/** When the day (UTC) of a time begins, both in milliseconds since 1970. */
export const startOfDay = (time: number): number => dayMs * Math.floor(time / dayMs);
