import type { Domain } from '../core/domain/domain.ts';
import type { Instant } from '../runtime/instant.ts';
import { memoryOfReads } from '../runtime/memory-of-reads.ts';
import { getDomain } from '../store/domains/domains.ts';

/** A domain as it was at `asOf`, in milliseconds since 1970. */
export type KnownDomain = { readonly domain: Domain; readonly asOf: number };

/**
 * A function's cache of domains.
 *
 * @returns a function that returns the domain of a host, at most a minute old; undefined if there is none.
 */
export function domainMemory(): (host: string, now: Instant) => Promise<KnownDomain | undefined> {
  // A short domain may be a wildcard, below which anybody can make up hosts.
  const domains = memoryOfReads<Domain>({ forMs: 60_000, most: 1_000 });
  return async (host, now) => {
    // A longer text is neither a domain nor a valid key.
    if (host.length > 253) return undefined;
    const known = domains.get(host, now);
    if (known) return knownDomain(known.value, known.readAt);
    const domain = await getDomain(host);
    domains.set(host, domain, now);
    return knownDomain(domain, now);
  };
}

const knownDomain = (domain: Domain | undefined, { wall }: Instant): KnownDomain | undefined => domain && { domain, asOf: wall };
