import { type Domain, type DomainFile, domainFiles } from '../../core/domain/domain.ts';
import type { Writes } from '../table/commit.ts';
import { text } from '../table/fields.ts';
import { domainFileKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { deleting, putting } from '../table/writes.ts';

/**
 * The files of domains, which are too large to be read with the domain at each visit. A file is written in the
 * transaction that changes its domain. It has the `domainId`, so that a domain that was proven again has none of its
 * predecessor's.
 */

/** The content of a domain's file; undefined if it has none. One read. */
export async function readDomainFile({ host, domainId }: Domain, name: DomainFile): Promise<string | undefined> {
  const item = await getItem(domainFileKey(host, name));
  return item?.domainId === domainId ? text(item, 'content') : undefined;
}

/** Files by their names; null for one to be removed. */
export type DomainFiles = { readonly [name in DomainFile]?: string | null };

/** The writes that change files of a domain. */
export const writingFiles = ({ host, domainId }: Pick<Domain, 'host' | 'domainId'>, files: DomainFiles): Writes =>
  Object.fromEntries(
    Object.entries(files).map(([name, content]) => {
      const key = domainFileKey(host, name as DomainFile);
      return [name, content === null ? deleting(key) : putting({ ...key, domainId, content })];
    }),
  );

/** The writes that remove all files that a domain can have. */
export const removingFiles = (domain: Pick<Domain, 'host' | 'domainId'>): Writes =>
  writingFiles(domain, Object.fromEntries(domainFiles.map((name) => [name, null])));
