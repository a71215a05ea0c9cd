import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysIn, ownDays } from '../../../../clients/console/parts/days.ts';
import {
  parseView,
  plainView,
  presets,
  type StatsView,
  toggled,
  writeView,
} from '../../../../clients/console/statistics/view.ts';
import { rowDimensions } from '../../../../lambdas/core/click/click.ts';

const id = (prefix: string) => fc.stringMatching(/^[0-9A-Za-z]{16}$/).map((text) => `${prefix}_${text}`);
const day = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2029-12-31'), noInvalidDate: true })
  .map((date) => date.toJSON().slice(0, 10));
const ranges = fc.oneof(
  fc.constantFrom(...(Object.keys(presets) as (keyof typeof presets)[])),
  fc.tuple(day, fc.integer({ min: 0, max: 729 })).map(([from, more]) => {
    const to = new Date(Date.parse(from) + more * 86_400_000).toJSON().slice(0, 10);
    return { from, to };
  }),
);
const values = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 });
const shared = {
  range: ranges,
  zone: fc.option(fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York'), { nil: undefined }),
  isCompared: fc.boolean(),
  interval: fc.option(fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const), { nil: undefined }),
  metric: fc.constantFrom('clicks' as const, 'unique' as const),
  isTable: fc.boolean(),
  filters: fc.dictionary(fc.constantFrom(...rowDimensions), values),
};
const none = {
  linkId: fc.constant(undefined),
  domain: fc.constant(undefined),
  tags: fc.constant([]),
  match: fc.constant('any' as const),
};
const views: fc.Arbitrary<StatsView> = fc.oneof(
  fc.record({
    ...shared,
    ...none,
    linkId: id('lnk'),
  }),
  fc.record({
    ...shared,
    linkId: fc.constant(undefined),
    domain: fc.option(fc.domain(), { nil: undefined }),
    tags: fc.uniqueArray(id('tag'), { maxLength: 20 }),
    match: fc.constantFrom('any' as const, 'all' as const),
  }),
);

test('The address of any statistics leads to the same statistics.', () => {
  fc.assert(
    fc.property(views, (view) => {
      expect(parseView(writeView(view))).toEqual(view);
    }),
  );
});

test('Defaults are left out of the address.', () => {
  expect(writeView(plainView)).toBe('');
  expect(parseView('')).toEqual(plainView);
});

test.for([
  'of=<b>&range=31d&tz=Nowhere/Land&compare=2&by=minute&show=all&as=pie&city=Rome',
  'of=&range=2026-02-30..2026-03-01&match=some',
  'range=2026-03-02..2026-03-01',
  'range=constructor&by=constructor',
  'range=..&tz=',
])('Invalid parts of the address are ignored: %s', (query) => {
  expect(parseView(query)).toEqual(plainView);
});

test('A range includes both its days, and longer ranges than allowed are refused.', () => {
  expect(daysIn({ from: '2026-11-24', to: '2026-11-24' })).toBe(1);
  expect(ownDays('2024-11-25', '2026-11-24', 730)).toBeDefined();
  expect(ownDays('2024-11-24', '2026-11-24', 730)).toBeUndefined();
});

test('Choosing a value again removes it, and removing the last one removes its dimension.', () => {
  const once = toggled(toggled({}, 'country', 'DE'), 'country', 'AT');
  expect(once).toEqual({ country: ['DE', 'AT'] });
  expect(toggled(toggled(once, 'country', 'DE'), 'country', 'AT')).toEqual({});
});
