import type { Domain } from '../domain/domain.ts';
import { getDomain } from '../store/domains.ts';

/** For how long a domain is taken to be as it was read, in milliseconds. */
const rememberedMs = 60_000;
/** So many hosts are remembered at most; a crowd of unknown ones cannot fill the memory. */
const mostRemembered = 1_000;

const remembered = new Map<string, { readonly domain: Domain | undefined; readonly until: number }>();

/** The domain of a host, or that there is none, as it was at most a minute ago: no read then. */
export async function rememberedDomain(host: string, now: number): Promise<Domain | undefined> {
  // A longer text is no domain, and no key either.
  if (host.length > 253) return undefined;
  const known = remembered.get(host);
  if (known && known.until > now) return known.domain;
  const domain = await getDomain(host);
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(host, { domain, until: now + rememberedMs });
  return domain;
}
