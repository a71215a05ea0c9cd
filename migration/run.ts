import { inParallel } from '../lambdas/runtime/in-parallel.ts';
import type { LinkView } from '../lambdas/views/link.ts';
import { ApiError, type Client } from './api.ts';
import { bodyOf, chunksOf, keyOf } from './chunks.ts';
import { complete, makeTags, needsCompletion } from './completion.ts';
import type { PlannedRow } from './plan.ts';
import { type Ending, type Entry, type Found, inFlight, ledgerOf, thereAlready } from './results.ts';

export type RunOptions = {
  readonly client: Client;
  readonly domain: string;
  readonly rows: readonly PlannedRow[];
  /** Another one for every file: links without slugs are known by it where the file is brought again. */
  readonly fingerprint: string;
  /** Another one for every run. */
  readonly runId: string;
  /** Says how many rows are done. */
  readonly onProgress: (done: number) => void;
  /** True once it shall come to an end: what is under way is finished, and nothing begun. */
  readonly isStopped: () => boolean;
};

/**
 * Carries a plan out: links by imports, then tags and expiry by updates. It may be stopped at any time, and done again: what is there
 * already is found to be, and left or completed.
 */
export async function runImport(options: RunOptions): Promise<Ending> {
  const { client, rows, domain, onProgress, isStopped } = options;
  const { results, entries, note, settle } = ledgerOf(rows, onProgress);
  try {
    const tagIds = await makeTags(client, entries, isStopped);
    for (const chunk of chunksOf(entries)) {
      if (isStopped()) break;
      await inParallel(await importAll(chunk), inFlight, async (found) => {
        const { link, entry } = found;
        if (!link) return settle(found);
        if (isStopped()) return;
        try {
          settle({ ...found, ...(await complete(client, link, entry.link, tagIds)) });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          settle({ ...found, outcome: 'refused', reason: `it is there, but its tags and expiry were not set: ${error.message}` });
        }
      });
    }
  } catch (error) {
    // Waiting is broken off where the import is stopped.
    return isStopped() ? { results } : { results, failure: error as Error };
  }
  return { results };

  /** Imports a chunk, in parts where the answer could be too large, and looks at what has the slugs that were taken. */
  async function importAll(chunk: readonly Entry[]): Promise<Found<LinkView>[]> {
    const answer = await client.importLinks(domain, bodyOf(chunk), keyOf(chunk, options)).catch((error) => {
      const isTooLarge = error instanceof ApiError && ['answer_too_large', 'request_too_large'].includes(error.code);
      if (!isTooLarge || chunk.length === 1) throw error;
      return undefined;
    });
    if (!answer) {
      const half = Math.ceil(chunk.length / 2);
      return [...(await importAll(chunk.slice(0, half))), ...(await importAll(chunk.slice(half)))];
    }
    const failures = new Map(answer.failed.map((failure) => [failure.index, failure]));
    const created = answer.links[Symbol.iterator]();
    const all: Found<LinkView>[] = [];
    const taken: Entry[] = [];
    const keep = (found: Found<LinkView>) => {
      all.push(found);
      // Said at once: it is so, even if nothing comes after it.
      const isIncomplete = found.link && needsCompletion(found.entry.link);
      note(isIncomplete ? { ...found, reason: 'its tags and expiry are not set yet' } : found);
    };
    chunk.forEach((entry, index) => {
      const failure = failures.get(index);
      if (!failure) keep({ entry, link: created.next().value, outcome: 'created', reason: '' });
      else if (failure.code === 'slug_taken') taken.push(entry);
      else keep({ entry, outcome: 'refused', reason: failure.message });
    });
    await inParallel(taken, inFlight, async (entry) => {
      const link = await client.lookUp(domain, entry.link.slug ?? '');
      keep(link ? thereAlready(entry, link) : { entry, outcome: 'refused', reason: 'the slug was taken a moment ago' });
    });
    return all;
  }
}
