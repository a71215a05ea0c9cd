import { inParallel } from '../../lambdas/runtime/in-parallel.ts';
import { type Carried, carryOut } from './batches.ts';
import { alreadyThere, concurrency, type LinkThere } from './results.ts';

/** The only calls that a dry run can make. */
export type Reader = {
  /** @throws Error if the workspace cannot import to that domain. */
  readonly checkDomain: (domain: string) => Promise<void>;
  /** The link with that domain and slug; undefined if there is none. */
  readonly lookUp: (domain: string, slug: string) => Promise<LinkThere | undefined>;
};

/** Finds out what an import would do, and writes nothing. @returns the error that ended it early. */
export const runDry = ({
  reader,
  domain,
  ...carried
}: Carried & { readonly reader: Reader; readonly domain: string }): Promise<Error | undefined> =>
  carryOut(
    carried,
    () => 1,
    () => reader.checkDomain(domain),
    async ({ entries, settle }, isOver) => {
      await inParallel(entries, concurrency, async (entry) => {
        if (isOver()) return;
        const { slug } = entry.link;
        const link = slug === undefined ? undefined : await reader.lookUp(domain, slug);
        settle(link ? alreadyThere(entry, link) : { entry, outcome: 'would_create', reason: '' });
      });
    },
  );
