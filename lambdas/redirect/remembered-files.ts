import type { Domain, DomainFile } from '../core/domain/domain.ts';
import type { Instant } from '../runtime/instant.ts';
import { memory } from '../runtime/memory.ts';
import { readDomainFile } from '../store/domains/files.ts';

// 20 of the largest take 2 MB.
const files = memory<string | undefined>({ forMs: 60_000, most: 20 });

/**
 * Returns a domain's file, at most a minute older than the domain; undefined if it has none. Files are cached, so that
 * many requests for one don't read up to 88 kB each. If the domain has none, nothing is read.
 */
export async function rememberedFile(domain: Domain, name: DomainFile, now: Instant): Promise<string | undefined> {
  if (domain[name === 'logo' ? 'logoUrl' : name] === null) return undefined;
  const key = `${domain.domainId}/${name}/${domain.revision}`;
  const known = files.get(key, now);
  if (known) return known.value;
  const content = await readDomainFile(domain, name);
  files.set(key, content, now);
  return content;
}
