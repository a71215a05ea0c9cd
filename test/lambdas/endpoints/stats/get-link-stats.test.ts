import fc from 'fast-check';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Dimension, dimensions } from '../../../../lambdas/core/click/click.ts';
import { dayMs, dayOfTime, other } from '../../../../lambdas/core/click/day.ts';
import { dayKey } from '../../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';
import { unknownLink } from '../../../support/things/links.ts';
import { expectStatistics, statsRequests, visits } from '../../../support/things/statistics.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => vi.restoreAllMocks());

type Query = Readonly<Record<string, string>>;

async function arrange() {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = found;
  const stats = (query: Query = {}) => callEndpoint('get-link-stats', { workspaceId, id: link.id, query });
  return { workspace, workspaceId, link, stats };
}

test("Whatever is clicked, in every time zone and range, the statistics agree with the clicks to the last one, and don't count those of other links.", async () => {
  await fc.assert(
    fc.asyncProperty(
      visits,
      fc.array(statsRequests(dimensions), { minLength: 5, maxLength: 8 }),
      fc.nat(120),
      async (visited, requests, cut) => {
        const { workspace, link, stats } = await arrange();
        const [beside] = await store.newLinks(workspace, 1);
        const clicks = visited.map(({ at, visitor }) => clickOf(link, at, visitor));
        // A late part comes by another shard, beside clicks of another link.
        await countClicks(clicks.slice(cut));
        await countClicks([
          ...clicks.slice(0, cut),
          ...(beside ? clicks.slice(0, 5).map(({ at }) => clickOf(beside.link, at)) : []),
        ]);
        for (const { query, ...request } of requests) {
          expectStatistics(await stats(query), clicks, request);
        }
      },
    ),
    { numRuns: runs(3) },
  );
});

test('A flood of referrers ends in `other`, which is last, and all values add up to the total.', async () => {
  const { link, stats } = await arrange();
  const flood = Array.from({ length: 200 }, (_, index) =>
    clickOf(link, '2030-01-02T03:04Z', { referrer: `${index}.example.com` }),
  );
  await countClicks([...flood, clickOf(link, '2030-01-02T03:05Z', { referrer: '0.example.com' })]);
  const query = { from: '2030-01-02T00:00Z', to: '2030-01-03T00:00Z', groupBy: 'referrer' };
  const { referrer } = (await stats(query)).body.groups;
  expect(referrer[0]).toEqual({ value: '0.example.com', clicks: 2 });
  expect(referrer.length).toBeGreaterThan(10);
  expect(referrer.at(-1).value).toBe(other);
  expect(referrer.reduce((sum: number, { clicks }: { clicks: number }) => sum + clicks, 0)).toBe(201);
});

test('Thirty days cost at most 11 read units, even if every day has each quarter, all names that fit, and checkpoints of 12 shards.', async () => {
  const { link, stats } = await arrange();
  const day = Date.parse('2030-01-01');
  const flood = Array.from({ length: 1_200 }, (_, index) => {
    const value = (dimension: Dimension) => (dimension === 'referrer' ? `${index}.example.com` : `${dimension[0]}${index}`);
    const known = Object.fromEntries(dimensions.map((dimension) => [dimension, value(dimension)]));
    return clickOf(link, day + (index * dayMs) / 1_200, index % 100 === 0 ? {} : known);
  });
  const shards = Array.from({ length: 12 }, (_, shard) => flood.filter((_, index) => index % 12 === shard));
  for (const clicks of shards) await countClicks(clicks);
  const item = await store.getItem(dayKey(link.id, '2030-01-01'));
  const isCheckpoint = (value: unknown) => value instanceof Uint8Array;
  expect(Object.values(item ?? {}).filter(isCheckpoint)).toHaveLength(12);
  // As if there had been a million clicks in each quarter.
  const counts = Object.keys(item ?? {}).filter((name) => /^(total|q\d+|\w:.+)$/.test(name));
  expect(counts.length).toBeGreaterThan(96 + 80);
  const full = { ...item, ...Object.fromEntries(counts.map((name) => [name, 999_999])) };
  const keys = Array.from({ length: 30 }, (_, index) => dayKey(link.id, dayOfTime(new Date(day + index * dayMs).toISOString())));
  await store.insertItems(keys.slice(1, 16).map((key) => ({ ...full, ...key })));
  await store.insertItems(keys.slice(16).map((key) => ({ ...full, ...key })));
  await store.putItem({ ...full, ...dayKey(link.id, '2030-01-01') });
  const query = { from: '2030-01-01T00:00Z', to: '2030-01-31T00:00Z', groupBy: dimensions.join() };
  const { result, units } = await underFaults(
    () => undefined,
    () => stats(query),
  );
  expect([result.status, result.body.total]).toEqual([200, 30 * 96 * 999_999]);
  expect(units.write).toBe(0);
  expect(units.read).toBeGreaterThan(8);
  expect(units.read).toBeLessThanOrEqual(11);
});

