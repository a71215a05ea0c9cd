import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Dimension, dimensions } from '../../../../lambdas/core/click/click.ts';
import { dayMs, dayOfTime, other } from '../../../../lambdas/core/click/day.ts';
import { dayKey } from '../../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks, laterEpoch, recordClicks } from '../../../support/things/clicks.ts';
import { unknownLink } from '../../../support/things/links.ts';
import { expectStatistics, filters, passing, statsRequests, visits } from '../../../support/things/statistics.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

type Query = Readonly<Record<string, string>>;

async function arrange() {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = found;
  const stats = (query: Readonly<Record<string, string | readonly string[]>> = {}, receivedAt?: number) =>
    callEndpoint('get-link-stats', { workspaceId, id: link.id, query, ...(receivedAt !== undefined && { receivedAt }) });
  return { workspace, workspaceId, link, stats };
}

test("A range that nobody states ends at the gateway's time, whatever a function's clock says.", async () => {
  const { workspaceId, link } = await arrange();
  const receivedAt = Date.parse('2030-06-01T00:07Z');
  const endOfDay = '2030-06-02T00:00:00.000Z';
  for (const { name, to = endOfDay, ...of } of [
    { name: 'get-link-stats', id: link.id, query: {} },
    { name: 'get-link-stats', id: link.id, query: { country: 'DE' }, to: '2030-06-01T00:15:00.000Z' },
    { name: 'get-stats', query: {} },
    { name: 'get-top-links', query: { from: '2030-05-30T00:00Z' } },
  ] as const) {
    const { body } = await callEndpoint(name, { workspaceId, receivedAt, ...of });
    expect([name, body.groupsTo]).toEqual([name, to]);
  }
});

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
    uniqueClicks: null,
    readAt: expect.stringMatching(/Z$/),
    series: ['01', '02', '03'].map((day) => ({ start: `2030-01-${day}T00:00:00.000Z`, clicks: 0, uniqueClicks: null })),
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

