import type { Tries } from '../runtime/deadline.ts';
import { type Instant, isWithin } from '../runtime/instant.ts';

/** For how long a function expects a table to be busy that has throttled a click, in milliseconds. */
export const busyForMs = 1_000;

/** What a click gets while the table is expected to be busy: an attempt takes 5 ms or so, but may have no response. */
export const oneShortTry: Tries = { attempts: 1, firstMs: 100 };
const none: Tries = { attempts: 0, firstMs: 0 };

/**
 * A function's memory that the table throttled a click. For a second after that, each click gets one short attempt: the
 * click that was throttled, and those that follow. So visitors do not wait for a busy table, and do not use up the
 * account's executions, which other visitors need. Whether the table is still busy, each attempt finds out anew.
 */
export type ThrottleMemory = {
  /** How often a click is tried that has not been tried yet; undefined if as often as usual. */
  readonly tries: (now: Instant) => Tries | undefined;
  /** Remembers that the table has throttled an attempt. Returns how often that click is tried after it. */
  readonly throttled: (now: Instant) => Tries;
};

export function throttleMemory(): ThrottleMemory {
  let throttledAt: Instant | undefined;
  const isBusy = (now: Instant) => throttledAt !== undefined && isWithin(busyForMs, throttledAt, now);
  return {
    tries: (now) => (isBusy(now) ? oneShortTry : undefined),
    throttled: (now) => {
      const wasBusy = isBusy(now);
      throttledAt = now;
      return wasBusy ? none : oneShortTry;
    },
  };
}
