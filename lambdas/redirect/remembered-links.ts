import type { Link } from '../core/link/link.ts';
import { mayBeReused, reusedForMs } from '../core/visit/visit.ts';
import type { Instant } from '../runtime/instant.ts';
import { memoryOfReads } from '../runtime/memory-of-reads.ts';

type ReadLink = (domainId: string, slug: string) => Promise<Link | undefined>;

/**
 * How many links a function caches. It serves one visit at a time, so it sees few links per second; 200 of the largest,
 * 43 kB each, take 9 MB.
 */
export const remembered = { forMs: reusedForMs, most: 200 } as const;

/**
 * Caches links for a second, so that a link with many visitors is not read for each of them.
 *
 * @returns a function that returns the link at an address, at most a second old; undefined if there is none. Links that
 *   must not be reused are read each time. `now` must be the moment of the call.
 */
export function linkMemory(read: ReadLink): (domainId: string, slug: string, now: Instant) => Promise<Link | undefined> {
  // If there is no link, or one that must be read each time, `undefined` is cached, so that an earlier read that is
  // still under way can't be cached afterwards.
  const links = memoryOfReads<Link>(remembered);
  return async (domainId, slug, now) => {
    const address = `${domainId}/${slug}`;
    const known = links.get(address, now)?.value;
    if (known) return known;
    const link = await read(domainId, slug);
    links.set(address, link && mayBeReused(link) ? link : undefined, now);
    return link;
  };
}
