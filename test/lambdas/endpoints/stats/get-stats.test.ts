import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { dimensions } from '../../../../lambdas/core/click/click.ts';
import { inParallel } from '../../../../lambdas/runtime/in-parallel.ts';
import { workspaceDayPart } from '../../../../lambdas/store/clicks/days.ts';
import { markName } from '../../../../lambdas/store/clicks/marks.ts';
import { workspaceDayKey } from '../../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';
import { expectStatistics, statsRequests, visits } from '../../../support/things/statistics.ts';
import { countUniques, seeVisitors } from '../../../support/things/unique.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

async function arrange(count: number) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const links = (await store.newLinks(workspace, count)).map(({ link }) => link);
  const stats = (query: Readonly<Record<string, string>>) => callEndpoint('get-stats', { workspaceId, query });
  return { workspaceId, links, stats };
}

const range = { from: '2030-01-01T00:00Z', to: '2030-01-03T00:00Z' };

test("Whatever links are clicked, by however many shards, the workspace's statistics agree with the clicks to the last one.", async () => {
  await fc.assert(
    fc.asyncProperty(
      visits,
      fc.array(statsRequests(['country', 'device', 'source']), { minLength: 4, maxLength: 6 }),
      fc.integer({ min: 1, max: 6 }),
      async (visited, requests, shards) => {
        const [own, foreign] = [await arrange(3), await arrange(1)];
        const clicks = visited.flatMap(({ at, visitor }, index) => {
          const link = own.links[index % 3];
          return link ? [clickOf(link, at, visitor)] : [];
        });
        for (let shard = 0; shard < shards; shard++) await countClicks(clicks.filter((_, index) => index % shards === shard));
        const [link] = foreign.links;
        if (link) await countClicks(visited.slice(0, 5).map(({ at }) => clickOf(link, at)));
        for (const { query, ...request } of requests) expectStatistics(await own.stats(query), clicks, request);
      },
    ),
    { numRuns: runs(2) },
  );
});

test('Clicks that come by any of 64 shards are counted, each once, in all parts of a day.', async () => {
  const { links, stats } = await arrange(1);
  const [link] = links;
  if (!link) throw new Error('no link');
  const shards = Array.from({ length: 64 }, (_, shard) => `shardId-${shard}`);
  const parts = new Set(shards.map((shardId) => workspaceDayPart(markName(shardId))));
  expect(parts.size).toBe(8);
  await inParallel(shards, 8, (shardId) => countClicks([clickOf(link, '2030-01-02T03:04Z', { country: 'DE' })], shardId));
  const { body } = await stats({ ...range, groupBy: 'country' });
  expect([body.total, body.groups.country]).toEqual([64, [{ value: 'DE', clicks: 64 }]]);
});

test('Clicks of a deleted link, and erased clicks, stay in the statistics of the workspace.', async () => {
  const { workspaceId, links, stats } = await arrange(3);
  await countClicks(links.map((link) => clickOf(link, '2030-01-02T03:04Z', { country: 'DE' })));
  await callEndpoint('delete-link', { workspaceId, id: links[0]?.id ?? '' });
  await callEndpoint('delete-clicks', { workspaceId, id: links[1]?.id ?? '' });
  const { body } = await stats({ ...range, groupBy: 'country' });
  expect([body.total, body.groups.country]).toEqual([3, [{ value: 'DE', clicks: 3 }]]);
});

