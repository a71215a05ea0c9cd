import type { Domain } from '../domain/domain.ts';
import { memory } from '../runtime/memory.ts';
import { getDomain } from '../store/domains.ts';

/** Unknown hosts are cached too; the bound keeps them from filling the memory. */
const domains = memory<Domain | undefined>({ forMs: 60_000, most: 1_000 });

/** The domain of a host, at most a minute old; undefined if there is none. Costs no read if it is cached. */
export async function rememberedDomain(host: string, now: number): Promise<Domain | undefined> {
  // A longer text is neither a domain nor a valid key.
  if (host.length > 253) return undefined;
  const known = domains.get(host, now);
  if (known) return known.value;
  const domain = await getDomain(host);
  domains.set(host, domain, now);
  return domain;
}
