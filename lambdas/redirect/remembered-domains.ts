import type { Domain } from '../domain/domain.ts';
import { memory } from '../runtime/memory.ts';
import { getDomain } from '../store/domains.ts';

/** A crowd of unknown hosts cannot fill it. */
const domains = memory<Domain | undefined>({ forMs: 60_000, most: 1_000 });

/** The domain of a host, or that there is none, as it was at most a minute ago: no read then. */
export async function rememberedDomain(host: string, now: number): Promise<Domain | undefined> {
  // A longer text is no domain, and no key either.
  if (host.length > 253) return undefined;
  const known = domains.get(host, now);
  if (known) return known.value;
  const domain = await getDomain(host);
  domains.set(host, domain, now);
  return domain;
}
