import { type Instant, isWithin } from '../runtime/instant.ts';

/** For how long a function expects a table to be busy that has throttled a write, in milliseconds. */
const busyForMs = 1_000;

/**
 * A function's memory that the table throttled a write. For a second after that, the function expects that it would throttle
 * others too. So visitors do not wait for a busy table, and do not use up the account's executions, which other visitors
 * need.
 */
export type ThrottleMemory = {
  /** Whether the table throttled a write within the last second. */
  readonly isBusy: (now: Instant) => boolean;
  /** Remembers that the table has throttled a write. */
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
