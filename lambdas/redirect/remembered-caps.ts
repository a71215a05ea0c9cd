import type { Link } from '../core/link/link.ts';
import type { Instant } from '../runtime/instant.ts';
import { memory } from '../runtime/memory.ts';
import { type Cap, isCapOf } from '../store/links/caps.ts';

/**
 * A function's cache of the used part of caps. It only saves reading the cap before a visit claims a place. The table
 * decides whether one is left: a stale entry costs one refused write, which updates the entry.
 */
export type CapMemory = {
  /** The link's cap, at most a minute old. */
  readonly last: (link: Link, now: Instant) => Cap | undefined;
  /** @param now the moment of the call */
  readonly see: (cap: Cap | undefined, now: Instant) => void;
};

export function capMemory(): CapMemory {
  const caps = memory<Cap>({ forMs: 60_000, most: 1_000 });
  return {
    last: (link, now) => {
      const cap = caps.get(link.id, now)?.value;
      return isCapOf(cap, link) ? cap : undefined;
    },
    see: (cap, now) => {
      if (cap) caps.set(cap.linkId, cap, now);
    },
  };
}
