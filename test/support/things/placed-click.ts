import type { CountedClick } from '../../../lambdas/store/clicks/counts.ts';

/** A click at a place of a shard. @param createdAt in seconds since 1970. */
export const placed = (sequenceNumber: number | bigint | string, createdAt = 1_900_000_000, epoch = 0): CountedClick => ({
  sequenceNumber: String(sequenceNumber),
  createdAt,
  epoch,
});
