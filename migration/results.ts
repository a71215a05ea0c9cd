import type { LinkView } from '../lambdas/views/link.ts';
import type { PlannedLink, PlannedRow } from './plan.ts';

/** What has become of a row. In a dry run a link that is not there would be created. */
export type Outcome = 'created' | 'would_create' | 'existing' | 'refused' | 'not_reached';

export type Result = {
  readonly row: PlannedRow;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly shortUrl: string;
};

/** A row that is being worked on. */
export type Entry = { readonly place: number; readonly link: PlannedLink };

/** What of a link says whether it is the one that was wanted. */
export type LinkThere = Pick<LinkView, 'url' | 'shortUrl'>;

/** What is known of an entry, and the link where there is one. */
export type Found<L extends LinkThere = LinkThere> = {
  readonly entry: Entry;
  readonly link?: L | undefined;
  readonly outcome: Outcome;
  readonly reason: string;
};

/** What has the slug of an entry: the same link, perhaps of an earlier run, or another. */
export const thereAlready = <L extends LinkThere>(entry: Entry, link: L): Found<L> =>
  link.url === entry.link.url
    ? { entry, link, outcome: 'existing', reason: '' }
    : { entry, outcome: 'refused', reason: `slug is taken by a link to ${link.url}` };

/** How an import came out: what has become of each row, and what stood in the way of the rest, if anything did. */
export type Ending = { readonly results: Result[]; readonly failure?: Error };

/**
 * Keeps what has become of each row. Whatever breaks an import off, it is what is so by then.
 *
 * @param onProgress says how many rows are done.
 */
export function ledgerOf(rows: readonly PlannedRow[], onProgress: (done: number) => void) {
  const results = rows.map(
    (row): Result => ({ row, outcome: row.link ? 'not_reached' : 'refused', reason: row.reason ?? '', shortUrl: '' }),
  );
  const entries = rows.flatMap(({ link }, place): Entry[] => (link ? [{ place, link }] : []));
  let done = rows.length - entries.length;
  onProgress(done);
  /** Notes what an entry has come to so far. */
  const note = ({ entry: { place }, link, outcome, reason }: Found) => {
    results[place] = { row: rows[place] as PlannedRow, outcome, reason, shortUrl: link?.shortUrl ?? '' };
  };
  /** Notes what an entry has come to in the end. */
  const settle = (found: Found) => {
    note(found);
    onProgress(++done);
  };
  return { results, entries, note, settle };
}

/** How many look-ups and updates are under way at a time. */
export const inFlight = 4;
