import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import type { CountedClick } from '../../../../lambdas/store/clicks/counts.ts';
import { countKey, movedCheckpointKey } from '../../../../lambdas/store/table/keys.ts';
import { type Attempt, type Fault, underFaults } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { befalling } from '../../../support/faults/random.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { placed } from '../../../support/things/placed-click.ts';

let store: Store;
let countClicks: typeof import('../../../../lambdas/store/clicks/counts.ts').countClicks;
let checkpointName: typeof import('../../../../lambdas/store/clicks/checkpoints.ts').checkpointName;
beforeAll(async () => {
  store = await useStore();
  ({ countClicks } = await import('../../../../lambdas/store/clicks/counts.ts'));
  ({ checkpointName } = await import('../../../../lambdas/store/clicks/checkpoints.ts'));
});

const newLinkId = () => `lnk_${randomBase62(28)}`;
const newShardId = () => `shardId-00000001414562045508-${randomBase62(8)}`;
const minute = 60;
const hour = 60 * minute;
const start = 1_900_000_000;

const counterOf = (linkId: string) => store.getItem(countKey(linkId));
const countOf = async (linkId: string) => Number((await counterOf(linkId))?.count ?? 0);
const checkpointsIn = async (linkId: string) =>
  Object.values((await counterOf(linkId)) ?? {}).filter((value) => value instanceof Uint8Array).length;
const faultless = () => undefined;

/**
 * Counts a click on each of ten shards, and two hours later one more on another. Their checkpoints leave the counter.
 */
async function moveCheckpoints(linkId: string, shards = Array.from({ length: 10 }, newShardId), at = start) {
  for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, at)]);
  await countClicks(linkId, newShardId(), [placed(10, at + 2 * hour + 1)]);
  return shards;
}

describe('counting, in whatever way records are delivered', () => {
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
    /** How many shards a generation has, each of them succeeded by one of the next. */
    shards: fc.integer({ min: 1, max: 12 }),
    clicks: fc.integer({ min: 1, max: 5 }),
    /** How long a generation lives, in minutes. */
    lifetime: fc.integer({ min: 5, max: 6 * 60 }),
    /** By how many minutes creation times may be out of order. */
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

    /** What comes again is still in the stream: DynamoDB keeps records for 24 hours. */
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
          // Numbers grow in digits, too, up to 40.
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

  test('Each click is counted once, whatever is delivered again within 24 hours, and wherever its checkpoint is.', async () => {
    let moved = 0;
    await fc.assert(
      fc.asyncProperty(history, async (one) => {
        const linkId = newLinkId();
        const clicked = await play(one, linkId);
        expect(await countOf(linkId)).toBe(clicked);
        if ((await counterOf(linkId))?.moves !== undefined) moved++;
      }),
      { numRuns: runs(10) },
    );
    // Otherwise the histories would be too short to be worth much.
    expect(moved).toBeGreaterThan(0);
  });
});

