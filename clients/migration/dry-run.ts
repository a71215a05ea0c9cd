import { inParallel } from '../../lambdas/runtime/in-parallel.ts';
import type { PlannedRow } from './plan.ts';
import { alreadyThere, concurrency, type Ending, type LinkThere, ledgerOf, type OnProgress } from './results.ts';

/** The only calls that a dry run can make. */
export type Reader = {
  /** @throws Error if the workspace cannot import to that domain. */
  readonly checkDomain: (domain: string) => Promise<void>;
  /** The link with that domain and slug; undefined if there is none. */
  readonly lookUp: (domain: string, slug: string) => Promise<LinkThere | undefined>;
};

export type DryRunOptions = {
  readonly reader: Reader;
  readonly domain: string;
  readonly rows: readonly PlannedRow[];
  readonly onProgress: OnProgress;
  readonly isStopped: () => boolean;
};

/** Finds out what an import would do, and writes nothing. An error ends it early, and is in the result. */
export async function runDry({ reader, domain, rows, onProgress, isStopped }: DryRunOptions): Promise<Ending> {
  const { results, entries, settle } = ledgerOf(rows, onProgress);
  try {
    await reader.checkDomain(domain);
    await inParallel(entries, concurrency, async (entry) => {
      if (isStopped()) return;
      const { slug } = entry.link;
      const link = slug === undefined ? undefined : await reader.lookUp(domain, slug);
      settle(link ? alreadyThere(entry, link) : { entry, outcome: 'would_create', reason: '' });
    });
  } catch (error) {
    // Stopping the import aborts waits, which is not a failure.
    return isStopped() ? { results } : { results, failure: error as Error };
  }
  return { results };
}
