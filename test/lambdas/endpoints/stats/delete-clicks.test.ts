import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import type { fakeBucket } from '../../../support/clicks/fake-bucket.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks, makeClicks, recordClicks } from '../../../support/things/clicks.ts';
import { unknownLink } from '../../../support/things/links.ts';
import { curl, visit } from '../../../support/things/visit.ts';

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let store: Store;
let erasePage: typeof import('../../../../lambdas/store/erasures/erasure.ts').erasePage;
beforeAll(async () => {
  store = await useStore();
  ({ erasePage } = await import('../../../../lambdas/store/erasures/erasure.ts'));
});

const day = '2026-01-02';
const range = { from: `${day}T00:00Z`, to: '2026-01-03T00:00Z' };

async function arrange(settings: { maxClicks?: number } = {}) {
  const workspace = await store.newWorkspace();
  const { workspaceId, domain } = workspace;
  const { link } = await store.createLink(domain, { url: 'https://example.org/', ...settings }, store.newLease());
  const { id } = link;
  const current = async (): Promise<Link> => {
    const found = await store.getLink(workspaceId, id);
    if (!found) throw new Error('the link is gone');
    return found.link;
  };
  /** The number of clicks that each of the endpoints shows. */
  const shown = async () => {
    const [fetched, stats, filtered, clicks, top] = await Promise.all([
      callEndpoint('get-link', { workspaceId, id }),
      callEndpoint('get-link-stats', { workspaceId, id, query: { ...range, groupBy: 'country' } }),
      callEndpoint('get-link-stats', { workspaceId, id, query: { ...range, country: 'DE' } }),
      callEndpoint('list-clicks', { workspaceId, id, query: { limit: '100' } }),
      callEndpoint('get-top-links', { workspaceId, query: { day } }),
    ]);
    const sum = (some: readonly { clicks: number }[]) => some.reduce((total, { clicks }) => total + clicks, 0);
    return {
      clickCount: fetched.body.link.clickCount,
      total: stats.body.total,
      series: sum(stats.body.series),
      groups: sum(stats.body.groups.country),
      filtered: filtered.body.total,
      listed: clicks.body.clicks.length,
      top: sum(top.body.links),
    };
  };
  const erase = () => callEndpoint('delete-clicks', { workspaceId, id });
  const sweep = async () => {
    while (await store.getItem({ pk: `ERASURE#${id}`, sk: 'SWEEP' })) await erasePage(id);
  };
  const some = (count: number, of: Pick<Link, 'id' | 'workspaceId' | 'domain' | 'clickEpoch'>) =>
    Array.from({ length: count }, (_, index) => clickOf(of, Date.parse(`${day}T12:00Z`) + 60_000 * index, { country: 'DE' }));
  return { workspaceId, domain, link, current, shown, erase, sweep, some };
}

const all = (count: number) => ({
  clickCount: count,
  total: count,
  series: count,
  groups: count,
  filtered: count,
  listed: count,
  top: count,
});

test('Once clicks are erased, no endpoint shows any of them, before and after they are swept; later ones count.', async () => {
  const { link, current, shown, erase, sweep, some } = await arrange();
  await makeClicks(some(9, link));
  expect(await shown()).toEqual(all(9));
  const { status, body } = await erase();
  expect([status, body]).toEqual([204, undefined]);
  expect(await shown()).toEqual(all(0));
  await makeClicks(some(4, await current()));
  expect(await shown()).toEqual(all(4));
  await sweep();
  expect(await shown()).toEqual(all(4));
});

test('Whatever the order of clicks, counting, erasures and sweeps, exactly the clicks since the last erasure are shown.', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('click' as const), count: fc.integer({ min: 1, max: 5 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('count' as const), count: fc.integer({ min: 1, max: 9 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('erase' as const, 'sweep' as const), count: fc.constant(0) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { current, shown, erase, sweep, some } = await arrange();
      let kept = 0;
      // The stream has one shard here, so clicks are counted in their order.
      const uncounted: ReturnType<typeof some> = [];
      const shard = `shardId-${Math.random()}`;
      for (const one of steps) {
        if (one.do === 'click') {
          const clicks = some(one.count, await current());
          await recordClicks(clicks);
          uncounted.push(...clicks);
          kept += one.count;
        } else if (one.do === 'count') {
          await countClicks(uncounted.splice(0, one.count), shard);
        } else if (one.do === 'erase') {
          expect((await erase()).status).toBe(204);
          kept = 0;
          const { listed } = await shown();
          expect(listed).toBe(0);
        } else await sweep();
      }
      await countClicks(uncounted, shard);
      await sweep();
      expect(await shown()).toEqual(all(kept));
    }),
    { numRuns: runs(2) },
  );
});

test('A deletion may be repeated, also many times at once.', async () => {
  const { link, current, shown, erase, sweep, some } = await arrange();
  await makeClicks(some(3, link));
  const responses = await Promise.all(Array.from({ length: 5 }, erase));
  expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204, 204]);
  expect(await shown()).toEqual(all(0));
  await sweep();
  expect((await erase()).status).toBe(204);
  await makeClicks(some(2, await current()));
  await sweep();
  expect(await shown()).toEqual(all(2));
});

test('The erased clicks of a link still count for its cap.', async () => {
  const { domain, link, shown, erase, sweep } = await arrange({ maxClicks: 3 });
  const open = async () => (await visit({ host: domain.host, path: `/${link.shortCode}`, headers: curl })).statusCode;
  expect([await open(), await open()]).toEqual([302, 302]);
  await erase();
  await sweep();
  expect(await store.usedOf(link)).toBe(2);
  expect(await shown()).toEqual(all(0));
  expect([await open(), await open()]).toEqual([302, 410]);
});

test('The link itself stays as it is, except for its clickCount and lastClickedAt.', async () => {
  const { workspaceId, link, current, erase, sweep, some } = await arrange();
  await makeClicks(some(1, link));
  const read = async () => (await callEndpoint('get-link', { workspaceId, id: link.id })).body.link;
  const before = await read();
  await erase();
  const after = { ...before, clickCount: 0, lastClickedAt: null };
  expect(await read()).toEqual(after);
  await sweep();
  expect(await read()).toEqual(after);

  const [first, second] = some(2, await current());
  const late = some(3, link).at(-1);
  if (!first || !second || !late) throw new Error('no clicks');
  await makeClicks([first, second, late]);
  expect(await read()).toEqual({ ...before, clickCount: 2, lastClickedAt: `${day}T12:01:00.000Z` });
});

test("An unknown link, another workspace's, a deleted one and a malformed id are all not found, and nothing is erased.", async () => {
  const [own, foreign, gone] = [await arrange(), await arrange(), await arrange()];
  await makeClicks(foreign.some(2, foreign.link));
  await callEndpoint('delete-link', { workspaceId: gone.workspaceId, id: gone.link.id });
  const tries = [
    [own.workspaceId, unknownLink],
    [own.workspaceId, foreign.link.id],
    [own.workspaceId, 'nonsense'],
    [gone.workspaceId, gone.link.id],
  ] as const;
  for (const [workspaceId, id] of tries) {
    expectProblem(await callEndpoint('delete-clicks', { workspaceId, id }), 404, 'not_found');
  }
  expect(await foreign.shown()).toEqual(all(2));
});

test('The request has no query parameters.', async () => {
  const { workspaceId, link } = await arrange();
  const response = await callEndpoint('delete-clicks', { workspaceId, id: link.id, query: { from: range.from } });
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ code: 'unknown_parameter', message: expect.stringContaining('"from"') }]);
});
