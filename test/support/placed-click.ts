import type { PlacedClick } from '../../lambdas/store/clicks/counts.ts';

/** A click at a place of a shard. @param createdAt in seconds since 1970. */
export const placed = (sequenceNumber: number | bigint | string, createdAt = 1_900_000_000): PlacedClick => ({
  sequenceNumber: String(sequenceNumber),
  createdAt,
});
