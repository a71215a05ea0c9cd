import { Temporal } from 'temporal-polyfill';
import { RuleError } from '../errors.ts';
import { pointsPerSeries } from '../limits.ts';
import { dayMs, quarterMs } from './day.ts';

// Instants are in milliseconds since 1970.

export const intervals = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

/** From `from` on, and before `to`. Both are whole seconds. */
export type Range = { readonly from: number; readonly to: number };

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
 * points. At most one more than `pointsPerSeries`.
 */
export function pointsOf({ from, to }: Range, interval: Interval, zone: string): number[] {
  const starts: number[] = [];
  for (let start = from; start < to && starts.length <= pointsPerSeries; start = nextPoint(start, interval, zone))
    starts.push(start);
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

/**
 * The next instant at which the clock shows a full hour, or is set forwards or back: always on a quarter of an hour.
 */
function nextHour(time: Temporal.ZonedDateTime, zone: string): number {
  for (let next = quarterMs * (Math.floor(time.epochMilliseconds / quarterMs) + 1); ; next += quarterMs) {
    const { minute, offsetNanoseconds } = zoned(next, zone);
    if (minute === 0 || offsetNanoseconds !== time.offsetNanoseconds) return next;
  }
}
