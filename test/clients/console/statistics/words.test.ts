import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeText,
  comparedName,
  comparisonText,
  periodName,
  pointName,
  shareText,
  shortCount,
  trendText,
  valueName,
} from '../../../../clients/console/statistics/words.ts';
import { rowDimensions } from '../../../../lambdas/core/click/click.ts';

test.for([
  [1_924, 1_000, '+924 (+92.4 %)'],
  [1_000, 1_924, '−924 (−48.0 %)'],
  [12, 12, '±0'],
  [5, 0, '+5'],
  [0, 5, '−5 (−100.0 %)'],
  [50_000, 1, '+49,999 (+4,999,900 %)'],
] as const)('A change to %i from %i has a sign, a number and a percentage if there is one: %s', ([now, before, text]) => {
  expect(changeText(now, before)).toBe(text);
});

test.for([
  [0, 10, '0 %'],
  [1, 10_000, '<0.1 %'],
  [4, 1_000, '0.4 %'],
  [96, 10_000, '1 %'],
  [50, 100, '50 %'],
  [999, 1_000, '>99 %'],
  [10, 10, '100 %'],
  [0, 0, '0 %'],
] as const)('%i of %i is %s: a share below 1 % has a decimal, and only the whole is 100 %.', ([part, sum, text]) => {
  expect(shareText(part, sum)).toBe(text);
});

test('Known values get the names that people use, and other values stay as they are.', () => {
  expect(valueName('country', 'DE')).toBe('Germany');
  expect(valueName('language', 'de')).toBe('German');
  expect(valueName('browser', 'samsung-internet')).toBe('Samsung Internet');
  expect(valueName('os', 'ios')).toBe('iOS');
  expect(valueName('source', 'qr')).toBe('QR code');
  expect(valueName('variant', 'constructor')).toBe('constructor');
  expect(valueName('referrer', 'news.example.com')).toBe('news.example.com');
  expect(valueName('country', 'unknown')).toBe('Unknown');
  expect(valueName('utmSource', 'Spring-sale')).toBe('Spring-sale');
  expect([valueName('utmMedium', 'none'), valueName('path', 'none')]).toEqual(['None', 'No extra path']);
});

test('Whatever a value is, it has a name.', () => {
  fc.assert(
    fc.property(fc.constantFrom(...rowDimensions), fc.string({ minLength: 1 }), (dimension, value) => {
      expect(typeof valueName(dimension, value)).toBe('string');
    }),
  );
});

test("Times are in the view's zone, and as precise as their point.", () => {
  const start = Date.parse('2026-11-23T23:00:00Z');
  expect(pointName(start, 'day', 'Europe/Berlin')).toBe('Tue 24 Nov');
  expect(pointName(start, 'hour', 'Asia/Kathmandu')).toBe('24 Nov, 04:45');
  expect(pointName(start, 'month', 'UTC')).toBe('November 2026');
  const period = {
    from: 0,
    to: Date.parse('2026-11-24T10:30:00Z'),
    days: { from: '2026-10-26', to: '2026-11-24' },
    isRunning: true,
  };
  expect(periodName(period, 'Europe/Berlin', true)).toBe('26 Oct – 24 Nov 2026, 11:30');
  expect(periodName({ ...period, days: { from: '2025-12-31', to: '2026-01-01' } }, 'UTC')).toBe('31 Dec 2025 – 1 Jan 2026');
  expect([shortCount(12_400), shortCount(950)]).toEqual(['12.4k', '950']);
});

test.for([
  [12_480, 11_556, '↑ 8.0 %'],
  [1_000, 1_924, '↓ 48.0 %'],
  [5, 0, '↑ 5'],
  [12, 12, 'No change'],
  [0, 0, 'No change'],
] as const)('At a glance, a change to %i from %i is one arrow and one number, or “No change”: %s', ([now, before, text]) => {
  expect(trendText(now, before)).toBe(text);
});

test('A change names the former number.', () => {
  expect(comparisonText(12_480, 11_556)).toBe('+924 (+8.0 %) from 11,556');
});

test('A period for comparison says how far it goes, without a time of day that has not come yet.', () => {
  const before = { from: 0, to: Date.parse('2026-10-27T17:30Z'), days: { from: '2026-10-21', to: '2026-10-27' } };
  expect(comparedName({ ...before, isRunning: true }, 'UTC')).toBe('21 Oct – 27 Oct 2026, up to this time');
  expect(comparedName({ ...before, isRunning: false }, 'UTC')).toBe('21 Oct – 27 Oct 2026');
});
