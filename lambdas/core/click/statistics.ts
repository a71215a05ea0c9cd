import { Temporal } from 'temporal-polyfill';
import { RuleError } from '../errors.ts';
import type { Dimension } from './click.ts';
import { type Day, dayMs, other, quarterMs } from './day.ts';

// Instants are in milliseconds since 1970.

export const intervals = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

/** From `from` on, and before `to`; both are on quarters of an hour. */
export type Range = { readonly from: number; readonly to: number };

/** Clicks by day, and the range that they are from, which contains the one that was asked for. */
export type Collected = { readonly days: readonly Day[]; readonly range: Range };

/** The whole days in UTC that contain a range. */
export const wholeDays = ({ from, to }: Range): Range => ({
  from: dayMs * Math.floor(from / dayMs),
  to: dayMs * Math.ceil(to / dayMs),
});

/** A series has at most this many points. */
export const mostPoints = 400;

/** The interval for a range, if none was requested. The series then has some 100 points at most. */
export function intervalFor({ from, to }: Range): Interval {
  const days = (to - from) / dayMs;
  if (days <= 4) return 'hour';
  if (days <= 100) return 'day';
  return days <= 370 ? 'week' : 'month';
}

/**
 * Checks the name of an IANA time zone, and returns it in its usual spelling.
 *
 * @throws RuleError `unknown_time_zone`
 */
export function parseTimeZone(text: string): string {
  // Temporal accepts offsets too, such as +05:37, which need not be on quarters of an hour.
  if (/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(text)) {
    try {
      return zoned(0, text).timeZoneId;
    } catch {
      // The error below says more.
    }
  }
  throw new RuleError('unknown_time_zone', 'must be the name of an IANA time zone, such as Europe/Berlin');
}

const zoned = (instant: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);

/** The start of a day, in milliseconds since 1970. Where clocks go forward at midnight, it starts at 1:00. */
const startOf = (date: Temporal.PlainDate, zone: string): number => date.toZonedDateTime(zone).epochMilliseconds;

/** The start of the day that is this many days before the day of an instant. */
export const daysBefore = (instant: number, days: number, zone: string): number =>
  startOf(zoned(instant, zone).toPlainDate().subtract({ days }), zone);

/**
 * The starts of the points of a series. The first is the range's start, and each next one is the start of an hour, a
 * day, a week (on Monday) or a month in that time zone. An hour that occurs twice, because clocks are set back, has two
 * points. At most one more than `mostPoints`.
 */
export function pointsOf({ from, to }: Range, interval: Interval, zone: string): number[] {
  const starts: number[] = [];
  for (let start = from; start < to && starts.length <= mostPoints; start = nextPoint(start, interval, zone)) starts.push(start);
  return starts;
}

function nextPoint(instant: number, interval: Interval, zone: string): number {
  const time = zoned(instant, zone);
  if (interval === 'hour') return nextHour(time, zone);
  const date = time.toPlainDate();
  switch (interval) {
    case 'day':
      return startOf(date.add({ days: 1 }), zone);
    case 'week':
      return startOf(date.add({ days: 8 - date.dayOfWeek }), zone);
    case 'month':
      return startOf(date.with({ day: 1 }).add({ months: 1 }), zone);
  }
}

/** The next instant at which the clock shows a full hour, or is set forwards or back. */
function nextHour(time: Temporal.ZonedDateTime, zone: string): number {
  for (let next = time.epochMilliseconds + quarterMs; ; next += quarterMs) {
    const { minute, offsetNanoseconds } = zoned(next, zone);
    if (minute === 0 || offsetNanoseconds !== time.offsetNanoseconds) return next;
  }
}

/** The points of a series, without gaps, and the sum of their clicks. */
export type Series = { readonly total: number; readonly series: readonly { readonly start: number; readonly clicks: number }[] };

/** The clicks of each point. @param starts of the points, in order; the first is the start of the range */
export function seriesOf(days: readonly Day[], { from, to }: Range, starts: readonly number[]): Series {
  const clicks = starts.map(() => 0);
  let total = 0;
  for (const { day, quarters } of days) {
    const start = Date.parse(day);
    for (const [quarter, count] of quarters) {
      const instant = start + quarter * quarterMs;
      if (instant < from || instant >= to) continue;
      const point = lastAtOrBefore(starts, instant);
      clicks[point] = (clicks[point] ?? 0) + count;
      total += count;
    }
  }
  return { total, series: starts.map((start, index) => ({ start, clicks: clicks[index] ?? 0 })) };
}

/** The index of the last start that is not after an instant. */
function lastAtOrBefore(starts: readonly number[], instant: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= instant) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The unique clicks of whole days: all of them, and those of each point. Null where they are not known. */
export type Uniques = { readonly total: number | null; readonly points: readonly (number | null)[] };

/**
 * The unique clicks of whole days in UTC. A day is in the point that has its noon, so the points add up to the total. No hour
 * has a number, since a visitor counts once a day.
 *
 * @param isCounted whether the stage counts them. If not, they are known only if a day has some.
 */
export function uniquesOf(days: readonly Day[], starts: readonly number[], interval: Interval, isCounted: boolean): Uniques {
  if (!isCounted && days.every(({ unique }) => unique === undefined)) return { total: null, points: starts.map(() => null) };
  const points = starts.map(() => 0);
  let total = 0;
  for (const { day, unique = 0 } of days) {
    const point = lastAtOrBefore(starts, Date.parse(day) + dayMs / 2);
    points[point] = (points[point] ?? 0) + unique;
    total += unique;
  }
  return { total, points: interval === 'hour' ? starts.map(() => null) : points };
}

/** A value of a dimension and its clicks. */
export type ValueCount = { readonly value: string; readonly clicks: number };

/** The clicks of each value over several days, most clicks first, and `other` last. */
export function valuesOf(days: readonly Day[], dimension: Dimension): ValueCount[] {
  const sums = new Map<string, number>();
  for (const { groups } of days) {
    for (const [value, clicks] of groups[dimension] ?? []) sums.set(value, (sums.get(value) ?? 0) + clicks);
  }
  const rank = ({ value }: ValueCount) => (value === other ? 1 : 0);
  return [...sums]
    .map(([value, clicks]) => ({ value, clicks }))
    .sort((a, b) => rank(a) - rank(b) || b.clicks - a.clicks || (a.value < b.value ? -1 : 1));
}
