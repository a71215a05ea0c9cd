import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { RequestError } from '../../../../lambdas/domain/errors.ts';
import type { Link } from '../../../../lambdas/domain/link.ts';
import type { LinkChanges } from '../../../../lambdas/store/links/changes.ts';
import { capKey } from '../../../../lambdas/store/table/keys.ts';
import { type Fault, ifPossible, underFaults } from '../../../support/faults/faults.ts';
import { lostAnswer } from '../../../support/faults/lost-answer.ts';
import { placed } from '../../../support/placed-click.ts';
import { runs } from '../../../support/proof.ts';
import { type Store, useStore } from '../../../support/store.ts';

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

const found = async ({ workspaceId, id }: Link) => {
  const one = await store.getLink(workspaceId, id);
  if (!one) throw new Error('the link is gone');
  return one;
};
const change = async (link: Link, changes: LinkChanges) => (await store.updateLink(await found(link), changes)).link;
async function newLink(changes: LinkChanges): Promise<Link> {
  const [one] = await store.newLinks(workspace, 1);
  if (!one) throw new Error('no link');
  return change(one.link, changes);
}

/** Takes a turn, and returns its number; undefined if none was taken. */
const take = async (link: Link) => {
  const { isTaken, cap } = await store.takeTurn(link);
  return isTaken ? cap.used + 1 : undefined;
};
const takeMany = async (link: Link, count: number) => {
  const numbers = await Promise.all(Array.from({ length: count }, () => take(link)));
  return numbers.filter((number) => number !== undefined).sort((a, b) => a - b);
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('Whatever responses are lost, each turn is taken by one visit, and none beyond the cap.', async () => {
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
            (attempt) => ifPossible(list[attempt.index], attempt.command),
            () => take(link),
          ),
        ),
      );
      const numbers = results.flatMap(({ result }) => result ?? []).sort((a, b) => a - b);
      // Each fault ends before the retries do, so nobody is refused while a turn is left, and no turn is lost.
      expect(numbers).toEqual(upTo(Math.min(cap, faults.length)));
      expect(await store.usedOf(link)).toBe(numbers.length);
    }),
    { numRuns: runs(4) },
  );
});

test('A visit whose responses are all lost takes one turn at most.', async () => {
  const link = await newLink({ maxClicks: 10 });
  const lost = underFaults(
    () => 'lost-after',
    () => take(link),
  );
  // The first retry finds the turn, but its response is lost as well.
  expect(await lost.then(({ result }) => result).catch((error) => error)).toSatisfy(
    (end) => end === 1 || end instanceof RequestError,
  );
  expect(await store.usedOf(link)).toBe(1);
});

describe('A turn whose response was lost', () => {
  test.for([
    { others: 0, number: 1, used: 1 },
    { others: 19, number: 1, used: 20 },
    // The 20th other visit has pushed it out, so the retry takes another turn.
    { others: 20, number: 22, used: 22 },
  ])('After $others other turns, the visit has turn $number, and $used are used.', async ({ others, number, used }) => {
    const link = await newLink({ maxClicks: 100 });
    const work = () => take(link);
    expect(await lostAnswer('done', { other: () => takeMany(link, others), work })).toBe(number);
    expect(await store.usedOf(link)).toBe(used);
  });

  test('If the last turn was taken, the retry has it, although the cap is used up.', async () => {
    const link = await newLink({ maxClicks: 1 });
    expect(await lostAnswer('done', { other: async () => {}, work: () => take(link) })).toBe(1);
  });

  test.for([
    { others: 0, used: 1 },
    { others: 19, used: 20 },
    { others: 20, used: 22 },
  ])(
    'If it arrives after the retry and $others other turns, $used are used, and no other visit has its number.',
    async ({ others, used }) => {
      const link = await newLink({ maxClicks: 100 });
      let numbers: number[] = [];
      const other = async () => {
        numbers = await takeMany(link, others);
      };
      const own = await lostAnswer('done late', { other, work: () => take(link) });
      expect([own, ...numbers]).toEqual(upTo(others + 1));
      expect(await store.usedOf(link)).toBe(used);
      expect(await take(link)).toBe(used + 1);
    },
  );

  /** Removes the cap, and sets another one. */
  const reset = async (link: Link) => {
    await change(link, { maxClicks: null });
    await change(link, { maxClicks: 8 });
  };

  test('If it arrives after the cap was removed and set again, nothing is used.', async () => {
    const link = await newLink({ maxClicks: 5 });
    expect(await lostAnswer('done late', { other: () => reset(link), work: () => take(link) })).toBe(1);
    expect(await store.usedOf(link)).toBe(1);
  });

  test('If the cap is removed and set again before the retry, the turn is lost, and stays used.', async () => {
    const link = await newLink({ maxClicks: 5 });
    expect(await lostAnswer('done', { other: () => reset(link), work: () => take(link) })).toBeUndefined();
    expect(await store.usedOf(link)).toBe(1);
  });

  test('If it arrives after the link was deleted, nothing is left of the cap.', async () => {
    const link = await newLink({ maxClicks: 5 });
    const other = async () => store.deleteLink(await found(link));
    expect(await lostAnswer('done late', { other, work: () => take(link) })).toBe(1);
    expect(await store.getItem(capKey(link.id))).toBeUndefined();
    expect(await store.takeTurn(link)).toEqual({ isTaken: false, cap: undefined });
    expect(await store.getItem(capKey(link.id))).toBeUndefined();
  });
});

