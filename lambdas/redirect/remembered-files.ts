import type { AppLinks, Domain } from '../domain/domain.ts';
import type { Instant } from '../runtime/instant.ts';
import { memory } from '../runtime/memory.ts';
import { readDomainFile } from '../store/domain-files.ts';

/**
 * A function's memory of the files for apps, so that many requests for one don't read up to 64 kB each.
 *
 * @returns a function that returns a domain's file, at most a minute older than the domain; undefined if it has none.
 *   Costs no read if the domain has none, or if the file is remembered.
 */
export function fileMemory(): (domain: Domain, name: keyof AppLinks, now: Instant) => Promise<string | undefined> {
  // 20 of the largest take 1.3 MB.
  const files = memory<string | undefined>({ forMs: 60_000, most: 20 });
  return async (domain, name, now) => {
    const digest = domain[name];
    if (digest === null) return undefined;
    const key = `${domain.domainId}/${name}/${digest}`;
    const known = files.get(key, now);
    if (known) return known.value;
    const content = await readDomainFile(domain, name);
    files.set(key, content, now);
    return content;
  };
}
