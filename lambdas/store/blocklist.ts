import type { BlockedHosts } from '../domain/destination.ts';
import { type Blocklist, blockTakes } from '../domain/visit.ts';
import { timeLeft, withDeadline } from '../runtime/deadline.ts';

/** For how long the list is taken to be as it was read, in milliseconds: what is left until a block counts is for the request itself. */
const rememberedMs = blockTakes - 10_000;
/** How long a request waits for a newer list than the one that is known, and how long after that none is asked for, in milliseconds. */
const patience = { waitMs: 1_000, pauseMs: 5_000 };

/**
 * Remembers the blocked destinations, as they were at most 50 s ago: no read then. While they cannot be read, the last ones that were
 * known are used.
 *
 * @returns what gives the list at a time, in milliseconds. It throws what the read does where no list is known yet.
 */
export function remembering(read: () => Promise<BlockedHosts>): (now: number) => Promise<Blocklist> {
  let known: Blocklist | undefined;
  let until = 0;
  return async (now) => {
    if (known && now < until) return known;
    try {
      const hosts = await (known ? withDeadline(Math.min(timeLeft(), patience.waitMs), read) : read());
      // As of before the read: what is blocked while it is under way may be missing.
      known = { hosts, asOf: now };
      until = now + rememberedMs;
    } catch (error) {
      if (!known) throw error;
      console.error({ message: 'blocked destinations not read', name: (error as Error).name });
      until = now + patience.pauseMs;
    }
    return known;
  };
}
