import type { Link } from '../core/link/link.ts';
import type { Instant } from '../runtime/instant.ts';
import { memory } from '../runtime/memory.ts';
import { type Cap, isCapOf } from '../store/links/caps.ts';

/**
 * A function's memory of how much of caps was used, as it last saw it. It only saves a look at the cap before a visit
 * claims one. Whether one is left, the table decides: a wrong memory costs one write that is refused,
 * after which the function knows.
 */
export type CapMemory = {
  /** The link's cap as the function saw it last, within the last minute. */
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