describe('the checkpoints of shards', () => {
  test('A link whose shards come one after the other keeps few checkpoints, and pays for their removal every ten shards.', async () => {
    const linkId = newLinkId();
    const shards = Array.from({ length: 60 }, newShardId);
    let most = 0;
    const { commands } = await underFaults(faultless, async () => {
      for (const [index, shardId] of shards.entries()) {
        const at = start + index * 30 * hour;
        await countClicks(linkId, shardId, [placed(1, at), placed(2, at)]);
        most = Math.max(most, await checkpointsIn(linkId));
      }
    });
    expect(await countOf(linkId)).toBe(120);
    expect(most).toBeLessThanOrEqual(11);
    // All of these checkpoints are too old to be needed, so none becomes an item.
    expect(commands.filter((command) => command === 'UpdateItem').length).toBe(60 + 5);
  });

  test('A checkpoint stays for 26 hours by the creation times of clicks, wherever it is.', async () => {
    for (const [age, isKept] of [
      [26 * hour, true],
      [26 * hour + 1, false],
    ] as const) {
      const linkId = newLinkId();
      const shards = Array.from({ length: 10 }, newShardId);
      for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, start)]);
      await countClicks(linkId, newShardId(), [placed(10, start + age)]);
      expect(await checkpointsIn(linkId)).toBe(1);
      const items = await Promise.all(
        shards.map((shardId) => store.getItem(movedCheckpointKey(countKey(linkId), checkpointName(shardId)))),
      );
      expect(items.map((item) => item?.ttl)).toEqual(shards.map(() => (isKept ? start + 26 * hour : undefined)));
    }
  });

  test('A clock that is wrong by years changes nothing, because only the creation times of clicks count.', async () => {
    const linkId = newLinkId();
    const [shardId = ''] = await moveCheckpoints(linkId, undefined, 1_000_000);
    await countClicks(linkId, shardId, [placed(10, 1_000_000), placed(11, 1_000_000)]);
    expect(await countOf(linkId)).toBe(12);
  });

  test('Idle checkpoints leave the counter; what comes again is recognized by one read, and new clicks cost one write as ever.', async () => {
    const linkId = newLinkId();
    const shards = await moveCheckpoints(linkId);
    expect(await checkpointsIn(linkId)).toBe(1);
    const again = await underFaults(faultless, () => countClicks(linkId, shards[0] ?? '', [placed(10, start)]));
    expect(again.commands).toEqual(['UpdateItem', 'GetItem']);
    const late = await underFaults(faultless, () => countClicks(linkId, shards[1] ?? '', [placed(10, start), placed(11, start)]));
    expect(late.commands).toEqual(['UpdateItem', 'GetItem', 'UpdateItem']);
    const fresh = await underFaults(faultless, () => countClicks(linkId, shards[2] ?? '', [placed(11, start + 2 * hour)]));
    expect(fresh.commands).toEqual(['UpdateItem']);
    expect(await countOf(linkId)).toBe(11 + 2);
  });

  test('A checkpoint that was moved, and has advanced since, still identifies its last counted click.', async () => {
    const linkId = newLinkId();
    const shards = await moveCheckpoints(linkId);
    const later = start + 3 * hour;
    for (const shardId of shards) await countClicks(linkId, shardId, [placed(20, later)]);
    await countClicks(linkId, newShardId(), [placed(1, later + 2 * hour + 1)]);
    expect(await checkpointsIn(linkId)).toBeLessThan(10);
    for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, start), placed(20, later)]);
    expect(await countOf(linkId)).toBe(11 + 11);
  });

  test('A checkpoint that comes back and leaves again between a read of it and the update does not let a click count twice.', async () => {
    const linkId = newLinkId();
    const shards = await moveCheckpoints(linkId);
    const [shardId = ''] = shards;
    const late = [placed(11, start)];
    // A twin counts the same click. Then the checkpoints leave the counter once more, before this update is made.
    const twin = async () => {
      await countClicks(linkId, shardId, late);
      await moveCheckpoints(linkId, Array.from({ length: 9 }, newShardId), start);
      expect((await counterOf(linkId))?.[checkpointName(shardId)]).toBeUndefined();
    };
    await overtaken(twin, () => countClicks(linkId, shardId, late), { command: 'UpdateItem', number: 1 });
    expect(await countOf(linkId)).toBe(11 + 1 + 10);
  });

  test('A click of a shard that nobody has heard of is counted, even if it is older than all moved checkpoints.', async () => {
    const linkId = newLinkId();
    await moveCheckpoints(linkId);
    await countClicks(linkId, newShardId(), [placed(1, start - 20 * hour)]);
    expect(await countOf(linkId)).toBe(12);
  });

  test('A checkpoint is moved once, even if several updates find it idle at the same time.', async () => {
    const linkId = newLinkId();
    const shards = Array.from({ length: 12 }, newShardId);
    for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, start)]);
    await Promise.all([1, 2, 3, 4].map(() => countClicks(linkId, newShardId(), [placed(10, start + 3 * hour)])));
    expect([await countOf(linkId), await checkpointsIn(linkId), (await counterOf(linkId))?.moves]).toEqual([16, 4, 1]);
  });

  test('If moving fails at any write, the clicks are counted all the same, and a later update moves the checkpoints.', async () => {
    for (const kind of ['throttle', 'lost-before', 'lost-after', 'conflict', 'dead-before'] as const) {
      for (const index of [1, 5, 11]) {
        const linkId = newLinkId();
        const shards = Array.from({ length: 10 }, newShardId);
        for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, start)]);
        const down = (attempt: Attempt) => (attempt.index >= index ? kind : undefined);
        await underFaults(down, () => countClicks(linkId, newShardId(), [placed(10, start + 3 * hour)]));
        expect(await countOf(linkId)).toBe(11);
        await countClicks(linkId, newShardId(), [placed(10, start + 3 * hour)]);
        for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, start)]);
        expect([kind, index, await countOf(linkId), await checkpointsIn(linkId)]).toEqual([kind, index, 12, 2]);
      }
    }
  });

  test('A checkpoint stays in the counter unless it is an item of its own already.', async () => {
    const linkId = newLinkId();
    const shards = Array.from({ length: 10 }, newShardId);
    for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, start)]);
    const once = ({ index }: Attempt) => (index === 4 ? ('throttle' as const) : undefined);
    await underFaults(once, () => countClicks(linkId, newShardId(), [placed(10, start + 3 * hour)]));
    expect(await checkpointsIn(linkId)).toBe(11);
  });

  test('A checkpoint that advances while it is being moved stays in the counter.', async () => {
    const linkId = newLinkId();
    const shards = Array.from({ length: 10 }, newShardId);
    for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, start)]);
    const [shardId = ''] = shards;
    const late = [placed(11, start + 30 * minute)];
    // Directly before the checkpoints are removed: after the update and ten items.
    await overtaken(
      () => countClicks(linkId, shardId, late),
      () => countClicks(linkId, newShardId(), [placed(10, start + 3 * hour)]),
      { command: 'UpdateItem', number: 11 },
    );
    expect(await checkpointsIn(linkId)).toBe(11);
    await countClicks(linkId, shardId, late);
    expect(await countOf(linkId)).toBe(12);
  });

  test('A move that is overtaken by another one is not made, so that each has a number of its own.', async () => {
    const linkId = newLinkId();
    const shards = Array.from({ length: 10 }, newShardId);
    for (const shardId of shards) await countClicks(linkId, shardId, [placed(10, start)]);
    // Shards that lag behind. Their checkpoints are older, so they are the first to leave.
    const other = async () => {
      for (const shardId of Array.from({ length: 25 }, newShardId)) await countClicks(linkId, shardId, [placed(1, start - hour)]);
      await countClicks(linkId, newShardId(), [placed(10, start + 2 * hour + 1)]);
      expect([await checkpointsIn(linkId), (await counterOf(linkId))?.moves]).toEqual([12, 1]);
    };
    const move = () => countClicks(linkId, newShardId(), [placed(10, start + 2 * hour + 1)]);
    await overtaken(other, move, { command: 'UpdateItem', number: 11 });
    expect([await checkpointsIn(linkId), (await counterOf(linkId))?.moves]).toEqual([12, 1]);
    await move();
    expect([await checkpointsIn(linkId), (await counterOf(linkId))?.moves]).toEqual([3, 2]);
  });

  test('A moved checkpoint knows clicks whose creation times are up to an hour out of order.', async () => {
    const linkId = newLinkId();
    const shards = Array.from({ length: 10 }, newShardId);
    const early = placed(9, start + 59 * minute);
    for (const shardId of shards) {
      await countClicks(linkId, shardId, [early]);
      await countClicks(linkId, shardId, [placed(10, start)]);
    }
    await countClicks(linkId, newShardId(), [placed(10, start + 2 * hour + 1)]);
    expect(await checkpointsIn(linkId)).toBe(1);
    for (const shardId of shards) await countClicks(linkId, shardId, [early]);
    expect(await countOf(linkId)).toBe(21);
  });

  test('A deleted link is not counted again, however its checkpoints were moved.', async () => {
    const workspace = await store.newWorkspace();
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    const { id } = found.link;
    const shards = await moveCheckpoints(id);
    const current = await store.getLink(workspace.workspaceId, id);
    if (!current) throw new Error('no link');
    await store.deleteLink(current);
    for (const shardId of shards) await countClicks(id, shardId, [placed(10, start), placed(11, start)]);
    await countClicks(id, newShardId(), [placed(10, start + 9 * hour)]);
    expect(Object.keys((await counterOf(id)) ?? {}).sort()).toEqual(['pk', 'sk', 'ttl']);
  });
});
