import fc from 'fast-check';
import { type Fault, underFaults } from '../faults/faults.ts';
import { befalling } from '../faults/random.ts';

/** One attempt to hand over records of a shard: their number, how many come again, its mishap, and a concurrent attempt. */
const step = fc.record({
  size: fc.integer({ min: 1, max: 12 }),
  /** So many records come again with it. */
  overlap: fc.oneof({ arbitrary: fc.constant(0), weight: 2 }, { arbitrary: fc.nat(12), weight: 1 }),
  fault: fc.option(
    fc.record({
      kind: fc.constantFrom<Fault>('throttle', 'lost-before', 'lost-after', 'conflict', 'dead-before', 'dead-after'),
      index: fc.nat(6),
    }),
  ),
  /** The same records up to one of them once more: at the same time, or later beside another batch. */
  zombie: fc.option(fc.record({ late: fc.boolean(), size: fc.integer({ min: 1, max: 24 }) })),
});

/** A shard: what each of its records is about, and the attempts. After these, the remaining records are handed over at once. */
type Shard<T> = {
  readonly items: readonly T[];
  /** Between one sequence number and the next. They grow in digits, too. */
  readonly stride: number;
  readonly steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[];
};

/** Shards side by side, and after each the one that succeeds it. @param item what a record is about */
export const lineagesOf = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<Shard<T>[][]> => {
  const shard = fc.record({
    items: fc.array(item, { maxLength: 24 }),
    stride: fc.constantFrom(1, 3, 999),
    steps: fc.array(step, { maxLength: 8 }),
  });
  return fc.array(fc.array(shard, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 });
};

/**
 * Hands a shard's records over as Lambda does: in order the first time, again until they are done with.
 *
 * @param recordOf makes a record.
 * @param deliver gives records to the function.
 */
export async function handOver<T, R>(
  { items, stride, steps }: Shard<T>,
  recordOf: (place: { readonly item: T; readonly index: number; readonly sequenceNumber: number }) => R,
  deliver: (records: R[]) => Promise<unknown>,
): Promise<void> {
  const records = items.map((item, index) => recordOf({ item, index, sequenceNumber: 7 + index * stride }));
  const attempt = (from: number, to: number, fault: Shard<T>['steps'][number]['fault']) =>
    underFaults(befalling(fault), () => deliver(records.slice(from, to))).then(
      () => true,
      () => false,
    );
  const late: (() => Promise<boolean>)[] = [];
  let done = 0;
  for (let round = 0; done < records.length || late.length > 0; round++) {
    const { size, overlap, fault, zombie } = steps[round] ?? { size: records.length, overlap: 0, fault: null, zombie: null };
    const from = Math.max(0, done - overlap);
    const to = Math.min(records.length, done + size);
    const beside = late.splice(0).map((run) => run());
    if (zombie) {
      const again = () => attempt(from, from + zombie.size, fault);
      if (zombie.late) late.push(again);
      else beside.push(again());
    }
    const [isDone] = await Promise.all([attempt(from, to, fault), ...beside]);
    if (isDone) done = to;
  }
}
