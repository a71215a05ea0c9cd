import { sinceTime } from '../parts/time.ts';
import type { Link } from '../service/types.ts';
import { isSame, whyNot } from './undo.ts';
import type { Entry } from './words.ts';

// What has been undone, whether with Undo or by hand. Changes say it by themselves: a later one brings the values back.

/** An entry among those of all subjects. */
export const keyOf = ({ subject, id }: Entry): string => `${subject.id} ${id}`;

/**
 * When each of the changes was undone: the time of the later change after which every field had been as before once
 * more. A deletion says by itself what was made again.
 *
 * @param entries newest first; later changes that are not among them do not count.
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

/** The fields that can be brought back. */
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
 * When the changes were made that later ones undid: those whose fields, and only these, got back what they had before.
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

/** That something was undone. @property restoredAs the link that was made again, if it was a deletion */
export type Undone = { readonly at: string; readonly restoredAs?: string };

/** Called with entries that were undone, and the link as the answer has it, if it does. */
export type OnUndone = (entries: readonly Entry[], link?: Link) => void;

/** What became of entries later. */
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
 * @param answers what the page itself has undone, by `keyOf`: the history has it only some seconds later
 */
export const laterOf = (entries: readonly Entry[], answers: ReadonlyMap<string, Undone>): Later => ({
  undone: new Map([...answers, ...[...undoneAt(entries)].map(([key, at]) => [key, { at }] as const)]),
  undid: undidAt(entries),
  deleted: deletedAt(entries),
});

/** Whether an entry was undone, as far as that is loaded. */
export const isUndone = (entry: Entry, { undone }: Pick<Later, 'undone'>): boolean =>
  entry.restoredAs !== undefined || undone.has(keyOf(entry));

/** Whether there is something left that Undo could do about an entry. */
export const isLeft = (entry: Entry, later: Pick<Later, 'undone' | 'deleted'>): boolean =>
  !isUndone(entry, later) && whyNot(entry, true, later.deleted.get(entry.subject.id)) === undefined;

/** What the answer to a request says about an entry that it undid. @param link undefined if the answer does not have it */
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
