import type { Link } from './api.ts';
import type { PlannedLink, PlannedRow } from './planned.ts';
import { leadsTo, type UsedTemplate } from './template.ts';

/** What happened to a row. `would_create` is for dry runs; `not_reached` if the import ended before it. */
export type Outcome = 'created' | 'would_create' | 'existing' | 'refused' | 'not_reached';

export type Result = {
  readonly row: PlannedRow;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly shortUrl: string;
};

/** A row with a link to create. */
export type Entry = {
  /** Its index among all rows. */
  readonly position: number;
  readonly link: PlannedLink;
  /** What was left out of the link because the service refuses it; empty if nothing was. */
  readonly leftOut: string;
};

/** The parts of an existing link that tell whether it is the wanted one. */
export type LinkThere = Pick<Link, 'url' | 'shortUrl' | 'domain'>;

/** The outcome of an entry, and its link if there is one. */
export type Found<L extends LinkThere = LinkThere> = {
  readonly entry: Entry;
  readonly link?: L | undefined;
  readonly outcome: Outcome;
  readonly reason: string;
};

/** Joins those of the reasons that are not empty. */
export const reasonOf = (...reasons: readonly string[]): string => reasons.filter(Boolean).join('; ');

/**
 * The outcome if a link already has the entry's slug or external id: the same link, perhaps from an earlier run, or a
 * different one.
 *
 * @param destination the import's destination.
 */
export function alreadyThere<L extends LinkThere>(entry: Entry, link: L, { domain, template }: Destination): Found<L> {
  if (link.domain !== domain) return { entry, outcome: 'refused', reason: `its external id belongs to ${link.shortUrl}` };
  if (template ? leadsTo(entry.link.url, link) : link.url === entry.link.url)
    return { entry, link, outcome: 'existing', reason: '' };
  const taken = entry.link.slug === undefined ? 'its external id' : 'slug';
  return { entry, outcome: 'refused', reason: `${taken} is taken by a link to ${link.url}` };
}

/** Where the links of an import are made, and with what. */
export type Destination = { readonly domain: string; readonly template?: UsedTemplate | undefined };

/** How an import ended: the result of each row, and the error that ended it early, if there was one. */
export type Ending = { readonly results: Result[]; readonly failure?: Error };

/** Called with the number of rows that are done, and the result of each row so far. */
export type OnProgress = (done: number, results: readonly Result[]) => void;

/**
 * Keeps the result of each row. The results are accurate at any time, even if an import ends early.
 *
 * @param onProgress called with the number of rows that are done, and the results so far.
 * @param positions the positions of the rows among all rows of the file.
 */
export function ledgerOf(rows: readonly PlannedRow[], onProgress: OnProgress, positions: readonly number[] = [...rows.keys()]) {
  const results = rows.map(
    (row): Result => ({ row, outcome: row.link ? 'not_reached' : 'refused', reason: row.reason ?? '', shortUrl: '' }),
  );
  const indexes = new Map(positions.map((position, index) => [position, index]));
  const entries = rows.flatMap(({ link }, index): Entry[] =>
    link ? [{ position: positions[index] as number, link, leftOut: '' }] : [],
  );
  const open = new Set(entries.map(({ position }) => position));
  onProgress(rows.length - open.size, results);
  /** Records an entry's result so far. */
  const note = ({ entry: { position }, link, outcome, reason }: Found) => {
    const index = indexes.get(position) as number;
    results[index] = { row: rows[index] as PlannedRow, outcome, reason, shortUrl: link?.shortUrl ?? '' };
  };
  /** Records an entry's final result. */
  const settle = (found: Found) => {
    note(found);
    open.delete(found.entry.position);
    onProgress(rows.length - open.size, results);
  };
  /** Whether the result of a row is final, by its index. */
  const isFinal = (index: number): boolean => !open.has(positions[index] as number);
  return { results, entries, note, settle, isFinal };
}

/** The results of an import's rows, and the functions that record them. */
export type Ledger = ReturnType<typeof ledgerOf>;

/** How many lookups and updates run at a time. */
export const concurrency = 4;
