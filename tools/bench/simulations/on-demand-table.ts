import { dynamoDb, type Units } from './limits.ts';

/** A table in on-demand mode, or an index: its throughput, and how it grows. */
export type OnDemandTable = {
  /**
   * Takes units of a hash's partition; if the partition or the table has none left, returns false and takes nothing. A
   * large item may take more than are left, or it would never get its turn: an assumption.
   */
  readonly take: (kind: keyof Units, hash: number, units: number) => boolean;
  /** The number of partitions, and the partition of a hash. */
  readonly partitions: () => number;
  readonly partitionOf: (hash: number) => number;
  /** The units since the start, and how often the table throttled. */
  readonly used: { readonly read: number; readonly write: number; readonly throttled: number };
};

/** The available units of a partition or of the whole table. */
type Bucket = { left: number; at: number };

const full = (perSecond: number, at: number): Bucket => ({ left: (perSecond * dynamoDb.burstMs) / 1_000, at });

function refill(bucket: Bucket, perSecond: number, now: number): number {
  bucket.left = Math.min((perSecond * dynamoDb.burstMs) / 1_000, bucket.left + ((now - bucket.at) * perSecond) / 1_000);
  bucket.at = now;
  return bucket.left;
}

/**
 * Simulates a table whose keys are spread evenly over its partitions. If it throttles, it has twice as many partitions
 * `doublesAfterMs` later, each with its part of the keys, up to the quota of a table.
 *
 * @param warm the initial throughput.
 * @param onSplit called after all partitions were split: partition `n` became `2n` and `2n + 1`.
 */
export function onDemandTable(
  { warm, doublesAfterMs }: { readonly warm: Units; readonly doublesAfterMs: number },
  now: () => number,
  onSplit: () => void = () => {},
): OnDemandTable {
  const { partition, tableQuota } = dynamoDb;
  const used = { read: 0, write: 0, throttled: 0 };
  let count = Math.ceil(Math.max(warm.read / partition.read, warm.write / partition.write));
  const bucketsOf = (kind: keyof Units) => Array.from({ length: count }, () => full(partition[kind], now()));
  let buckets = { read: bucketsOf('read'), write: bucketsOf('write') };
  const whole = { read: full(tableQuota.read, 0), write: full(tableQuota.write, 0) };
  let throttledSince: number | undefined;

  /** Splits all partitions. The remaining units of a partition go to its two parts. */
  const split = () => {
    count *= 2;
    const halves = (of: readonly Bucket[]) =>
      of.flatMap((bucket) => [
        { ...bucket, left: bucket.left / 2 },
        { ...bucket, left: bucket.left / 2 },
      ]);
    buckets = { read: halves(buckets.read), write: halves(buckets.write) };
    throttledSince = undefined;
    onSplit();
  };
  const partitionOf = (hash: number) => Math.floor(hash * count);
  return {
    used,
    partitions: () => count,
    partitionOf,
    take: (kind, hash, units) => {
      const bucket = buckets[kind][partitionOf(hash)] as Bucket;
      const all = whole[kind];
      if (refill(bucket, partition[kind], now()) > 0 && refill(all, tableQuota[kind], now()) > 0) {
        bucket.left -= units;
        all.left -= units;
        used[kind] += units;
        return true;
      }
      used.throttled++;
      throttledSince ??= now();
      const isBelowQuota = count * partition[kind] < tableQuota[kind];
      if (isBelowQuota && now() - throttledSince >= doublesAfterMs) split();
      return false;
    },
  };
}
