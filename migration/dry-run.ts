import { inParallel } from '../lambdas/runtime/in-parallel.ts';
import type { PlannedRow } from './plan.ts';
import { type Ending, inFlight, type LinkThere, ledgerOf, thereAlready } from './results.ts';

/** All that a dry run can do. */
export type Reader = {
  /** @throws Error where the workspace could not import to that domain. */
  readonly checkDomain: (domain: string) => Promise<void>;
  /** The link at an address; undefined where there is none. */
  readonly lookUp: (domain: string, slug: string) => Promise<LinkThere | undefined>;
};

export type DryRunOptions = {
  readonly reader: Reader;
  readonly domain: string;
  readonly rows: readonly PlannedRow[];
  readonly onProgress: (done: number) => void;
  readonly isStopped: () => boolean;
};

/** Finds out what an import would do. */
export async function runDry({ reader, domain, rows, onProgress, isStopped }: DryRunOptions): Promise<Ending> {
  const { results, entries, settle } = ledgerOf(rows, onProgress);
  try {
    await reader.checkDomain(domain);
    await inParallel(entries, inFlight, async (entry) => {
      if (isStopped()) return;
      const { slug } = entry.link;
      const link = slug === undefined ? undefined : await reader.lookUp(domain, slug);
      settle(link ? thereAlready(entry, link) : { entry, outcome: 'would_create', reason: '' });
    });
  } catch (error) {
    // Waiting is broken off where the import is stopped.
    return isStopped() ? { results } : { results, failure: error as Error };
  }
  return { results };
}
