import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { RequestError } from '../../../../lambdas/core/errors.ts';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import type { LinkChanges } from '../../../../lambdas/store/links/changes.ts';
import { capKey } from '../../../../lambdas/store/table/keys.ts';
import { type Fault, ifPossible, underFaults } from '../../../support/faults/faults.ts';
import { lostAnswer } from '../../../support/faults/lost-answer.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { countClicks } from '../../../support/things/counting.ts';
import { placed } from '../../../support/things/placed-click.ts';

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

/** Claims a visit, and returns the claim's number; undefined if the cap is used up. */
const claim = async (link: Link) => {
  const { isClaimed, cap } = await store.claimVisit(link);
  return isClaimed ? cap.used + 1 : undefined;
};
const claimMany = async (link: Link, count: number) => {
  const numbers = await Promise.all(Array.from({ length: count }, () => claim(link)));
  return numbers.filter((number) => number !== undefined).sort((a, b) => a - b);
};
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('Whatever responses are lost, each claim belongs to one visit, and no claim exceeds the cap.', async () => {
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
            () => claim(link),
          ),
        ),
      );
      const numbers = results.flatMap(({ result }) => result ?? []).sort((a, b) => a - b);
      // Each fault ends before the retries do, so no visit is refused while one is left, and no claim is lost.
      expect(numbers).toEqual(upTo(Math.min(cap, faults.length)));
      expect(await store.usedOf(link)).toBe(numbers.length);
    }),
    { numRuns: runs(4) },
  );
});

test('A visit whose responses are all lost makes at most one claim.', async () => {
  const link = await newLink({ maxClicks: 10 });
  const lost = underFaults(
    () => 'lost-after',
    () => claim(link),
  );
  // The first retry finds the claim, but its response is also lost.
  expect(await lost.then(({ result }) => result).catch((error) => error)).toSatisfy(
    (end) => end === 1 || end instanceof RequestError,
  );
  expect(await store.usedOf(link)).toBe(1);
});

describe('A claim whose response was lost', () => {
  test.for([
    { others: 0, number: 1, used: 1 },
    { others: 19, number: 1, used: 20 },
    // The 20th other visit has pushed it out, so the retry makes another claim.
    { others: 20, number: 22, used: 22 },
  ])('After $others other claims, the visit has claim $number, and $used are used.', async ({ others, number, used }) => {
    const link = await newLink({ maxClicks: 100 });
    const work = () => claim(link);
    expect(await lostAnswer('done', { other: () => claimMany(link, others), work })).toBe(number);
    expect(await store.usedOf(link)).toBe(used);
  });

  test('If it was the last claim, the retry gets it, although the cap is used up.', async () => {
    const link = await newLink({ maxClicks: 1 });
    expect(await lostAnswer('done', { other: async () => {}, work: () => claim(link) })).toBe(1);
  });

  test.for([
    { others: 0, used: 1 },
    { others: 19, used: 20 },
    { others: 20, used: 22 },
  ])(
    'If it arrives after the retry and $others other claims, $used are used, and no other visit has its number.',
    async ({ others, used }) => {
      const link = await newLink({ maxClicks: 100 });
      let numbers: number[] = [];
      const other = async () => {
        numbers = await claimMany(link, others);
      };
      const own = await lostAnswer('done late', { other, work: () => claim(link) });
      expect([own, ...numbers]).toEqual(upTo(others + 1));
      expect(await store.usedOf(link)).toBe(used);
      expect(await claim(link)).toBe(used + 1);
    },
  );

  /** Removes the cap, and sets another one. */
  const reset = async (link: Link) => {
    await change(link, { maxClicks: null });
    await change(link, { maxClicks: 8 });
  };

  test('If it arrives after the cap was removed and set again, nothing is used.', async () => {
    const link = await newLink({ maxClicks: 5 });
    expect(await lostAnswer('done late', { other: () => reset(link), work: () => claim(link) })).toBe(1);
    expect(await store.usedOf(link)).toBe(1);
  });

  test('If the cap is removed and set again before the retry, the claim is lost, and stays used.', async () => {
    const link = await newLink({ maxClicks: 5 });
    expect(await lostAnswer('done', { other: () => reset(link), work: () => claim(link) })).toBeUndefined();
    expect(await store.usedOf(link)).toBe(1);
  });

  test('If it arrives after the link was deleted, no item of the cap is left.', async () => {
    const link = await newLink({ maxClicks: 5 });
    const other = async () => store.deleteLink(await found(link));
    expect(await lostAnswer('done late', { other, work: () => claim(link) })).toBe(1);
    expect(await store.getItem(capKey(link.id))).toBeUndefined();
    expect(await store.claimVisit(link)).toEqual({ isClaimed: false, cap: undefined });
    expect(await store.getItem(capKey(link.id))).toBeUndefined();
  });
});

