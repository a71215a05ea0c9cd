import type { BlockedHosts } from '../../core/link/destination.ts';
import { type Blocklist, blockTakes } from '../../core/visit/visit.ts';
import { timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { type Instant, isWithin } from '../../runtime/instant.ts';

/** How long the list is cached, in milliseconds. The other 10 s until a block takes effect cover the request itself. */
export const rememberedMs = blockTakes - 10_000;
/**
 * How long a request waits for a newer list if it has one, and how long to wait after a failure before the next read,
 * in milliseconds.
 */
const patience = { waitMs: 1_000, pauseMs: 5_000 };

/** What the operator has blocked. @property isListing whether there is also a list of harmful hosts */
export type Blocked = { readonly hosts: BlockedHosts; readonly isListing: boolean };

/**
 * Caches the blocked destinations for 50 seconds. If they cannot be read, it uses the last known ones.
 *
 * @returns a function that returns the list at a moment. It throws what the read throws if no list is known yet.
 */
export function remembering(read: () => Promise<Blocked>): (now: Instant) => Promise<Blocked & Blocklist> {
  let known: (Blocked & Blocklist) | undefined;
  /** How long, and from when, no other read is sent. */
  let rest: { readonly ms: number; readonly from: Instant } | undefined;
  return async (now) => {
    if (known && rest && isWithin(rest.ms, rest.from, now)) return known;
    try {
      const blocked = await (known ? withDeadline(Math.min(timeLeft(), patience.waitMs), read) : read());
      // As of before the read: a block that is made during the read may be missing.
      known = { ...blocked, asOf: now.wall };
      rest = { ms: rememberedMs, from: now };
    } catch (error) {
      if (!known) throw error;
      console.error({ message: 'could not read the blocked destinations', name: (error as Error).name });
      rest = { ms: patience.pauseMs, from: now };
    }
    return known;
  };
}
