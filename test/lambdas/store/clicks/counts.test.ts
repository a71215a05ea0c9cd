import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import type { CountedClick } from '../../../../lambdas/store/clicks/counts.ts';
import { markName } from '../../../../lambdas/store/clicks/marks.ts';
import { checkpointKey, countKey } from '../../../../lambdas/store/table/keys.ts';
import { type Attempt, type Fault, ifPossible, underFaults } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { befalling } from '../../../support/faults/random.ts';
import { runs, sized } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { countClicks } from '../../../support/things/counting.ts';
import { placed } from '../../../support/things/placed-click.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const newLinkId = () => `lnk_${randomBase62(28)}`;
const newShardId = () => `shardId-00000001414562045508-${randomBase62(8)}`;
const minute = 60;
const hour = 60 * minute;
const start = 1_900_000_000;

const counterOf = (linkId: string) => store.getItem(countKey(linkId));
const countOf = async (linkId: string) => Number((await counterOf(linkId))?.count ?? 0);
const marksOf = async (linkId: string) =>
  Object.entries((await counterOf(linkId)) ?? {}).flatMap(([name, value]) => (value instanceof Uint8Array ? [name] : []));
const faultless = () => undefined;

/** How long a mark is idle before it may be removed from its item. */
const idle = 10 * minute + 1;

/** Counts clicks 9 and 10 on each of these shards, so that each has a mark and a checkpoint. */
async function makeMarks(linkId: string, at = start, shards = Array.from({ length: 10 }, newShardId)) {
  for (const number of [9, 10]) {
    for (const shardId of shards) await countClicks(linkId, shardId, [placed(number, at)]);
  }
  return shards;
}

/** Makes marks for ten shards, which are removed once one more shard counts a click: 21 in all. */
async function removeMarks(linkId: string, at = start, shards = Array.from({ length: 10 }, newShardId)) {
  await makeMarks(linkId, at, shards);
  await countClicks(linkId, newShardId(), [placed(10, at + idle)]);
  return shards;
}

describe('The time of the last click', () => {
  const lastClickOf = async (linkId: string, clickEpoch = 0) => {
    const { toLastClickedAt } = await import('../../../../lambdas/store/clicks/counts.ts');
    const at = toLastClickedAt(await counterOf(linkId), { clickEpoch });
    return at === undefined ? undefined : Date.parse(at) / 1_000;
  };

  test('It is the time of the newest counted click, whatever the order of the shards, and however many count at once.', async () => {
    const click = fc.record({ shard: fc.nat(30), after: fc.nat(3 * hour) });
    const rounds = fc.array(fc.array(click, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        const linkId = newLinkId();
        const shards = Array.from({ length: 31 }, newShardId);
        expect(await lastClickOf(linkId)).toBeUndefined();
        for (const [index, round] of all.entries()) {
          const each = [...new Map(round.map((one) => [one.shard, one])).values()];
          await Promise.all(
            each.map(({ shard, after }) => countClicks(linkId, shards[shard] ?? '', [placed(index, start + after)])),
          );
          all[index] = each;
          const counted = all.slice(0, index + 1).flat();
          expect(await lastClickOf(linkId)).toBe(start + Math.max(...counted.map(({ after }) => after)));
        }
        expect(await countOf(linkId)).toBe(all.flat().length);
      }),
      { numRuns: runs(5) },
    );
  });

  test('It never moves back when another shard has moved it further since the counter was read.', async () => {
    const linkId = newLinkId();
    await countClicks(linkId, 'a', [placed(1, start)]);
    const newer = () => countClicks(linkId, 'c', [placed(1, start + 9)]);
    await overtaken(newer, () => countClicks(linkId, 'b', [placed(1, start + 5)]), { command: 'UpdateItem' });
    expect([await countOf(linkId), await lastClickOf(linkId)]).toEqual([3, start + 9]);
  });

  test('It stays when all marks are removed from the counter.', async () => {
    const { shardOf, tidy } = await import('../../../../lambdas/store/clicks/checkpoints.ts');
    const linkId = newLinkId();
    await makeMarks(linkId);
    await countClicks(linkId, newShardId(), [placed(10, start + 7)]);
    expect(await marksOf(linkId)).toHaveLength(11);
    // A batch with this old click of the link, and a new one of another link.
    await tidy(shardOf(newShardId()), [placed(11, start + 30 * hour)], [(await counterOf(linkId)) ?? {}]);
    expect(await marksOf(linkId)).toEqual([]);
    expect(await lastClickOf(linkId)).toBe(start + 7);
  });

  test('It is unknown after an erasure until the next click is counted, and late erased clicks do not set it.', async () => {
    const linkId = newLinkId();
    await countClicks(linkId, 'a', [placed(1, start)]);
    expect(await lastClickOf(linkId, 1)).toBeUndefined();
    await countClicks(linkId, 'b', [placed(1, start + 5)]);
    expect(await lastClickOf(linkId, 1)).toBeUndefined();
    await countClicks(linkId, 'c', [placed(1, start + 7, 1)]);
    expect(await lastClickOf(linkId, 1)).toBe(start + 7);
    await countClicks(linkId, 'c', [placed(2, start + 8, 1), placed(3, start + 9)]);
    expect([await countOf(linkId), await lastClickOf(linkId, 1)]).toEqual([2, start + 8]);
  });

  test('A batch with clicks from before and after an erasure sets the newest of the later ones.', async () => {
    const linkId = newLinkId();
    await countClicks(linkId, 'a', [placed(1, start)]);
    await countClicks(linkId, 'b', [placed(1, start - 9, 1), placed(2, start + 9)]);
    expect([await countOf(linkId), await lastClickOf(linkId, 1)]).toEqual([1, start - 9]);
  });
});