test('No turn is taken of another cap than the link had when it was read, even if it has turns left.', async () => {
  const link = await newLink({ maxClicks: 5 });
  await take(link);
  await change(link, { maxClicks: null });
  const again = await change(link, { maxClicks: 9 });
  expect(await store.takeTurn(link)).toEqual({ isTaken: false, cap: { linkId: link.id, epoch: again.capEpoch, used: 1 } });
  expect(await take(again)).toBe(2);
});

test('A turn takes one write unit, however many were taken before, and however often the link had a cap.', async () => {
  const link = await newLink({ maxClicks: 5 });
  const largest = { ...link, capEpoch: 2 ** 53 - 1, maxClicks: 2 ** 53 - 1 };
  await takeMany(link, 5);
  const item = { ...capKey(link.id), ...(await store.getItem(capKey(link.id))), epoch: largest.capEpoch, used: 2 ** 53 - 50 };
  await store.putItem(item);
  await takeMany(largest, 20);
  const { units } = await underFaults(
    () => undefined,
    () => take(largest),
  );
  expect(units).toEqual({ read: 0, write: 1 });
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
    const { countClicks } = await import('../../../../lambdas/store/clicks/counts.ts');
    const tags = await Promise.all(
      ['One', 'Two'].map((name) => store.createTag(workspace.workspaceId, { name: `${name} ${Date.now()}`, color: '#123456' })),
    );
    const first = fc.option(fc.integer({ min: 1, max: 12 }));
    await fc.assert(
      fc.asyncProperty(first, fc.array(step, { minLength: 3, maxLength: 12 }), async (cap, steps) => {
        const settings = { url: 'https://example.org/', maxClicks: cap };
        const { link } = await store.createLink(workspace.domain, settings, store.newLease());
        const model = { cap, used: 0, clicks: 0, counted: 0 };
        let turn = 0;
        for (const one of steps) {
          if (one.kind === 'visits') {
            const left = model.cap === null ? one.count : Math.max(0, Math.min(one.count, model.cap - model.used));
            if (model.cap !== null) {
              const { link: current } = await found(link);
              expect(await takeMany(current, one.count)).toEqual(upTo(left).map((number) => model.used + number));
              model.used += left;
            }
            // Without a cap a visit only counts as a click.
            model.clicks += left;
          } else if (one.kind === 'counted') {
            const clicks = Array.from({ length: model.clicks - model.counted }, (_, index) => placed(model.counted + index + 1));
            await countClicks(link.id, 'shard', clicks);
            model.counted = model.clicks;
          } else {
            const { maxClicks, way } = one;
            const tagIds = way.endsWith('with tags') ? [tags[turn++ % 2]?.id ?? ''] : undefined;
            const changes = { maxClicks, ...(tagIds && { tagIds }) };
            const now = await found(link);
            if (way.startsWith('bulk')) {
              const updates = [{ found: now, changes }];
              expect(await store.updateLinks(link.workspaceId, updates, { tagIds, tagPath: '' })).toEqual([undefined]);
            } else await store.updateLink(now, changes, { asRead: way === 'If-Match' });
            if (maxClicks !== null && model.cap === null) model.used = Math.max(model.used, model.counted);
            model.cap = maxClicks;
          }
          const { link: after, clickCount } = await found(link);
          expect([after.maxClicks, clickCount]).toEqual([model.cap, model.counted]);
          expect((await store.usedOf(link)) ?? 0).toBe(model.used);
        }
      }),
      { numRuns: runs(8) },
    );
  });

  test('A cap of 5 that is used up, removed and set again to 10 lets 5 more visits pass.', async () => {
    const link = await newLink({ maxClicks: 5 });
    expect(await takeMany(link, 20)).toHaveLength(5);
    await change(link, { maxClicks: null });
    expect(await takeMany(await change(link, { maxClicks: 10 }), 20)).toHaveLength(5);
  });

  test('A cap that somebody else removes at the same moment starts anew, including the clicks counted meanwhile.', async () => {
    const { countClicks } = await import('../../../../lambdas/store/clicks/counts.ts');
    const link = await newLink({ maxClicks: 5 });
    const asRead = await found(link);
    await change(link, { maxClicks: null });
    await countClicks(link.id, 'shard', [placed(1), placed(2), placed(3)]);
    const changed = await store.updateLink(asRead, { maxClicks: 10 });
    expect(changed.link).toMatchObject({ maxClicks: 10, capEpoch: 2 });
    expect(await store.usedOf(link)).toBe(3);
  });

  test('If a late turn of the cap before comes in between, a new cap counts it.', async () => {
    const link = await newLink({ maxClicks: 5 });
    const without = { link: await change(link, { maxClicks: null }), clickCount: 0 };
    const { overtaken } = await import('../../../support/faults/overtaken.ts');
    await overtaken(
      () => take(link),
      () => store.updateLink(without, { maxClicks: 3 }),
    );
    expect(await store.getCap(link)).toEqual({ linkId: link.id, epoch: 2, used: 1 });
  });

  test('A link that gets a cap while it is deleted leaves nothing behind.', async () => {
    const link = await newLink({});
    const before = await found(link);
    const { overtaken } = await import('../../../support/faults/overtaken.ts');
    await overtaken(
      () => change(link, { maxClicks: 3 }),
      () => store.deleteLink(before),
    );
    expect([await store.getLink(link.workspaceId, link.id), await store.getCap(link)]).toEqual([undefined, undefined]);
  });
});
