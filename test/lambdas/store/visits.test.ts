import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { newClick } from '../../../lambdas/domain/click.ts';
import { RequestError } from '../../../lambdas/domain/errors.ts';
import type { Link } from '../../../lambdas/domain/link.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { type Fault, underFaults } from '../../support/faults/faults.ts';
import { placed } from '../../support/placed-click.ts';
import { runs } from '../../support/proof.ts';
import { clicksIn, type Store, useStore } from '../../support/store.ts';

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

const change = async ({ workspaceId, id }: Link, changes: LinkChanges) => {
  const found = await store.getLink(workspaceId, id);
  if (!found) throw new Error('the link is gone');
  return (await store.updateLink(found, changes)).link;
};
async function newLink(changes: LinkChanges): Promise<Link> {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  return change(found.link, changes);
}
const take = (link: Link) => store.takeClick(link, newClick(link, Date.now()));
const usedOf = async ({ workspaceId, id }: Link) => (await store.getLink(workspaceId, id))?.link.capUsed;
const clicksOf = async ({ id }: Link) => (await clicksIn(store.client)).filter(({ linkId }) => linkId === id).length;

test('Whatever responses are lost, no click beyond the cap is taken, and each click that is taken is recorded.', async () => {
  const fault = fc.constantFrom<Fault | undefined>('lost-before', 'lost-after', 'throttle', 'conflict', undefined, undefined);
  const schedule = fc.record({
    cap: fc.integer({ min: 1, max: 6 }),
    faults: fc.array(fc.array(fault, { maxLength: 4 }), { minLength: 2, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(schedule, async ({ cap, faults }) => {
      const link = await newLink({ maxClicks: cap });
      const results = await Promise.all(
        faults.map((list) =>
          underFaults(
            ({ index }) => list[index],
            () => take(link),
          ),
        ),
      );
      const taken = results.filter(({ result }) => result.taken).length;
      // Each fault ends before the retries do, so nobody is refused while a click is left.
      expect([taken, await usedOf(link), await clicksOf(link)]).toEqual(Array(3).fill(Math.min(cap, faults.length)));
    }),
    { numRuns: runs(5) },
  );
});

test('A click whose responses are all lost may be taken, but never twice.', async () => {
  const link = await newLink({ maxClicks: 10 });
  const lost = underFaults(
    () => 'lost-after',
    () => take(link),
  );
  await expect(lost).rejects.toThrow(RequestError);
  expect([await usedOf(link), await clicksOf(link)]).toEqual([1, 1]);
});

describe('A refused click', () => {
  test.for<[string, LinkChanges]>([
    ['was disabled', { isActive: false }],
    ['expired', { expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['was used up', { maxClicks: 1 }],
    ['lost its cap', { maxClicks: null }],
  ])(
    'No click is taken of a link that %s after it was read, and the result shows the link as it now is.',
    async ([, changes]) => {
      const link = await newLink({ maxClicks: 5 });
      await take(link);
      const changed = await change(link, changes);
      expect(await take(link)).toEqual({ taken: false, link: changed });
      expect(await clicksOf(link)).toBe(1);
    },
  );

  test('No click is taken of a link that expires at the very millisecond of the visit.', async () => {
    const end = Date.parse('2040-01-01T00:00:00.000Z');
    const link = await newLink({ maxClicks: 5, expiresAt: new Date(end).toISOString() });
    expect((await store.takeClick(link, newClick(link, end))).taken).toBe(false);
    expect((await store.takeClick(link, newClick(link, end - 1))).taken).toBe(true);
  });

  test('No click is taken of a link that is gone, or whose slug has a new link.', async () => {
    const link = await newLink({ maxClicks: 5 });
    const key = { pk: `LINK#${link.id.slice(4, 26)}`, sk: 'LINK' };
    const item = await store.getItem(key);
    await store.deleteItem(key);
    expect(await take(link)).toEqual({ taken: false, link: undefined });
    const successor = { ...item, ...key, id: `${link.id.slice(0, -1)}_` };
    await store.putItem(successor);
    expect(await take(link)).toMatchObject({ taken: false, link: { id: successor.id } });
    expect(await clicksOf(link)).toBe(0);
  });
});

test('Changing the cap during visits keeps what is used, and no visit exceeds the largest cap that it met.', async () => {
  const caps = fc.array(fc.constantFrom(1, 2, 5, 8, 20, null), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(caps, async (list) => {
      const link = await newLink({ maxClicks: 3 });
      const visits = Promise.all(Array.from({ length: 25 }, () => take(link)));
      for (const maxClicks of list) await change(link, { maxClicks });
      const taken = (await visits).filter((result) => result.taken).length;
      const current = (await store.getLink(link.workspaceId, link.id))?.link;
      expect(await clicksOf(link)).toBe(taken);
      expect(current?.capUsed).toBe(taken);
      expect(taken).toBeLessThanOrEqual(Math.max(3, ...list.map((cap) => cap ?? 0)));
    }),
    { numRuns: runs(3) },
  );
});

describe('The cap of a link', () => {
  /** What happens to a link: visits, counted at once or later, and changes of its cap by every kind of request. */
  const step = fc.oneof(
    { arbitrary: fc.record({ kind: fc.constant('visits' as const), count: fc.integer({ min: 1, max: 8 }) }), weight: 4 },
    { arbitrary: fc.record({ kind: fc.constant('counted' as const) }), weight: 1 },
    {
      arbitrary: fc.record({
        kind: fc.constant('cap' as const),
        maxClicks: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 2 }),
        way: fc.constantFrom('PATCH', 'If-Match', 'with tags', 'bulk', 'bulk with tags'),
      }),
      weight: 4,
    },
  );

  test('A new cap starts at what earlier caps have used or at the counted clicks, whichever is larger.', async () => {
    const { countClicks } = await import('../../../lambdas/store/clicks/counts.ts');
    const tags = await Promise.all(
      ['One', 'Two'].map((name) => store.createTag(workspace.workspaceId, { name: `${name} ${Date.now()}`, color: '#123456' })),
    );
    const first = fc.option(fc.integer({ min: 1, max: 12 }));
    await fc.assert(
      fc.asyncProperty(first, fc.array(step, { minLength: 3, maxLength: 12 }), async (cap, steps) => {
        const settings = { url: 'https://example.org/', maxClicks: cap };
        const { link } = await store.createLink(workspace.domain, settings, store.newLease());
        const found = async () => {
          const now = await store.getLink(link.workspaceId, link.id);
          if (!now) throw new Error('the link is gone');
          return now;
        };
        const model = { cap, used: 0, clicks: 0, counted: 0 };
        let turn = 0;
        for (const one of steps) {
          if (one.kind === 'visits') {
            const left = model.cap === null ? one.count : Math.max(0, Math.min(one.count, model.cap - model.used));
            if (model.cap === null) {
              // Without a cap a visit only counts as a click.
              model.clicks += one.count;
            } else {
              const { link: current } = await found();
              const visits = await Promise.all(Array.from({ length: one.count }, () => take(current)));
              expect(visits.filter(({ taken }) => taken)).toHaveLength(left);
              model.used += left;
              model.clicks += left;
            }
          } else if (one.kind === 'counted') {
            const clicks = Array.from({ length: model.clicks - model.counted }, (_, index) => placed(model.counted + index + 1));
            await countClicks(link.id, 'shard', clicks);
            model.counted = model.clicks;
          } else {
            const { maxClicks, way } = one;
            const tagIds = way.endsWith('with tags') ? [tags[turn++ % 2]?.id ?? ''] : undefined;
            const changes = { maxClicks, ...(tagIds && { tagIds }) };
            const now = await found();
            if (way.startsWith('bulk')) {
              const updates = [{ found: now, changes }];
              expect(await store.updateLinks(link.workspaceId, updates, { tagIds, tagPath: '' })).toEqual([undefined]);
            } else await store.updateLink(now, changes, { asRead: way === 'If-Match' });
            if (maxClicks !== null && model.cap === null) model.used = Math.max(model.used, model.counted);
            model.cap = maxClicks;
          }
          const { link: after, clickCount } = await found();
          expect([after.maxClicks, after.capUsed ?? 0, clickCount]).toEqual([model.cap, model.used, model.counted]);
        }
      }),
      { numRuns: runs(8) },
    );
  });

  test('A cap of 5 that is used up, removed and set again to 10 lets 5 more visits pass.', async () => {
    const link = await newLink({ maxClicks: 5 });
    const takeMany = async () => {
      const results = await Promise.all(Array.from({ length: 20 }, () => take(link)));
      return results.filter(({ taken }) => taken).length;
    };
    expect(await takeMany()).toBe(5);
    await change(link, { maxClicks: null });
    await change(link, { maxClicks: 10 });
    expect(await takeMany()).toBe(5);
  });

  test('A cap that somebody else removes at the same moment starts anew, including the clicks counted meanwhile.', async () => {
    const { countClicks } = await import('../../../lambdas/store/clicks/counts.ts');
    const link = await newLink({ maxClicks: 5 });
    const asRead = await store.getLink(link.workspaceId, link.id);
    if (!asRead) throw new Error('the link is gone');
    await change(link, { maxClicks: null });
    await countClicks(link.id, 'shard', [1, 2, 3].map(placed));
    const changed = await store.updateLink(asRead, { maxClicks: 10 });
    expect(changed.link).toMatchObject({ maxClicks: 10, capUsed: 3 });
  });
});
