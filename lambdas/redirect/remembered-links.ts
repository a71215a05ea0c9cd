import type { Link } from '../core/link/link.ts';
import { mayBeReused, reusedForMs } from '../core/visit/visit.ts';
import type { Instant } from '../runtime/instant.ts';
import { memory } from '../runtime/memory.ts';

type ReadLink = (domainId: string, slug: string) => Promise<Link | undefined>;

/**
 * How many links a function remembers. It serves one visit at a time, so it meets few links in a second; 200 of the
 * largest, 31 kB each, take 6 MB.
 */
export const remembered = { forMs: reusedForMs, most: 200 } as const;

/**
 * A function's memory of links for a second, so that a link with many visitors is not read for each of them.
 *
 * @returns a function that returns the link at an address, at most a second old; undefined if there is none. It costs
 *   no read if it was read within that second. Links that must not be reused are read each time. `now` must be the
 *   moment of the call.
 */
export function linkMemory(read: ReadLink): (domainId: string, slug: string, now: Instant) => Promise<Link | undefined> {
  const links = memory<Link>(remembered);
  // Where a read has just found no link, or one that must be read each time: an earlier read that is still under way must
  // not be remembered there. Apart from the links, so that a flood of unknown addresses displaces none.
  const others = memory<true>(remembered);
  return async (domainId, slug, now) => {
    const address = `${domainId}/${slug}`;
    const known = links.get(address, now);
    const other = others.get(address, now);
    if (known && !(other && other.readAt.steady >= known.readAt.steady)) return known.value;
    const link = await read(domainId, slug);
    if (link && mayBeReused(link)) links.set(address, link, now);
    else others.set(address, true, now);
    return link;
  };
}