test('A claim is made only of the cap that the link had when it was read, even if another one is not used up.', async () => {
  const link = await newLink({ maxClicks: 5 });
  await claim(link);
  await change(link, { maxClicks: null });
  const again = await change(link, { maxClicks: 9 });
  expect(await store.claimVisit(link)).toEqual({
    isClaimed: false,
    cap: { linkId: link.id, generation: again.capGeneration, used: 1 },
  });
  expect(await claim(again)).toBe(2);
});

test('A claim takes one write unit, however many were made before, and however often the link had a cap.', async () => {
  const link = await newLink({ maxClicks: 5 });
  const largest = { ...link, capGeneration: 2 ** 53 - 1, maxClicks: 2 ** 53 - 1 };
  await claimMany(link, 5);
  const item = {
    ...capKey(link.id),
    ...(await store.getItem(capKey(link.id))),
    generation: largest.capGeneration,
    used: 2 ** 53 - 50,
  };
  await store.putItem(item);
  await claimMany(largest, 20);
  const { units } = await underFaults(
    () => undefined,
    () => claim(largest),
  );
  expect(units).toEqual({ read: 0, write: 1 });
});

describe('The cap of a link', () => {
  /** Events of a link: visits, counted at once or later, and changes of its cap by each kind of request. */
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

  test('A new cap starts at the used visits of earlier caps or at the counted clicks, whichever is larger.', async () => {
    const tags = await Promise.all(
      ['One', 'Two'].map((name) => store.createTag(workspace.workspaceId, { name: `${name} ${Date.now()}`, color: '#123456' })),
    );
    const first = fc.option(fc.integer({ min: 1, max: 12 }));
    await fc.assert(
      fc.asyncProperty(first, fc.array(step, { minLength: 3, maxLength: 12 }), async (cap, steps) => {
        const settings = { url: 'https://example.org/', maxClicks: cap };
        const { link } = await store.createLink(workspace.domain, settings, store.newLease());
        const model = { cap, used: 0, clicks: 0, counted: 0 };
        let round = 0;
        for (const one of steps) {
          if (one.kind === 'visits') {
            const left = model.cap === null ? one.count : Math.max(0, Math.min(one.count, model.cap - model.used));
            if (model.cap !== null) {
              const { link: current } = await found(link);
              expect(await claimMany(current, one.count)).toEqual(upTo(left).map((number) => model.used + number));
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
            const tagIds = way.endsWith('with tags') ? [tags[round++ % 2]?.id ?? ''] : undefined;
            const changes = { maxClicks, ...(tagIds && { tagIds }) };
            const now = await found(link);
            if (way.startsWith('bulk')) {
              const updates = [{ found: now, changes }];
              expect(await store.updateLinks(link.workspaceId, updates, tagIds && { tagIds, tagPaths: [] })).toEqual([undefined]);
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
    expect(await claimMany(link, 20)).toHaveLength(5);
    await change(link, { maxClicks: null });
    expect(await claimMany(await change(link, { maxClicks: 10 }), 20)).toHaveLength(5);
  });

  test('A cap that somebody else removes at the same time starts anew, including the clicks counted meanwhile.', async () => {
    const link = await newLink({ maxClicks: 5 });
    const asRead = await found(link);
    await change(link, { maxClicks: null });
    await countClicks(link.id, 'shard', [placed(1), placed(2), placed(3)]);
    const changed = await store.updateLink(asRead, { maxClicks: 10 });
    expect(changed.link).toMatchObject({ maxClicks: 10, capGeneration: 2 });
    expect(await store.usedOf(link)).toBe(3);
  });

  test('A new cap counts a late claim of the former cap.', async () => {
    const link = await newLink({ maxClicks: 5 });
    const without = { link: await change(link, { maxClicks: null }), clickCount: 0 };
    const { overtaken } = await import('../../../support/faults/overtaken.ts');
    await overtaken(
      () => claim(link),
      () => store.updateLink(without, { maxClicks: 3 }),
    );
    expect(await store.getCap(link)).toEqual({ linkId: link.id, generation: 2, used: 1 });
  });

  test('A link that gets a cap while it is deleted leaves no items.', async () => {
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
