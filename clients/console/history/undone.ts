import { sinceTime } from '../parts/time.ts';
import type { Link } from '../service/types.ts';
import { isSame, whyNot } from './undo.ts';
import type { Entry } from './words.ts';

// Finds out what was undone, with Undo or by hand, from the changes: a later one restores the values.

/** Identifies an entry among those of all subjects. */
export const keyOf = ({ subject, id }: Entry): string => `${subject.id} ${id}`;

/**
 * When each change was undone: the time of the later change after which every field has had its former value once more.
 * The entry of a deletion itself says what was recreated.
 *
 * @param entries newest first; only these are considered.
 * @returns times, by `keyOf`
 */
export function undoneAt(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const all of Map.groupBy(entries, ({ subject }) => subject.id).values()) {
    for (const [index, entry] of all.entries()) {
      const at = entry.action === 'link.updated' ? timeOf(entry, all.slice(0, index)) : undefined;
      if (at !== undefined) found.set(keyOf(entry), at);
    }
  }
  return found;
}

/** The fields that can be restored. */
const countedFields = ({ changes }: Pick<Entry, 'changes'>) =>
  Object.entries(changes).filter(([field]) => field !== 'password' && field !== 'aliases');

function timeOf({ changes }: Entry, later: readonly Entry[]): string | undefined {
  const fields = countedFields({ changes });
  if (fields.length === 0) return undefined;
  const times: string[] = [];
  for (const [field, { from }] of fields) {
    const back = later.findLast((one) => one.changes[field] !== undefined && isSame(field, one.changes[field].to, from));
    if (!back) return undefined;
    times.push(back.at);
  }
  return times.sort().at(-1);
}

/**
 * The times of the changes that later ones undid: the later change restored exactly the same fields.
 *
 * @param entries newest first
 * @returns times, by `keyOf` of the later change
 */
export function undidAt(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const all of Map.groupBy(entries, ({ subject }) => subject.id).values()) {
    for (const [index, entry] of all.entries()) {
      const undone = all.slice(index + 1).find((earlier) => isOpposite(entry, earlier));
      if (undone) found.set(keyOf(entry), undone.at);
    }
  }
  return found;
}

function isOpposite(one: Entry, other: Entry): boolean {
  if (one.action !== 'link.updated' || other.action !== 'link.updated') return false;
  const [fields, others] = [countedFields(one), countedFields(other)];
  return (
    fields.length > 0 &&
    fields.length === others.length &&
    fields.every(([field, { from, to }]) => {
      const before = other.changes[field];
      return before !== undefined && isSame(field, to, before.from) && isSame(field, from, before.to);
    })
  );
}

/** When links were deleted, by their ids. */
export const deletedAt = (entries: readonly Entry[]): ReadonlyMap<string, string> =>
  new Map(entries.flatMap(({ action, subject, at }) => (action === 'link.deleted' ? [[subject.id, at]] : [])));

/** An undone entry. @property restoredAs the recreated link, if it was a deletion */
export type Undone = { readonly at: string; readonly restoredAs?: string };

/** Called with entries that were undone, and the link of the response, if there is one. */
export type OnUndone = (entries: readonly Entry[], link?: Link) => void;

/** What happened to entries later. */
export type Later = {
  /** What was undone, by `keyOf`. */
  readonly undone: ReadonlyMap<string, Undone>;
  /** When the change was made that an entry undid, by `keyOf`. */
  readonly undid: ReadonlyMap<string, string>;
  /** When links were deleted, by their ids. */
  readonly deleted: ReadonlyMap<string, string>;
};

/**
 * @param entries newest first
 * @param answers what the page itself has undone, by `keyOf`: the history shows it only some seconds later
 */
export const laterOf = (entries: readonly Entry[], answers: ReadonlyMap<string, Undone>): Later => ({
  undone: new Map([...answers, ...[...undoneAt(entries)].map(([key, at]) => [key, { at }] as const)]),
  undid: undidAt(entries),
  deleted: deletedAt(entries),
});

/** Whether an entry was undone, according to the loaded entries. */
export const isUndone = (entry: Entry, { undone }: Pick<Later, 'undone'>): boolean =>
  entry.restoredAs !== undefined || undone.has(keyOf(entry));

/** Whether Undo is still possible for an entry. */
export const isLeft = (entry: Entry, later: Pick<Later, 'undone' | 'deleted'>): boolean =>
  !isUndone(entry, later) && whyNot(entry, true, later.deleted.get(entry.subject.id)) === undefined;

/** How the response to an undo shows that the entry is undone. @param link undefined if the response has none */
export const undoneBy = (
  { action }: Pick<Entry, 'action'>,
  link: Pick<Link, 'id' | 'updatedAt'> | undefined,
  now = Date.now(),
): Undone => ({
  at: link?.updatedAt ?? new Date(now).toISOString(),
  ...(action === 'link.deleted' && link && { restoredAs: link.id }),
});

/** Which change another one undid, in words that follow it. */
export const undidText = (at: string, now?: number): string => `undid the change from ${sinceTime(at, now)}`;

/** When something was undone, in words. */
export function undoneText(at: string, now?: number): string {
  const time = sinceTime(at, now);
  return time.includes(',') ? `Undone on ${time}.` : `Undone at ${time}.`;
}
