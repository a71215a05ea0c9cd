import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { newClick } from '../../../lambdas/domain/click.ts';
import { RequestError } from '../../../lambdas/domain/errors.ts';
import type { Link } from '../../../lambdas/domain/link.ts';
import type { LinkChanges } from '../../../lambdas/store/link-changes.ts';
import { type Fault, underFaults } from '../../support/faults.ts';
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

test('whatever answers are lost, clicks beyond the cap are not taken, and each that is taken is recorded', async () => {
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
            store.client,
            ({ index }) => list[index],
            () => take(link),
          ),
        ),
      );
      const taken = results.filter(({ result }) => result.taken).length;
      // Each fault passes before a call is given up: nobody is refused while there is a click to be had.
      expect([taken, await usedOf(link), await clicksOf(link)]).toEqual(Array(3).fill(Math.min(cap, faults.length)));
    }),
    { numRuns: 30 },
  );
});

test('a click whose answers are all lost may be taken, but is never taken twice', async () => {
  const link = await newLink({ maxClicks: 10 });
  const lost = underFaults(
    store.client,
    () => 'lost-after',
    () => take(link),
  );
  await expect(lost).rejects.toThrow(RequestError);
  expect([await usedOf(link), await clicksOf(link)]).toEqual([1, 1]);
});

describe('a click is not taken of a link that is', () => {
  test.for<[string, LinkChanges]>([
    ['disabled', { isActive: false }],
    ['expired', { expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['used up', { maxClicks: 1 }],
    ['not capped any more', { maxClicks: null }],
  ])('%s since it was read, which is said with the link as it is', async ([, changes]) => {
    const link = await newLink({ maxClicks: 5 });
    await take(link);
    const changed = await change(link, changes);
    expect(await take(link)).toEqual({ taken: false, link: changed });
    expect(await clicksOf(link)).toBe(1);
  });

  test('expired at the very moment of the visit, as the table of decisions has it', async () => {
    const end = Date.parse('2040-01-01T00:00:00.000Z');
    const link = await newLink({ maxClicks: 5, expiresAt: new Date(end).toISOString() });
    expect((await store.takeClick(link, newClick(link, end))).taken).toBe(false);
    expect((await store.takeClick(link, newClick(link, end - 1))).taken).toBe(true);
  });

  test('gone, or another at its address', async () => {
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

test('raising, lowering, setting and clearing the cap under visits keeps what is used, and no visit passes a cap that it met', async () => {
  const caps = fc.array(fc.constantFrom(1, 2, 5, 8, 20, null), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(caps, async (list) => {
      const link = await newLink({ maxClicks: 3 });
      const visits = Promise.all(Array.from({ length: 25 }, () => take(link)));
      for (const maxClicks of list) await change(link, { maxClicks });
      const taken = (await visits).filter((result) => result.taken).length;
      const current = (await store.getLink(link.workspaceId, link.id))?.link;
      expect(await clicksOf(link)).toBe(taken);
      // Cleared, it forgets: then the clicks before are those of the counter, which nobody keeps here.
      if (!list.includes(null)) expect(current?.capUsed).toBe(taken);
      expect(taken).toBeLessThanOrEqual(
        Math.max(3, ...list.map((cap) => cap ?? 0)) * (1 + list.filter((cap) => cap === null).length),
      );
    }),
    { numRuns: 20 },
  );
});
