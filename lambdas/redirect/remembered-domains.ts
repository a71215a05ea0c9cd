import type { Domain } from '../domain/domain.ts';
import type { Instant } from '../runtime/instant.ts';
import { memory } from '../runtime/memory.ts';
import { getDomain } from '../store/domains.ts';

/**
 * A function's memory of domains.
 *
 * @returns a function that returns the domain of a host, at most a minute old; undefined if there is none. Costs no
 *   read if it is remembered.
 */
export function domainMemory(): (host: string, now: Instant) => Promise<Domain | undefined> {
  // Unknown hosts are remembered too; the bound keeps them from filling the memory.
  const domains = memory<Domain | undefined>({ forMs: 60_000, most: 1_000 });
  return async (host, now) => {
    // A longer text is neither a domain nor a valid key.
    if (host.length > 253) return undefined;
    const known = domains.get(host, now);
    if (known) return known.value;
    const domain = await getDomain(host);
    domains.set(host, domain, now);
    return domain;
  };
}