describe('Counting', () => {
  /**
   * One delivery out of line: of which shard, from how far back, how many records, with which fault, and whether it runs
   * beside the next.
   */
  const extra = fc.record({
    shard: fc.nat(200),
    back: fc.nat(8),
    size: fc.integer({ min: 1, max: 8 }),
    fault: fc.option(
      fc.record({
        kind: fc.constantFrom<Fault>('throttle', 'lost-before', 'lost-after', 'conflict', 'dead-before', 'dead-after'),
        index: fc.nat(3),
      }),
    ),
    beside: fc.boolean(),
  });

  const history = fc.record({
    generations: fc.integer({ min: 1, max: 9 }),
    /** The number of shards of a generation, each succeeded by one of the next generation. */
    shards: fc.integer({ min: 1, max: 12 }),
    clicks: fc.integer({ min: 1, max: 5 }),
    /** How long a generation lives, in minutes. */
    lifetime: fc.integer({ min: 5, max: 6 * 60 }),
    /** How far creation times may be out of order, in minutes. */
    disorder: fc.constantFrom(0, 1, 50),
    seed: fc.integer(),
    extras: fc.array(extra, { maxLength: 60 }),
  });
  type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

  async function play({ generations, shards, clicks, lifetime, disorder, seed, extras }: History, linkId: string) {
    type Shard = { id: string; clicks: CountedClick[]; done: number };
    const seen: Shard[] = [];
    const queue = [...extras];
    const beside: Promise<unknown>[] = [];
    let random = seed >>> 0;
    const below = (limit: number) => {
      random = (random * 1_664_525 + 1_013_904_223) >>> 0;
      return (random >>> 8) % limit;
    };
    let now = start;

    /** Only records of the last 24 hours are delivered again, because DynamoDB keeps them that long. */
    async function deliver({ shard: position, back, size, fault }: History['extras'][number]): Promise<void> {
      const shard = seen[position % seen.length];
      if (!shard) return;
      const from = Math.max(0, shard.done - back);
      const to = Math.min(shard.clicks.length, from + size);
      const records = shard.clicks.slice(from, to).filter(({ createdAt }) => createdAt > now - 24 * hour);
      if (records.length === 0) return;
      const isDone = await underFaults(befalling(fault), () => countClicks(linkId, shard.id, records)).then(
        () => true,
        () => false,
      );
      if (isDone) shard.done = Math.max(shard.done, to);
    }

    for (let generation = 0; generation < generations; generation++) {
      const born = Array.from({ length: shards }, () => ({ id: newShardId(), clicks: [] as CountedClick[], done: 0 }));
      seen.push(...born);
      for (let round = 0; round < clicks; round++) {
        now += Math.ceil((lifetime * minute) / clicks);
        for (const shard of born) {
          // Numbers also get more digits, up to 40.
          const sequenceNumber = 10n ** BigInt(round * 9 + 3) + BigInt(below(900));
          shard.clicks.push(placed(sequenceNumber, now - below(disorder * minute + 1)));
          if (below(3) > 0) continue;
          const out = queue.shift();
          const running = out && deliver(out);
          if (out?.beside) beside.push(running as Promise<void>);
          else await running;
          const position = seen.indexOf(shard);
          await deliver({ shard: position, back: 0, size: 1 + below(4), fault: null, beside: false });
          await Promise.all(beside.splice(0));
        }
      }
      // Before the next generation, all of this one is counted.
      for (const shard of born) {
        const position = seen.indexOf(shard);
        while (shard.done < shard.clicks.length) await deliver({ shard: position, back: 0, size: 9, fault: null, beside: false });
      }
    }
    for (const out of queue) await deliver(out);
    return generations * shards * clicks;
  }

  test('Each click is counted once, whatever is delivered again within 24 hours, and whenever its mark was removed.', async () => {
    let removals = 0;
    await fc.assert(
      fc.asyncProperty(history, async (one) => {
        const linkId = newLinkId();
        const clicked = await play(one, linkId);
        expect(await countOf(linkId)).toBe(clicked);
        if ((await counterOf(linkId))?.removals !== undefined) removals++;
      }),
      { numRuns: runs(5) },
    );
    // Without removals, the histories would be too short.
    expect(removals).toBeGreaterThan(0);
  });
});

