import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysIn } from '../../../../clients/console/parts/days.ts';
import { daysOf, nextRange, periodBefore, periodOf, unitOf } from '../../../../clients/console/statistics/ranges.ts';
import type { RangeChoice } from '../../../../clients/console/statistics/view.ts';
import { pointsOf } from '../../../../lambdas/core/click/statistics.ts';

const quarterMs = 15 * 60_000;
// Zones whose clocks go forward at midnight, by half an hour, in the southern summer, and never.
const zones = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Pacific/Apia',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
);
const nows = fc.integer({ min: Date.UTC(2022, 0), max: Date.UTC(2029, 0) });
const choices: fc.Arbitrary<RangeChoice> = fc.oneof(
  fc.constantFrom('today', '7d', '30d', '90d'),
  fc.tuple(fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }), fc.integer({ min: 0, max: 400 })).map(([at, more]) => {
    const dayOf = (instant: number) => new Date(instant).toJSON().slice(0, 10);
    return { from: dayOf(at), to: dayOf(at + more * 86_400_000) };
  }),
);
const clock = (instant: number, zone: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(instant);

test('A range ends after it starts, includes the newest click, and is on quarters of an hour.', () => {
  fc.assert(
    fc.property(choices, nows, zones, (choice, now, zone) => {
      const { from, to, days, isRunning } = periodOf(choice, now, zone);
      expect(from).toBeLessThan(to);
      expect([from % quarterMs, to % quarterMs]).toEqual([0, 0]);
      expect(to).toBeLessThanOrEqual(now + quarterMs);
      const today = daysOf('today', now, zone).to;
      if (days.to === today) expect(to).toBeGreaterThan(now);
      if (isRunning) expect(days.to).toBe(today);
      expect(pointsOf({ from, to }, 'day', zone).length).toBe(daysIn(days));
    }),
  );
});

test('The period before has as many days, and ends where a finished range starts, whatever clocks did in between.', () => {
  fc.assert(
    fc.property(choices, nows, zones, (choice, now, zone) => {
      const period = periodOf(choice, now, zone);
      const before = periodBefore(period, zone);
      expect(before.to).toBeLessThanOrEqual(period.from);
      expect(before.from).toBeLessThan(before.to);
      expect([before.from % quarterMs, before.to % quarterMs]).toEqual([0, 0]);
      expect(pointsOf(before, 'day', zone).length).toBe(pointsOf(period, 'day', zone).length);
      if (!period.isRunning) expect(before.to).toBe(period.from);
    }),
  );
});

test('A month is compared with the month before and moves by months, up to the same day and time while it runs; so does a year.', () => {
  const now = Date.parse('2026-03-30T10:05:00Z');
  const before = (choice: RangeChoice, at = now) => {
    const { days, to, isRunning } = periodBefore(periodOf(choice, at, 'UTC'), 'UTC', unitOf(choice));
    return [days.from, days.to, new Date(to).toJSON().slice(0, 16), isRunning];
  };
  expect(daysOf('month', now, 'UTC')).toEqual({ from: '2026-03-01', to: '2026-03-30' });
  expect(daysOf('last-month', now, 'UTC')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(daysOf('year', now, 'UTC')).toEqual({ from: '2026-01-01', to: '2026-03-30' });
  expect(before('last-month')).toEqual(['2026-01-01', '2026-01-31', '2026-02-01T00:00', false]);
  expect(before({ from: '2025-12-01', to: '2025-12-31' })).toEqual(['2025-11-01', '2025-11-30', '2025-12-01T00:00', false]);
  // February has no 30th, so its last day is compared.
  expect(before('month')).toEqual(['2026-02-01', '2026-02-28', '2026-02-28T10:15', true]);
  expect(before('month', Date.parse('2026-04-30T10:05:00Z'))).toEqual(['2026-03-01', '2026-03-31', '2026-03-31T10:15', true]);
  expect(before('year')).toEqual(['2025-01-01', '2025-03-30', '2025-03-30T10:15', true]);
  // The same days, chosen as days, not as a month.
  expect(before('30d', Date.parse('2026-04-30T10:05:00Z'))).toEqual(['2026-03-02', '2026-03-31', '2026-03-31T10:15', true]);

  const back = (choice: RangeChoice) => nextRange(choice, -1, now, 'UTC') ?? choice;
  const forth = (choice: RangeChoice) => nextRange(choice, 1, now, 'UTC');
  expect(back('month')).toBe('last-month');
  expect(back('last-month')).toEqual({ from: '2026-01-01', to: '2026-01-31' });
  expect(back(back('last-month'))).toEqual({ from: '2025-12-01', to: '2025-12-31' });
  expect(forth(back('last-month'))).toBe('last-month');
  expect([forth('last-month'), forth('month'), forth('year')]).toEqual(['month', undefined, undefined]);
  expect(back('year')).toEqual({ from: '2025-01-01', to: '2025-12-31' });
  expect(forth(back('year'))).toBe('year');
});

test('The next range has the same length, and going back and forth ends where it began.', () => {
  fc.assert(
    fc.property(choices, nows, zones, (choice, now, zone) => {
      fc.pre(unitOf(choice) === 'day');
      const days = daysOf(choice, now, zone);
      const earlier = nextRange(choice, -1, now, zone);
      expect(earlier).toBeDefined();
      const found = daysOf(earlier ?? choice, now, zone);
      expect(daysIn(found)).toBe(daysIn(days));
      expect(daysOf(nextRange(earlier ?? choice, 1, now, zone) ?? 'today', now, zone)).toEqual(days);
    }),
  );
});

describe('When clocks change', () => {
  test('A day of 25 hours is compared up to the same time of the clock on the day before.', () => {
    // 25 October 2026 at 10:05 in Berlin, after clocks went back.
    const now = Date.parse('2026-10-25T09:05:00Z');
    const period = periodOf('today', now, 'Europe/Berlin');
    const before = periodBefore(period, 'Europe/Berlin');
    expect([new Date(period.from), new Date(period.to)].map((date) => date.toJSON())).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T09:15:00.000Z',
    ]);
    expect([new Date(before.from), new Date(before.to)].map((date) => date.toJSON())).toEqual([
      '2026-10-23T22:00:00.000Z',
      '2026-10-24T08:15:00.000Z',
    ]);
    expect([clock(period.to, 'Europe/Berlin'), clock(before.to, 'Europe/Berlin')]).toEqual(['10:15', '10:15']);
  });
});

test('The next range that would end today or later becomes the range of the last days, and none begins after today.', () => {
  const now = Date.parse('2026-11-24T12:00:00Z');
  expect(nextRange('7d', 1, now, 'UTC')).toBeUndefined();
  expect(nextRange('7d', -1, now, 'UTC')).toEqual({ from: '2026-11-11', to: '2026-11-17' });
  expect(nextRange({ from: '2026-11-11', to: '2026-11-17' }, 1, now, 'UTC')).toBe('7d');
  expect(nextRange({ from: '2026-11-14', to: '2026-11-20' }, 1, now, 'UTC')).toBe('7d');
  expect(nextRange({ from: '2026-11-22', to: '2026-11-23' }, 1, now, 'UTC')).toEqual({ from: '2026-11-23', to: '2026-11-24' });
});
