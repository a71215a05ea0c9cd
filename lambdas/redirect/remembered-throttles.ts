import { type Instant, isWithin } from '../runtime/instant.ts';

/** How long a function treats a table as busy after a throttled write, in milliseconds. */
const busyForMs = 1_000;

/**
 * Remembers that the table throttled a write. For a second, the function expects it to throttle others too. So visitors
 * do not wait for a busy table, and do not use up the account's concurrent executions, which other visitors need.
 */
export type ThrottleMemory = {
  /** Whether the table throttled a write within the last second. */
  readonly isBusy: (now: Instant) => boolean;
  readonly throttled: (now: Instant) => void;
};

export function throttleMemory(): ThrottleMemory {
  let throttledAt: Instant | undefined;
  return {
    isBusy: (now) => throttledAt !== undefined && isWithin(busyForMs, throttledAt, now),
    throttled: (now) => {
      throttledAt = now;
    },
  };
}
