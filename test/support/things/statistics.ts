import fc from 'fast-check';
import { expect } from 'vitest';
import { type Click, type Dimension, dimensions } from '../../../lambdas/core/click/click.ts';
import { dayMs, other, quarterMs } from '../../../lambdas/core/click/day.ts';

/** In these days, clocks change in Europe, and on Lord Howe by half an hour. */
const start = Date.parse('2030-03-27T00:00Z');
const days = 12;

const iso = (instant: number) => new Date(instant).toISOString();
const referrerOf = (index: number) => `${index}.a-rather-long-name.example.com`;

/** The time of a click, and its visitor. On one of the days there are more referrers than have names. */
export const visits = fc.array(
  fc
    .record({
      day: fc.oneof(fc.constant(3), fc.nat(days - 1)),
      ms: fc.nat(dayMs - 1),
      referrer: fc.nat(30),
      country: fc.constantFrom('DE', 'FR', 'unknown'),
      device: fc.constantFrom('mobile', 'desktop'),
    })
    .map(({ day, ms, referrer, country, device }) => ({
      at: iso(start + day * dayMs + ms),
      visitor: { country, device, referrer: referrerOf(referrer) },
    })),
  { maxLength: 120 },
);

/** A request for statistics, as `query`, and the range that it means. */
export const statsRequests = (known: readonly Dimension[]) =>
  fc
    .record({
      first: fc.nat(days * 96 - 1),
      length: fc.integer({ min: 1, max: days * 96 }),
      timezone: fc.option(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), { nil: undefined }),
      interval: fc.option(fc.constantFrom('hour', 'day', 'week', 'month'), { nil: undefined }),
      groupBy: fc.oneof(fc.constant([]), fc.shuffledSubarray([...known])),
    })
    .map(({ first, length, timezone, interval, groupBy }) => {
      const from = start + first * quarterMs;
      const to = from + length * quarterMs;
      const query = {
        from: iso(from),
        to: iso(to),
        ...(timezone && { timezone }),
        ...(interval && { interval }),
        ...(groupBy.length > 0 && { groupBy: groupBy.join() }),
      };
      const isHourly = interval === 'hour' || (interval === undefined && to - from <= 4 * dayMs);
      return { query, from, to, groupBy, isHourly };
    });

type Values = readonly { readonly value: string; readonly clicks: number }[];
type Answer = {
  readonly status: number;
  readonly body: {
    readonly total: number;
    readonly uniqueClicks: number | null;
    readonly series: readonly { readonly start: string; readonly clicks: number; readonly uniqueClicks: number | null }[];
    readonly groupsFrom: string;
    readonly groupsTo: string;
    readonly groups: Readonly<Record<string, Values>>;
  };
};

/** The clicks that pass a filter, as it is written in a query. */
export const passing = <C extends Readonly<Record<Dimension, string>>>(clicks: readonly C[], filter: Filter): C[] =>
  clicks.filter((click) => dimensions.every((dimension) => filter[dimension]?.split(',').includes(click[dimension]) !== false));

type Filter = Readonly<Partial<Record<Dimension, string>>>;

/** Filters by what `visits` have, and by what they don't have. */
export const filters: fc.Arbitrary<Filter> = fc
  .record(
    {
      country: fc.subarray(['DE', 'FR', 'AT', 'unknown'], { minLength: 1 }),
      device: fc.constantFrom(['mobile'], ['desktop'], ['desktop', 'unknown']),
      referrer: fc.uniqueArray(fc.nat(30).map(referrerOf), { minLength: 1, maxLength: 20 }),
      os: fc.constant(['unknown', 'ios']),
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .filter((filter) => Object.keys(filter).length > 0)
  .map((filter) => Object.fromEntries(Object.entries(filter).map(([dimension, values = []]) => [dimension, values.join()])));

/**
 * Expects that statistics agree with all clicks there are, to the last number: the series in the range, and the groups in
 * the whole days in UTC that contain it, or in exactly the range.
 */
export function expectStatistics(
  { status, body }: Answer,
  clicks: readonly Pick<Click, 'at' | Dimension>[],
  { from, to, groupBy = [] }: { readonly from: number; readonly to: number; readonly groupBy?: readonly Dimension[] },
  groups: 'whole days' | 'the range' = 'whole days',
): void {
  expect(status).toBe(200);
  const between = (first: number, end: number) => clicks.filter(({ at }) => at >= iso(first) && at < iso(end));
  const counted = between(from, to);
  expect(body.total).toBe(counted.length);
  const starts = body.series.map((point) => Date.parse(point.start));
  expect(starts[0]).toBe(from);
  expect([...starts].sort((a, b) => a - b)).toEqual(starts);
  const expected = starts.map((point, index) => between(point, starts[index + 1] ?? to).length);
  expect(body.series.map((point) => point.clicks)).toEqual(expected);
  expect(Object.keys(body.groups)).toEqual(groupBy);
  const rest = groups === 'the range' ? { before: 0, after: 0 } : { before: from % dayMs, after: (dayMs - (to % dayMs)) % dayMs };
  const ofGroups = { from: from - rest.before, to: to + rest.after };
  expect([body.groupsFrom, body.groupsTo]).toEqual([iso(ofGroups.from), iso(ofGroups.to)]);
  const grouped = between(ofGroups.from, ofGroups.to);
  for (const dimension of dimensions.filter((one) => groupBy.includes(one))) {
    expectValues(
      body.groups[dimension] ?? [],
      grouped.map((click) => click[dimension]),
    );
  }
}

/**
 * Expects that unique clicks agree with the visitors that there were: in all, those of the whole days in UTC that contain the
 * range; and in each point, unless it is an hour, those of the days whose noon is in it.
 *
 * @param days in UTC, one for each visitor of a link on a day; undefined if they are not known.
 */
export function expectUniques(
  { body }: Answer,
  days: readonly string[] | undefined,
  { from, to, isHourly }: { readonly from: number; readonly to: number; readonly isHourly: boolean },
): void {
  const [first, end] = [from - (from % dayMs), to + ((dayMs - (to % dayMs)) % dayMs)];
  const noons = days?.map((day) => Date.parse(day) + dayMs / 2).filter((noon) => noon >= first && noon < end);
  expect(body.uniqueClicks).toBe(noons?.length ?? null);
  const starts = body.series.map((point) => Date.parse(point.start));
  const expected = starts.map((start, index) => {
    const since = index === 0 ? first : start;
    return noons?.filter((noon) => noon >= since && noon < (starts[index + 1] ?? end)).length;
  });
  expect(body.series.map(({ uniqueClicks }) => uniqueClicks)).toEqual(expected.map((some) => (isHourly ? null : (some ?? null))));
}

/** Expects that the values of a dimension add up, and are sorted. A value has no more clicks than it got. */
function expectValues(found: Values, values: readonly string[]): void {
  const rest = found.find(({ value }) => value === other)?.clicks ?? 0;
  const named = found.filter(({ value }) => value !== other);
  expect(found).toEqual([
    ...named.sort((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1)),
    ...found.slice(named.length),
  ]);
  expect(found.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(values.length);
  const got = new Map([...Map.groupBy(values, (value) => value)].map(([value, some]) => [value, some.length]));
  for (const { value, clicks } of named) {
    if (rest === 0) expect([value, clicks]).toEqual([value, got.get(value)]);
    else expect(clicks).toBeLessThanOrEqual(got.get(value) ?? 0);
  }
}
