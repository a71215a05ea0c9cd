import fc from 'fast-check';
import { expect } from 'vitest';
import { type Click, type RowDimension, rowDimensions } from '../../../lambdas/core/click/click.ts';
import { dayMs } from '../../../lambdas/core/click/day.ts';

/**
 * When clicks of these tests are: last year, so that files can be made of them, on days on which clocks change in Europe and on
 * Lord Howe, and a month ends.
 */
const start = Date.UTC(new Date().getUTCFullYear() - 1, 2, 24);
const days = 16;

const iso = (instant: number) => new Date(instant).toISOString();
const referrerOf = (index: number) => `${index}.a-rather-long-name.example.com`;
const campaigns = ['none', 'spring', 'a, b', 'back\\slash', "o'hara; --"];

/** The time of a click, and its visitor, of whom several are the same person. */
export const visits = fc.array(
  fc
    .record({
      day: fc.oneof(fc.constant(3), fc.nat(days - 1)),
      ms: fc.oneof(fc.nat(dayMs - 1), fc.constantFrom(0, dayMs - 1)),
      person: fc.nat(3),
      referrer: fc.nat(30),
      country: fc.constantFrom('DE', 'FR', 'unknown'),
      device: fc.constantFrom('mobile', 'desktop'),
      utmCampaign: fc.constantFrom(...campaigns),
    })
    .map(({ day, ms, person, referrer, ...visitor }) => ({
      at: iso(start + day * dayMs + ms),
      /** Undefined for a visitor who is not distinguished. */
      person: person === 0 ? undefined : `person${person}`,
      visitor: { ...visitor, referrer: referrerOf(referrer) },
    })),
  { maxLength: 60 },
);

const zones = ['Pacific/Apia', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Europe/Berlin'];

/** A request for statistics, as `query`, and what it means. */
export const statsRequests = fc
  .record({
    first: fc.oneof(
      fc.nat(days * 86_400 - 1),
      fc.nat(days - 1).map((day) => day * 86_400),
    ),
    length: fc.oneof(fc.integer({ min: 1, max: days * 86_400 }), fc.constant(2 * days * 86_400)),
    timezone: fc.option(fc.oneof(fc.constantFrom(...zones), fc.constantFrom(...Intl.supportedValuesOf('timeZone'))), {
      nil: undefined,
    }),
    interval: fc.option(fc.constantFrom('hour', 'day', 'week', 'month'), { nil: undefined }),
    groupBy: fc.oneof(fc.constant([]), fc.shuffledSubarray([...rowDimensions])),
    groupLimit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  })
  .filter(({ interval, length }) => interval !== 'hour' || length <= 399 * 3_600)
  .map(({ first, length, timezone, interval, groupBy, groupLimit }) => {
    const from = start + first * 1_000;
    const to = from + length * 1_000;
    const query = {
      from: iso(from),
      to: iso(to),
      ...(timezone && { timezone }),
      ...(interval && { interval }),
      ...(groupBy.length > 0 && { groupBy: groupBy.join() }),
      ...(groupLimit && { groupLimit: String(groupLimit) }),
    };
    return { query, from, to, groupBy, groupLimit: groupLimit ?? 20 };
  });

type Filter = Readonly<Partial<Record<RowDimension, readonly string[]>>>;

/** Filters by values that `visits` have, and by others. */
export const filters: fc.Arbitrary<Filter> = fc.record(
  {
    country: fc.subarray(['DE', 'FR', 'AT', 'unknown'], { minLength: 1 }),
    device: fc.constantFrom(['mobile'], ['desktop'], ['desktop', 'unknown']),
    referrer: fc.uniqueArray(fc.nat(30).map(referrerOf), { minLength: 1, maxLength: 20 }),
    utmCampaign: fc.subarray(campaigns, { minLength: 1 }),
    os: fc.constant(['unknown', 'ios']),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** A filter as a query has it. */
export const queryOf = (filter: Filter): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter).map(([dimension, values]) => [
      dimension,
      values.map((value) => value.replaceAll(/[\\,]/g, '\\$&')).join(),
    ]),
  );

/** The clicks that pass a filter. */
export const passing = <C extends Click>(clicks: readonly C[], filter: Filter): C[] =>
  clicks.filter((click) => rowDimensions.every((dimension) => filter[dimension]?.includes(click[dimension]) !== false));

/** A click, and whether it is unique. */
export type Known = Click & { readonly isUnique: boolean };

type Range = { readonly from: number; readonly to: number };

/** The clicks of a range, by their seconds. */
export const within = <C extends Click>(clicks: readonly C[], { from, to }: Range): C[] =>
  clicks.filter(({ at }) => secondOf(at) >= from && secondOf(at) < to);
const secondOf = (at: string): number => 1_000 * Math.floor(Date.parse(at) / 1_000);

/** The clicks and unique clicks of some. */
export const countsOf = (clicks: readonly Known[]) => ({
  clicks: clicks.length,
  uniqueClicks: clicks.filter(({ isUnique }) => isUnique).length,
});

type Counts = ReturnType<typeof countsOf>;
type Answer = {
  readonly status: number;
  readonly body: {
    readonly from: string;
    readonly to: string;
    readonly total: number;
    readonly uniqueClicks: number;
    readonly series: readonly (Counts & { readonly start: string })[];
    readonly groups: Readonly<Record<string, readonly (Counts & { readonly value: string })[]>>;
    readonly rest: Readonly<Record<string, Counts & { readonly values: number }>>;
  };
};

const sum = (some: readonly Counts[]): Counts => ({
  clicks: some.reduce((all, { clicks }) => all + clicks, 0),
  uniqueClicks: some.reduce((all, { uniqueClicks }) => all + uniqueClicks, 0),
});

/** Expects that statistics have the exact numbers of all clicks, and that all sums agree. */
export function expectStatistics(
  { status, body }: Answer,
  clicks: readonly Known[],
  {
    from,
    to,
    groupBy = [],
    groupLimit = 20,
  }: Range & { readonly groupBy?: readonly RowDimension[]; readonly groupLimit?: number },
): void {
  expect(status).toBe(200);
  expect([body.from, body.to]).toEqual([iso(from), iso(to)]);
  const counted = within(clicks, { from, to });
  const total = countsOf(counted);
  expect({ clicks: body.total, uniqueClicks: body.uniqueClicks }).toEqual(total);
  const starts = body.series.map((point) => Date.parse(point.start));
  expect(starts[0]).toBe(from);
  expect(starts.toSorted((a, b) => a - b)).toEqual(starts);
  expect(body.series).toEqual(
    starts.map((point, index) => ({
      start: iso(point),
      ...countsOf(within(counted, { from: point, to: starts[index + 1] ?? to })),
    })),
  );
  expect(sum(body.series)).toEqual(total);
  expect(Object.keys(body.groups)).toEqual(groupBy);
  expect(Object.keys(body.rest)).toEqual(groupBy);
  for (const dimension of groupBy) {
    const values = [...Map.groupBy(counted, (click) => click[dimension])]
      .map(([value, some]) => ({ value, ...countsOf(some) }))
      .sort((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1));
    expect(body.groups[dimension]).toEqual(values.slice(0, groupLimit));
    const left = values.slice(groupLimit);
    expect(body.rest[dimension]).toEqual({ values: left.length, ...sum(left) });
    expect(sum([...(body.groups[dimension] ?? []), ...(body.rest[dimension] ? [body.rest[dimension]] : [])])).toEqual(total);
  }
}
