import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayMs, dayOfTime } from '../../../../lambdas/core/click/day.ts';
import { daysBefore, type Interval, intervalFor, parseTimeZone, pointsOf } from '../../../../lambdas/core/click/statistics.ts';
import { pointsPerSeries } from '../../../../lambdas/core/limits.ts';
import { runs } from '../../../support/run/proof.ts';

const iso = (instant: number) => new Date(instant).toISOString();
const zones = Intl.supportedValuesOf('timeZone');

/** The local time by the runtime's formatter, which is independent of the code under test. */
const wallClocks = new Map<string, Intl.DateTimeFormat>();
function wallClock(instant: number, zone: string) {
  const format =
    wallClocks.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        weekday: 'short',
        timeZoneName: 'longOffset',
      },
    });
  wallClocks.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return parts as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'weekday' | 'timeZoneName', string>;
}

/** The label that all instants of a point have in common. */
function label(instant: number, interval: Interval, zone: string): string {
  const { year, month, day, hour, weekday, timeZoneName } = wallClock(instant, zone);
  const date = `${year}-${month}-${day}`;
  switch (interval) {
    case 'hour':
      return `${date} ${hour} ${timeZoneName}`;
    case 'day':
      return date;
    case 'week': {
      const monday = Date.parse(date) - ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(weekday) * dayMs;
      return iso(monday);
    }
    case 'month':
      return `${year}-${month}`;
  }
}

describe('a series', () => {
  const start = Date.parse('2026-01-01T00:00Z');
  const range = fc
    .record({
      second: fc.oneof(
        fc.nat(3 * 365 * 86_400),
        fc.nat(3 * 365 * 96).map((quarter) => quarter * 900),
      ),
      length: fc.oneof(fc.integer({ min: 1, max: 12 * 86_400 }), fc.integer({ min: 1, max: 500 * 86_400 })),
    })
    .map(({ second, length }) => ({ from: start + second * 1_000, to: start + (second + length) * 1_000 }));
  const interval = fc.constantFrom<Interval>('hour', 'day', 'week', 'month');

  test('Each instant is in the point of its local time, in every time zone.', () => {
    fc.assert(
      fc.property(
        range,
        interval,
        fc.constantFrom(...zones),
        fc.array(fc.double({ min: -0.1, max: 1.1, noNaN: true }), { maxLength: 40 }),
        (range, interval, zone, places) => {
          const starts = pointsOf(range, interval, zone);
          fc.pre(starts.length <= pointsPerSeries);
          const clicks = places.map((index) => Math.floor(range.from + index * (range.to - range.from)));
          for (const at of clicks.filter((at) => at >= range.from && at < range.to)) {
            const point = starts.findLast((start) => start <= at) ?? 0;
            expect(label(point, interval, zone)).toBe(label(at, interval, zone));
          }
        },
      ),
      { numRuns: runs(80) },
    );
  });

  test('Points have no gaps: each begins where the one before it ends, at the first second with a new label.', () => {
    fc.assert(
      fc.property(range, interval, fc.constantFrom(...zones), (range, interval, zone) => {
        const starts = pointsOf(range, interval, zone);
        expect(starts[0]).toBe(range.from);
        for (const [index, start] of starts.slice(1, 60).entries()) {
          expect(start).toBeLessThan(range.to);
          const before = label(start - 1_000, interval, zone);
          expect(before).toBe(label(starts[index] ?? 0, interval, zone));
          expect(before).not.toBe(label(start, interval, zone));
        }
      }),
      { numRuns: runs(25) },
    );
  });

  test.for<[string, string, string, Interval, string[]]>([
    ['Berlin loses an hour', '2027-03-28T00:00Z', 'Europe/Berlin', 'hour', ['00:00', '01:00', '02:00']],
    ['Berlin has an hour twice', '2027-10-31T00:00Z', 'Europe/Berlin', 'hour', ['00:00', '01:00', '02:00']],
    [
      'Lord Howe goes back by half an hour',
      '2027-04-03T14:00Z',
      'Australia/Lord_Howe',
      'hour',
      ['14:00', '15:00', '15:30', '16:30'],
    ],
    ['Kathmandu is at a quarter', '2027-01-01T00:00Z', 'Asia/Kathmandu', 'hour', ['00:00', '00:15', '01:15', '02:15']],
  ])('%s.', ([, from, zone, interval, expected]) => {
    const range = { from: Date.parse(from), to: Date.parse(from) + 3 * 60 * 60_000 };
    expect(pointsOf(range, interval, zone).map((start) => iso(start).slice(11, 16))).toEqual(expected);
  });

  test.for<[string, string, number[]]>([
    ['Europe/Berlin', '2027-03-27', [24, 23, 24]],
    ['Europe/Berlin', '2027-10-30', [24, 25, 24]],
    ['America/New_York', '2027-03-13', [24, 23, 24]],
    ['America/New_York', '2027-11-06', [24, 25, 24]],
    ['Australia/Lord_Howe', '2027-04-03', [24, 24.5, 24]],
    ['Asia/Kathmandu', '2026-12-31', [24, 24, 24]],
  ])('In %s, the days from %s on have as many hours as local clocks show.', ([zone, date, hours]) => {
    const from = daysBefore(Date.parse(`${date}T12:00Z`), 0, zone);
    const starts = pointsOf({ from, to: from + 4 * dayMs }, 'day', zone);
    expect(hours.map((_, index) => ((starts[index + 1] ?? 0) - (starts[index] ?? 0)) / 3_600_000)).toEqual(hours);
  });

  test('Weeks start on Monday, also at the end of a year.', () => {
    const starts = pointsOf({ from: Date.parse('2026-12-24T00:00Z'), to: Date.parse('2027-01-12T00:00Z') }, 'week', 'UTC');
    expect(starts.map(iso).map(dayOfTime)).toEqual(['2026-12-24', '2026-12-28', '2027-01-04', '2027-01-11']);
  });

  test('Without an interval, a range has at most 101 points.', () => {
    fc.assert(
      fc.property(range, (range) => {
        expect(pointsOf(range, intervalFor(range), 'UTC').length).toBeLessThanOrEqual(101);
      }),
    );
  });
});

describe('A time zone', () => {
  test('Every zone of the runtime is accepted.', () => {
    for (const zone of zones) expect(() => parseTimeZone(zone)).not.toThrow();
  });
  test.for(['', 'Europe/Atlantis', '+05:37', '-01:00', 'Z', 'Berlin', '../etc/passwd', 'UTC[u-ca=hebrew]', 'Europe/Berlin '])(
    '%j is refused by name.',
    (text) => {
      expect(() => parseTimeZone(text)).toThrow('must be the name of an IANA time zone');
    },
  );
});
