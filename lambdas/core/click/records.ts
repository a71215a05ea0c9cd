import { type Day, dayMs, quarterMs } from './day.ts';

// A filter needs the records of clicks, because days don't say which values came together.

/** Records are read for this long at most, in milliseconds. What may expire meanwhile counts as expired. */
const readingMs = 60_000;

/**
 * The first quarter of an hour of which all records are kept.
 *
 * @param now in milliseconds since 1970, and so is the result.
 * @param clickDays how many days the stage keeps them.
 */
export const oldestRecords = (now: number, clickDays: number): number =>
  quarterMs * Math.ceil((now + readingMs) / quarterMs) - clickDays * dayMs;

/**
 * Whether records of these days may have expired: a stage that kept them for fewer days then.
 *
 * @param from where the range starts.
 */
export const mayHaveExpired = (days: readonly Day[], from: number, now: number): boolean =>
  days.some(({ day, keptDays = Number.POSITIVE_INFINITY }) => {
    const first = Math.max(Date.parse(day), from);
    return first + keptDays * dayMs <= now + readingMs;
  });
