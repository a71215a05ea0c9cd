import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { inParallel } from '../../../../lambdas/runtime/in-parallel.ts';
import { workspaceDayPart } from '../../../../lambdas/store/clicks/days.ts';
import { markName } from '../../../../lambdas/store/clicks/marks.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';
import { expectStatistics, statsRequests, visits } from '../../../support/things/statistics.ts';

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

test('A workspace without clicks has a series of zeros.', async () => {
  const { stats } = await arrange(0);
  const { status, body } = await stats({ ...range, interval: 'day', groupBy: 'source,country' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 0, groups: { source: [], country: [] } });
  expect(body.series.map(({ clicks }: { clicks: number }) => clicks)).toEqual([0, 0]);
});