describe('The marks of shards', () => {
  test('Idle marks are removed from the counter, and repeated clicks are recognised by one read of a checkpoint.', async () => {
    const linkId = newLinkId();
    const shards = await removeMarks(linkId);
    expect([(await marksOf(linkId)).length, (await counterOf(linkId))?.removals]).toEqual([1, 1]);
    const counting = (index: number, numbers: readonly number[]) =>
      underFaults(faultless, () =>
        countClicks(
          linkId,
          shards[index] ?? '',
          numbers.map((number) => placed(number, start)),
        ),
      );
    expect((await counting(0, [9, 10])).commands).toEqual(['BatchGetItem', 'GetItem']);
    expect((await counting(1, [10, 11])).commands).toEqual(['BatchGetItem', 'GetItem', 'UpdateItem']);
    expect((await counting(1, [11, 12])).commands).toEqual(['BatchGetItem', 'UpdateItem']);
    expect(await countOf(linkId)).toBe(21 + 2);
  });

  test('A link with few marks costs no checkpoint.', async () => {
    const linkId = newLinkId();
    for (const shardId of Array.from({ length: 4 }, newShardId)) {
      const { commands } = await underFaults(faultless, () => countClicks(linkId, shardId, [placed(1)]));
      expect(commands).toEqual(['BatchGetItem', 'UpdateItem']);
    }
  });

  test('However many shards succeed each other, an item keeps few idle marks.', async () => {
    const linkId = newLinkId();
    let most = 0;
    const [generations, alive] = [sized(3, 10), 60];
    for (let generation = 0; generation < generations; generation++) {
      for (let shard = 0; shard < alive; shard++) await countClicks(linkId, newShardId(), [placed(1, start + generation * idle)]);
      most = Math.max(most, (await marksOf(linkId)).length);
    }
    expect(await countOf(linkId)).toBe(generations * alive);
    expect(most).toBeLessThanOrEqual(alive + 4);
  });

  test('A mark is removed once a checkpoint has passed it, or its clicks have left the stream.', async () => {
    for (const [age, left] of [
      [26 * hour, 10],
      [26 * hour + 1, 0],
    ] as const) {
      const linkId = newLinkId();
      const shards = Array.from({ length: 10 }, newShardId);
      const withoutCheckpoint = ({ input }: Attempt) => (JSON.stringify(input).includes('SHARD#') ? 'throttle' : undefined);
      await underFaults(withoutCheckpoint, () => makeMarks(linkId, start, shards));
      await countClicks(linkId, newShardId(), [placed(10, start + age)]);
      const marks = await marksOf(linkId);
      expect(shards.filter((shardId) => marks.includes(markName(shardId)))).toHaveLength(left);
    }
  });

  test('A checkpoint expires 26 hours after its newest click, and only moves forward.', async () => {
    const linkId = newLinkId();
    const [shardId = ''] = await makeMarks(linkId);
    const checkpoint = () => store.getItem(checkpointKey(markName(shardId)));
    const before = await checkpoint();
    expect(before?.ttl).toBe(start + 26 * hour);
    await countClicks(linkId, shardId, [placed(9, start)]);
    expect(await checkpoint()).toEqual(before);
    await countClicks(linkId, shardId, [placed(11, start + hour)]);
    expect((await checkpoint())?.ttl).toBe(start + 27 * hour);
  });

  test('A clock that is wrong by years changes nothing, because only the creation times of clicks count.', async () => {
    const linkId = newLinkId();
    const [shardId = ''] = await removeMarks(linkId, 1_000_000);
    await countClicks(linkId, shardId, [placed(10, 1_000_000), placed(11, 1_000_000)]);
    expect(await countOf(linkId)).toBe(22);
  });

  test('A zombie that read the counter before its click was counted, and writes after the mark was removed, adds nothing.', async () => {
    const linkId = newLinkId();
    const shards = Array.from({ length: 10 }, newShardId);
    const zombie = () => countClicks(linkId, shards[0] ?? '', [placed(9, start), placed(10, start)]);
    await overtaken(() => removeMarks(linkId, start, shards), zombie, { command: 'UpdateItem', number: 0 });
    expect(await countOf(linkId)).toBe(21);
  });

  test('A zombie whose write and read of its checkpoint are both overtaken by removals adds nothing.', async () => {
    const linkId = newLinkId();
    const shards = await removeMarks(linkId);
    const [shardId = ''] = shards;
    const again = async () => {
      const others = Array.from({ length: 9 }, newShardId);
      await makeMarks(linkId, start + idle, others);
      await countClicks(linkId, shardId, [placed(11, start + idle)]);
      await countClicks(linkId, newShardId(), [placed(1, start + 2 * idle)]);
      expect([await marksOf(linkId), (await counterOf(linkId))?.removals]).toEqual([[expect.any(String)], 2]);
    };
    // It has read no mark, and the checkpoint 10.
    await overtaken(again, () => countClicks(linkId, shardId, [placed(11, start + idle)]), { command: 'UpdateItem', number: 0 });
    expect(await countOf(linkId)).toBe(21 + 9 * 2 + 2);
  });

  test('A checkpoint that has expired hides no click: new ones of its shard are counted.', async () => {
    const linkId = newLinkId();
    const shards = await removeMarks(linkId);
    for (const shardId of shards) await store.deleteItem(checkpointKey(markName(shardId)));
    for (const shardId of shards) await countClicks(linkId, shardId, [placed(11, start + 30 * hour)]);
    expect(await countOf(linkId)).toBe(21 + 10);
  });

  test('A mark that was removed and made again still identifies its last counted click.', async () => {
    const linkId = newLinkId();
    const shards = await removeMarks(linkId);
    const later = start + 3 * hour;
    for (const shardId of shards) await countClicks(linkId, shardId, [placed(20, later)]);
    await countClicks(linkId, newShardId(), [placed(1, later + idle)]);
    expect((await marksOf(linkId)).length).toBeLessThan(10);
    for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, start), placed(20, later)]);
    expect(await countOf(linkId)).toBe(21 + 11);
  });

  test('A click of a new shard is counted, even if it is older than all removed marks.', async () => {
    const linkId = newLinkId();
    await removeMarks(linkId);
    await countClicks(linkId, newShardId(), [placed(1, start - 20 * hour)]);
    expect(await countOf(linkId)).toBe(22);
  });

  test('Marks are removed once, even if several updates find them idle at the same time.', async () => {
    const linkId = newLinkId();
    await makeMarks(linkId);
    await Promise.all([1, 2, 3, 4].map(() => countClicks(linkId, newShardId(), [placed(10, start + idle)])));
    expect([await countOf(linkId), (await marksOf(linkId)).length, (await counterOf(linkId))?.removals]).toEqual([24, 4, 1]);
  });

  test('If a removal fails at any call, the clicks are still counted, and a later update removes the marks.', async () => {
    for (const kind of ['throttle', 'lost-before', 'lost-after', 'conflict', 'dead-before', 'dead-after'] as const) {
      for (const call of [2, 3, 4]) {
        const linkId = newLinkId();
        const shards = await makeMarks(linkId);
        const down = ({ index, command }: Attempt) => (index >= call ? ifPossible(kind, command) : undefined);
        await underFaults(down, () => countClicks(linkId, newShardId(), [placed(10, start + idle)]));
        expect(await countOf(linkId)).toBe(21);
        await countClicks(linkId, newShardId(), [placed(10, start + idle)]);
        for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, start)]);
        expect([kind, call, await countOf(linkId), (await marksOf(linkId)).length]).toEqual([kind, call, 22, 2]);
      }
    }
  });

  test('A mark that advances before its removal stays in the counter.', async () => {
    const linkId = newLinkId();
    const [shardId = ''] = await makeMarks(linkId);
    const late = [placed(11, start + minute)];
    // Directly before the removal of the marks, after the update and the checkpoint.
    await overtaken(
      () => countClicks(linkId, shardId, late),
      () => countClicks(linkId, newShardId(), [placed(10, start + idle)]),
      { command: 'UpdateItem', number: 2 },
    );
    expect((await marksOf(linkId)).length).toBe(11);
    await countClicks(linkId, shardId, late);
    expect(await countOf(linkId)).toBe(22);
  });

  test('A removal that is overtaken by another one is not made, so that each has its own number.', async () => {
    const linkId = newLinkId();
    await makeMarks(linkId);
    // Shards that lag behind. Their marks are older, so they are removed first.
    const other = async () => {
      await makeMarks(linkId, start - hour, Array.from({ length: 50 }, newShardId));
      await countClicks(linkId, newShardId(), [placed(10, start + idle)]);
      expect([(await marksOf(linkId)).length, (await counterOf(linkId))?.removals]).toEqual([12, 1]);
    };
    const remove = () => countClicks(linkId, newShardId(), [placed(10, start + idle)]);
    await overtaken(other, remove, { command: 'UpdateItem', number: 2 });
    expect([(await marksOf(linkId)).length, (await counterOf(linkId))?.removals]).toEqual([12, 1]);
    await remove();
    expect([(await marksOf(linkId)).length, (await counterOf(linkId))?.removals]).toEqual([3, 2]);
  });

  test("A deleted link's clicks are not counted again, even if its marks had been removed.", async () => {
    const workspace = await store.newWorkspace();
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    const { id } = found.link;
    const shards = await removeMarks(id);
    const current = await store.getLink(workspace.workspaceId, id);
    if (!current) throw new Error('no link');
    await store.deleteLink(current);
    for (const shardId of shards) await countClicks(id, shardId, [placed(10, start), placed(11, start)]);
    await countClicks(id, newShardId(), [placed(10, start + 9 * hour)]);
    expect(Object.keys((await counterOf(id)) ?? {}).sort()).toEqual(['pk', 'sk', 'ttl']);
  });
});