describe('with a filter', () => {
  test('Whatever is clicked, filtered, erased and requested, the statistics agree with the clicks that pass, to the last one.', async () => {
    await fc.assert(
      fc.asyncProperty(
        visits,
        fc.array(fc.tuple(statsRequests(dimensions), filters), { minLength: 5, maxLength: 8 }),
        fc.nat(20),
        async (visited, requests, erased) => {
          const { workspaceId, workspace, link, stats } = await arrange();
          const [beside] = await store.newLinks(workspace, 1);
          await recordClicks(visited.slice(0, erased).map(({ at, visitor }) => clickOf(link, at, visitor)));
          await callEndpoint('delete-clicks', { workspaceId, id: link.id });
          const clicks = visited.map(({ at, visitor }) => clickOf({ ...link, clickEpoch: laterEpoch }, at, visitor));
          await recordClicks(clicks);
          if (beside) await recordClicks(visited.slice(0, 5).map(({ at, visitor }) => clickOf(beside.link, at, visitor)));
          for (const [{ query, ...request }, filter] of requests) {
            expectStatistics(await stats({ ...query, ...filter }), passing(clicks, filter), request, 'the range');
          }
        },
      ),
      { numRuns: runs(3) },
    );
  });

  test('The values of a dimension are all named, however many there are.', async () => {
    const { link, stats } = await arrange();
    const flood = Array.from({ length: 60 }, (_, index) =>
      clickOf(link, '2030-01-02T03:04Z', { referrer: `${index}.example.com`, device: 'mobile' }),
    );
    await recordClicks(flood);
    const range = { from: '2030-01-02T00:00Z', to: '2030-01-03T00:00Z' };
    const { body } = await stats({ ...range, device: 'mobile', groupBy: 'referrer' });
    expect([body.total, body.groups.referrer.length]).toEqual([60, 60]);
  });

  const now = Date.parse('2030-03-31T10:20:30.456Z');

  test('The default range begins as without a filter, or with the oldest records if the stage keeps them for less time.', async () => {
    const { stats } = await arrange();
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    const begin = async () => (await stats({ country: 'DE', timezone: 'Asia/Tokyo' }, now)).body.series[0].start;
    expect(await begin()).toBe('2030-03-01T15:00:00.000Z');
    vi.stubEnv('CLICK_DAYS', '7');
    expect(await begin()).toBe('2030-03-24T10:30:00.000Z');
  });

  test.for<[Readonly<Record<string, string | readonly string[]>>, string, string]>([
    [{ from: '2030-03-01T10:15Z' }, 'from', 'out_of_range'],
    [{ to: '2030-03-01T10:30Z' }, 'to', 'out_of_range'],
    [{ from: '2030-02-01T00:00Z', to: '2030-02-02T00:00Z' }, 'to', 'out_of_range'],
    [{ country: '' }, 'country', 'unknown_country'],
    [{ country: 'DE,' }, 'country', 'unknown_country'],
    [{ country: 'ZZ' }, 'country', 'unknown_country'],
    [{ country: 'Germany' }, 'country', 'unknown_country'],
    [{ country: ['DE', 'AT'] }, 'country', 'repeated_parameter'],
    [{ country: Array(51).fill('DE').join() }, 'country', 'too_many'],
    [{ referrer: 'https://example.com/' }, 'referrer', 'invalid_value'],
    [{ referrer: 'example.com,other' }, 'referrer', 'reserved'],
    [{ device: 'phone' }, 'device', 'invalid_value'],
    [{ browser: 'Chrome' }, 'browser', 'invalid_value'],
    [{ os: '__proto__' }, 'os', 'invalid_value'],
    [{ language: 'de-AT' }, 'language', 'invalid_value'],
    [{ source: 'mail' }, 'source', 'invalid_value'],
    [{ variant: 'other' }, 'variant', 'reserved'],
    [{ variant: 'A' }, 'variant', 'invalid_value'],
    [{ city: 'Berlin' }, 'city', 'unknown_parameter'],
    [{ tagIds: 'tag_0' }, 'tagIds', 'unknown_parameter'],
    [{ domain: 'go.example.com' }, 'domain', 'unknown_parameter'],
  ])('%j is refused, naming "%s" and the rule %s.', async ([query, parameter, code]) => {
    const { stats } = await arrange();
    vi.spyOn(Date, 'now').mockImplementation(() => now);
    const response = await stats({ source: 'qr', ...query }, now);
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toEqual([
      { path: '', code, message: expect.stringContaining(`the query parameter "${parameter}" `) },
    ]);
  });

  test.for<[Query, Partial<Record<Dimension, string>>]>([
    [{ country: 'de' }, { country: 'DE' }],
    [{ country: 'unknown,unknown' }, { country: 'unknown' }],
    [{ referrer: 'News.Example.com,direct' }, { referrer: 'news.example.com' }],
    [{ language: 'DE' }, { language: 'de' }],
    [{ variant: 'none' }, { variant: 'none' }],
    [
      { browser: 'firefox', os: 'linux' },
      { browser: 'firefox', os: 'linux' },
    ],
  ])('%j finds a click by a visitor with %j.', async ([query, visitor]) => {
    const { link, stats } = await arrange();
    await recordClicks([
      clickOf(link, '2030-01-02T03:04Z', visitor),
      clickOf(link, '2030-01-02T03:04Z', { country: 'FR', variant: 'b' }),
    ]);
    const { body } = await stats({ from: '2030-01-02T00:00Z', to: '2030-01-03T00:00Z', ...query });
    expect(body.total).toBe(1);
  });

  test('A range is refused if some of its records were kept for fewer days than the stage keeps them now.', async () => {
    const { link, stats } = await arrange();
    const day = dayKey(link.id, '2030-03-20');
    await store.insertItems([{ ...day, total: 1, q40: 1, kept: 10 }]);
    const range = { from: '2030-03-20T10:15Z', to: '2030-03-30T00:00Z', country: 'DE' };
    const response = await stats(range, Date.parse('2030-03-30T10:15Z'));
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toMatchObject([
      { code: 'out_of_range', message: expect.stringContaining('"from" must be later') },
    ]);
    expect((await stats(range, Date.parse('2030-03-30T10:13Z'))).status).toBe(200);
  });

  test('A range with more than 20,000 clicks is refused before any record is read, and one with as many is not.', async () => {
    const { link, stats } = await arrange();
    await store.insertItems([
      { ...dayKey(link.id, '2030-01-02'), total: 20_000, q0: 1, q1: 19_999 },
      { ...dayKey(link.id, '2030-01-03'), total: 1, q95: 1 },
    ]);
    const range = { from: '2030-01-02T00:00Z', country: 'DE' };
    const { result, commands } = await underFaults(
      () => undefined,
      () => stats({ ...range, to: '2030-01-04T00:00Z' }),
    );
    expectProblem(result, 422, 'too_much_to_read');
    expect(result.body.errors).toEqual([
      { path: '', code: 'too_much_to_read', message: 'the query parameter "from" must be closer to "to"' },
    ]);
    expect(commands).toHaveLength(2);
    expect((await stats({ ...range, to: '2030-01-03T23:45Z' })).status).toBe(200);
  });
});
