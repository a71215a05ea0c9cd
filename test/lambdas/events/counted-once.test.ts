import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { countKey } from '../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { overtaken } from '../../support/faults/overtaken.ts';
import { befalling, mishapUpTo } from '../../support/faults/random.ts';
import { withStaleReads } from '../../support/faults/stale-reads.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { runs } from '../../support/run/proof.ts';
import { inOwnTime } from '../../support/store/own-time.ts';
import { type Store, useStore } from '../../support/store/store.ts';

vi.mock('../../../lambdas/runtime/instant.ts', async (original) =>
  (await import('../../support/store/own-time.ts')).withOwnTime(await original()),
);

let store: Store;
let handler: typeof import('../../../lambdas/events/count-clicks.ts').handler;
beforeAll(async () => {
  store = await useStore();
  ({ handler } = await import('../../../lambdas/events/count-clicks.ts'));
});

/** A delivery of some records of a shard: how far back it begins, and its fault. */
const delivery = fc.record({
  shard: fc.nat(),
  size: fc.integer({ min: 1, max: 8 }),
  back: fc.nat(8),
  fault: mishapUpTo(12),
  /** The call before which the function sleeps until all later steps are done. */
  sleepsBefore: fc.option(fc.nat(12), { freq: 4 }),
});

/** Shards that begin at the same time, the links of their clicks in order, and the deliveries during their life. */
const generation = fc.record({
  shards: fc.array(fc.array(fc.nat(1), { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 8 }),
  deliveries: fc.array(delivery, { maxLength: 8 }),
  minutes: fc.constantFrom(5, 11, 11),
});

type Delivery = typeof delivery extends fc.Arbitrary<infer T> ? T : never;
type Generation = typeof generation extends fc.Arbitrary<infer T> ? T : never;

type Shard = { readonly id: string; readonly records: readonly DynamoDBRecord[]; done: number };

/** A step gets the later steps, and may run them before it ends itself. */
type Step = (rest: () => Promise<void>) => Promise<void>;

/** The stream of the clicks on some links of a workspace, and its deliveries to count-clicks. */
function streamOf(workspaceId: string, links: readonly string[]) {
  const shards: Shard[] = [];
  let now = 1_900_000_000;
  let clicked = 0;

  const bear = (clicks: readonly number[]) => {
    const id = `shardId-${randomBase62(8)}`;
    const records = clicks.map((link, index): DynamoDBRecord => {
      const linkId = links[link] ?? '';
      return {
        dynamodb: {
          Keys: { pk: { S: `CLICK#${linkId}#7` }, sk: { S: `2030-01-02T03:04:05.678Z#${++clicked}` } },
          NewImage: { workspaceId: { S: workspaceId }, host: { S: 'go.example.com' } },
          SequenceNumber: String(7 + 3 * index),
          ApproximateCreationDateTime: now,
        },
      };
    });
    shards.push({ id, records, done: 0 });
  };

  /** Delivers records of a shard, from `from`, which is not after the first record that is not done. */
  async function deliver(shard: Shard, from: number, to: number, fault: Delivery['fault'] = null): Promise<void> {
    const Records = shard.records.slice(from, to);
    try {
      await underFaults(befalling(fault), () => inOwnTime(() => handler({ Records, shardId: shard.id }, contextWith(20_000))));
      shard.done = Math.max(shard.done, Math.min(to, shard.records.length));
    } catch {
      // It is delivered again.
    }
  }

  const delivering =
    ({ shard: position, size, back, fault, sleepsBefore }: Delivery): Step =>
    async (rest) => {
      const shard = shards[position % shards.length];
      if (!shard) return rest();
      const from = Math.max(0, shard.done - back);
      const work = () => deliver(shard, from, from + size, fault);
      if (sleepsBefore === null) {
        await work();
        return rest();
      }
      let others: Promise<void> | undefined;
      const doRest = () => (others ??= rest());
      await overtaken(doRest, work, { command: 'any', number: sleepsBefore });
      await doRest();
    };

  /** Lambda delivers a shard's successor only once the shard is done. */
  const finishing: Step = async (rest) => {
    for (const shard of shards) while (shard.done < shard.records.length) await deliver(shard, shard.done, shard.records.length);
    return rest();
  };

  return {
    stepsOf: ({ shards: born, deliveries, minutes }: Generation): Step[] => [
      (rest) => {
        now += minutes * 60;
        born.forEach(bear);
        return rest();
      },
      ...deliveries.map(delivering),
      finishing,
    ],
  };
}

const inTurn = ([step, ...rest]: readonly Step[]): Promise<void> => step?.(() => inTurn(rest)) ?? Promise.resolve();

test('Each click is counted once, whatever is delivered again, dies, sleeps or reads outdated items, and whenever marks are removed.', async () => {
  let removals = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(generation, { minLength: 3, maxLength: 6 }), fc.infiniteStream(fc.nat()), async (all, chance) => {
      const links = [0, 1].map(() => `lnk_${randomBase62(28)}`);
      const workspaceId = `ws_${randomBase62(16)}`;
      const { stepsOf } = streamOf(workspaceId, links);
      const choose = (versions: number) => Number(chance.next().value) % versions;
      await withStaleReads(choose, () => inTurn(all.flatMap(stepsOf)));

      const clicks = all.flatMap(({ shards }) => shards.flat());
      const expected = links.map((_, link) => clicks.filter((one) => one === link).length);
      const counters = await store.getItems(links.map(countKey));
      expect(counters.map((counter) => counter?.count ?? 0)).toEqual(expected);
      removals += counters.filter((item) => item?.removals !== undefined).length;
    }),
    { numRuns: runs(8) },
  );
  // Without removals, the histories would be too short.
  expect(removals).toBeGreaterThan(0);
});
