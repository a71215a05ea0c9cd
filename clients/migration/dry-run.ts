import { externalIdTaken } from '../../lambdas/core/link/import.ts';
import { inParallel } from '../../lambdas/runtime/in-parallel.ts';
import { type Carried, carryOut } from './batches.ts';
import { alreadyThere, concurrency, type Destination, type Entry, type Found, type LinkThere } from './results.ts';
import type { Templates } from './template.ts';

/** The only calls that a dry run can make. */
export type Reader = {
  /** @throws Error if the workspace cannot import to that domain. */
  readonly checkDomain: (domain: string) => Promise<void>;
  /** The link with that domain and slug; undefined if there is none. */
  readonly lookUp: (domain: string, slug: string) => Promise<LinkThere | undefined>;
  /** The link with that external id; undefined if there is none. */
  readonly byExternalId: (externalId: string) => Promise<LinkThere | undefined>;
  /** The templates of the workspace. */
  readonly templates: () => Promise<Templates>;
};

/** Finds out what an import would do, and writes nothing. @returns the error that ended it early. */
export function runDry({
  reader,
  domain,
  template,
  ...carried
}: Carried & Destination & { readonly reader: Reader }): Promise<Error | undefined> {
  const foresee = async (entry: Entry): Promise<Found> => {
    const { slug, own: { externalId } = {} } = entry.link;
    const link = slug === undefined ? undefined : await reader.lookUp(domain, slug);
    if (link) return alreadyThere(entry, link, { domain, template });
    const other = externalId == null ? undefined : await reader.byExternalId(externalId);
    if (!other) return { entry, outcome: 'would_create', reason: '' };
    return slug === undefined
      ? alreadyThere(entry, other, { domain, template })
      : { entry, outcome: 'refused', reason: externalIdTaken.message };
  };
  return carryOut(
    carried,
    () => 1,
    () => reader.checkDomain(domain),
    async ({ entries, settle }, isOver) => {
      await inParallel(entries, concurrency, async (entry) => {
        if (isOver()) return;
        settle(await foresee(entry));
      });
    },
  );
}