describe('of a domain', () => {
  const at = '2030-01-02T03:04Z';

  /** A workspace with a second domain, and a clicked link on each. */
  async function twoDomains() {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const second = await store.addDomain(workspaceId, `second.${workspace.domain.host}`, 'ACTIVE');
    if (!second || !('domainId' in second)) throw new Error('no second domain');
    const links = [];
    for (const domain of [workspace.domain, second]) {
      links.push((await store.createLink(domain, { url: 'https://example.org/' }, store.newLease())).link);
    }
    await countClicks(links.flatMap((link, index) => Array.from({ length: index + 1 }, () => clickOf(link, at, { os: 'ios' }))));
    const stats = (query: Readonly<Record<string, string | undefined>>) =>
      callEndpoint('get-stats', { workspaceId, query: { ...range, ...query } });
    return { workspaceId, links, hosts: [workspace.domain.host, second.host], stats };
  }

  test('Each domain of a workspace has its own clicks, in all dimensions.', async () => {
    const { hosts, stats } = await twoDomains();
    for (const [index, domain] of hosts.entries()) {
      const { status, body } = await stats({ domain, groupBy: dimensions.join() });
      expect([status, body.total, body.groups.os]).toEqual([200, index + 1, [{ value: 'ios', clicks: index + 1 }]]);
      expect(Object.keys(body.groups)).toEqual([...dimensions]);
    }
  });

  test('A deleted domain keeps its clicks, whatever the range is, and another workspace does not see them.', async () => {
    const { workspaceId, links, hosts, stats } = await twoDomains();
    const [, domain = ''] = hosts;
    await callEndpoint('delete-link', { workspaceId, id: links[1]?.id ?? '' });
    await callEndpoint('delete-domain', { workspaceId, domain });
    expect(await store.getDomain(domain)).toBeUndefined();
    expect((await stats({ domain })).body.total).toBe(2);
    expect((await stats({ domain, from: '2031-01-01T00:00Z', to: '2031-01-02T00:00Z' })).body.total).toBe(0);
    const other = await store.newWorkspace();
    expect((await callEndpoint('get-stats', { workspaceId: other.workspaceId, query: { domain } })).status).toBe(404);
  });

  test("A domain that isn't the workspace's, and has no days there, is 404, which names the parameter, also with tags.", async () => {
    const { workspaceId, stats } = await twoDomains();
    const foreign = await twoDomains();
    const { id } = await store.createTag(workspaceId, { name: 'Sale', color: '#123456' });
    for (const domain of [foreign.hosts[0] ?? '', 'nobody.example.com']) {
      for (const more of [{}, { tagIds: id }] as const) {
        const response = await stats({ domain, ...more });
        expectProblem(response, 404, 'not_found');
        expect(response.body.errors).toEqual([
          {
            path: '',
            code: 'not_found',
            message: expect.stringMatching(/^the query parameter "domain" must be a domain of the/),
          },
        ]);
      }
    }
  });

  test('A domain without clicks has zeros.', async () => {
    const { stats } = await twoDomains();
    const { workspaceId, domain } = await store.newWorkspace();
    expect((await stats({ domain: domain.host })).status).toBe(404);
    const { status, body } = await callEndpoint('get-stats', { workspaceId, query: { ...range, domain: domain.host } });
    expect([status, body.total]).toEqual([200, 0]);
  });

  test('Two years of one domain, among 100 that were clicked each day, take 9 calls, and at most 12.', async () => {
    const { workspaceId, domain } = await store.newWorkspace();
    const first = Date.UTC(2028, 0, 1);
    const days = Array.from({ length: 731 }, (_, day) => new Date(first + day * 86_400_000).toISOString().slice(0, 10));
    const quarters = Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [`q${4 * hour}`, 10]));
    const referrers = Object.fromEntries(Array.from({ length: 12 }, (_, number) => [`r:news${number}.example.com`, 20]));
    const values = { 'c:DE': 240, 'd:mobile': 240, 'b:chrome': 240, 'o:android': 240, 's:link': 240, 'l:de': 240, 'v:none': 240 };
    const day = { total: 240, unique: 200, ...quarters, ...values, ...referrers };
    const others = Array.from({ length: 99 }, (_, number) => `go${number}.${domain.host}`);
    const items = [
      ...days.flatMap((name) => Array.from({ length: 8 }, (_, part) => workspaceDayKey(workspaceId, part, name, domain.host))),
      ...others.flatMap((host) =>
        Array.from({ length: 8 }, (_, part) => workspaceDayKey(workspaceId, part, days[0] ?? '', host)),
      ),
    ];
    await inParallel(items, 25, (key) => store.putItem({ ...key, ...day }));
    const query = { domain: domain.host, from: `${days[0]}T00:00Z`, to: '2030-01-01T00:00Z', groupBy: 'referrer,os' };
    const { result, commands } = await underFaults(
      () => undefined,
      () => callEndpoint('get-stats', { workspaceId, query }),
    );
    expect([result.status, result.body.total]).toEqual([200, 731 * 8 * 240]);
    expect(commands.length).toBeLessThanOrEqual(12);
    expect(commands.toSorted()).toEqual(['GetItem', ...Array(8).fill('Query')]);
  });
});

describe('unique clicks', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  const uniquesIn = ({ body }: Awaited<ReturnType<typeof callEndpoint>>) => [
    body.uniqueClicks,
    ...body.series.map((point: { uniqueClicks: number | null }) => point.uniqueClicks),
  ];

  test('They are unknown if the stage does not count them, unless a day of the range has some from before.', async () => {
    const { links, stats } = await arrange(1);
    const [link] = links;
    if (!link) throw new Error('no link');
    const ask = () => stats({ ...range, interval: 'day' });
    await countClicks([clickOf(link, '2030-01-02T03:04Z')]);
    expect(uniquesIn(await ask())).toEqual([null, null, null]);
    countUniques();
    expect(uniquesIn(await ask())).toEqual([0, 0, 0]);
    await seeVisitors([{ link, at: '2030-01-02T03:04:00.000Z', visitor: 'a'.repeat(22) }]);
    expect(uniquesIn(await ask())).toEqual([1, 0, 1]);
    vi.unstubAllEnvs();
    expect(uniquesIn(await ask())).toEqual([1, 0, 1]);
    expect(uniquesIn(await stats({ from: '2030-01-01T00:00Z', to: '2030-01-02T00:00Z', interval: 'day' }))).toEqual([null, null]);
    expect(uniquesIn(await stats({ ...range, interval: 'hour' })).slice(0, 3)).toEqual([1, null, null]);
  });
});

test('A workspace without clicks has a series of zeros.', async () => {
  const { stats } = await arrange(0);
  const { status, body } = await stats({ ...range, interval: 'day', groupBy: 'source,country' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 0, groups: { source: [], country: [] } });
  expect(body.series.map(({ clicks }: { clicks: number }) => clicks)).toEqual([0, 0]);
});