test('A link without clicks has a series of zeros, without gaps.', async () => {
  const { stats } = await arrange();
  const { status, body } = await stats({ from: '2030-01-01T00:00Z', to: '2030-01-04T00:00Z', interval: 'day', groupBy: 'os' });
  expect(status).toBe(200);
  expect(body).toEqual({
    total: 0,
    readAt: expect.stringMatching(/Z$/),
    series: ['01', '02', '03'].map((day) => ({ start: `2030-01-${day}T00:00:00.000Z`, clicks: 0 })),
    groupsFrom: '2030-01-01T00:00:00.000Z',
    groupsTo: '2030-01-04T00:00:00.000Z',
    groups: { os: [] },
  });
});

test.for<[string, Query, string, string, number]>([
  ['30 days in UTC with the present quarter of an hour', {}, '2030-03-02T00:00', '2030-03-31T00:00', 30],
  ['30 days in the time zone', { timezone: 'Europe/Berlin' }, '2030-03-01T23:00', '2030-03-30T23:00', 30],
  ['the same with dimensions', { timezone: 'Europe/Berlin', groupBy: 'os' }, '2030-03-01T23:00', '2030-03-30T23:00', 30],
  ['30 days before the end', { to: '2030-03-03T00:00Z' }, '2030-02-01T00:00', '2030-03-02T00:00', 30],
  ['hours for up to 4 days', { from: '2030-03-28T00:00Z', to: '2030-04-01T00:00Z' }, '2030-03-28T00:00', '2030-03-31T23:00', 96],
  ['days for up to 100', { from: '2030-03-31T00:00Z', to: '2030-07-09T00:00Z' }, '2030-03-31T00:00', '2030-07-08T00:00', 100],
  ['weeks for up to 370', { from: '2030-01-01T00:00Z', to: '2031-01-01T00:00Z' }, '2030-01-01T00:00', '2030-12-30T00:00', 53],
  ['months for more', { from: '2030-01-15T00:00Z', to: '2032-01-15T00:00Z' }, '2030-01-15T00:00', '2032-01-01T00:00', 25],
])('The defaults are %s.', async ([, query, first, last, points]) => {
  const { link, stats } = await arrange();
  await countClicks([clickOf(link, '2030-03-31T10:16Z'), clickOf(link, '2030-03-31T10:31Z')]);
  const now = Date.parse('2030-03-31T10:20:30.456Z');
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  const { body } = await stats(query);
  expect([body.series[0].start, body.series.at(-1).start, body.series.length]).toEqual([
    `${first}:00.000Z`,
    `${last}:00.000Z`,
    points,
  ]);
  expect(body.readAt).toBe('2030-03-31T10:20:30.456Z');
  // A click that seems to come from the future is in no range that ends now.
  if (Object.keys(query).length === 0) expect(body.total).toBe(1);
});

test("An unknown link, another workspace's, a deleted one and a malformed id are all not found.", async () => {
  const [own, foreign, gone] = [await arrange(), await arrange(), await arrange()];
  await callEndpoint('delete-link', { workspaceId: gone.workspaceId, id: gone.link.id });
  const workspaceIds = [own.workspaceId, own.workspaceId, own.workspaceId, gone.workspaceId];
  const answers = await Promise.all(
    [unknownLink, foreign.link.id, 'nonsense', gone.link.id].map((id, index) =>
      callEndpoint('get-link-stats', { workspaceId: workspaceIds[index] ?? '', id }),
    ),
  );
  for (const answer of answers) {
    expectProblem(answer, 404, 'not_found');
    expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' });
  }
});

test('Dimensions that are named twice are returned once, in the order in which they are named.', async () => {
  const { stats } = await arrange();
  const { body } = await stats({ groupBy: 'os,country,os' satisfies `${Dimension},${Dimension},${Dimension}` });
  expect(Object.keys(body.groups)).toEqual(['os', 'country']);
});
