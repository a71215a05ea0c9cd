import { dayMs } from '../../core/click/day.ts';
import { setting } from '../../runtime/settings.ts';
import type { Item } from '../table/client.ts';
import { any, type Expression, failedCondition, is, isAbsent, set } from '../table/expressions.ts';
import { number, text } from '../table/fields.ts';
import {
  erasedNoteKey,
  erasedNotesOf,
  erasuresIndex,
  goneNoteKey,
  indexed,
  isGoneNote,
  type Key,
  linkOfErasedNote,
  toKey,
  workspaceOfNote,
} from '../table/keys.ts';
import { query } from '../table/reads.ts';
import { putIfAbsent, updateItem } from '../table/writes.ts';

/**
 * Notes say which rows of clicks are erased: those of a link with an earlier epoch than its note's, or all of a
 * workspace. A note is written with the erasure itself, so a reader that reads rows first and notes afterwards returns
 * nothing that was erased before the request. It is kept as long as rows are.
 *
 * The rows are removed from the files later, in two passes. For example, sealing has read the notes before an erasure:
 *
 *     S      reads the tail, with clicks of the link, and the notes: none of the link
 *     owner  erases the clicks: the note is due in a minute
 *     R      looks through the workspace's files: none has clicks of the link. The note is due again in two days
 *     S      makes a file with clicks of the link, which no question counts
 *     R      two days later: writes that file anew, without them. The note is not due any more
 */

/** When the files are looked through after an erasure: once requests that were under way have ended. */
const dueAfterMs = 60_000;
/** When they are looked through again: once late clicks are in files. */
const againAfterMs = 2 * dayMs;

/** How long the note of a workspace stays, in seconds: longer than both passes take, even if nothing ran for weeks. */
const goneSeconds = 60 * 24 * 60 * 60;

const isAgainMark = '#again';
const duePosition = (time: number, isAgain: boolean): string =>
  `${new Date(time).toISOString()}${isAgain ? isAgainMark : '#first'}`;

/** Attributes of a note whose rows are still in files. @param now in milliseconds since 1970 */
export const dueSoon = (now: number) => indexed(erasuresIndex, duePosition(now + dueAfterMs, false));

/** The note of an erasure. @param now in milliseconds since 1970 */
export const erasedNote = (workspaceId: string, linkId: string, epoch: number, now: number): Key & Item => ({
  ...erasedNoteKey(workspaceId, linkId),
  ...dueSoon(now),
  epoch,
  ttl: Math.ceil(now / 1_000) + Number(setting('CLICK_DAYS')) * 24 * 60 * 60,
});

/** The condition that the link has no note of this epoch or a later one. */
export const isEarlierNote = (epoch: number): Expression => any(isAbsent, { text: '#epoch < :next', values: { ':next': epoch } });

/** Notes that all clicks of a workspace that is being deleted are erased. Repeating it changes nothing. */
export const noteGone = (workspaceId: string, now: number): Promise<void> =>
  putIfAbsent({
    ...goneNoteKey(workspaceId),
    ...dueSoon(now),
    ttl: Math.ceil(now / 1_000) + goneSeconds,
  });

/** Whether a workspace has been deleted, within the last weeks. Read consistently. */
export async function isNotedGone(workspaceId: string): Promise<boolean> {
  const { pk, sk } = goneNoteKey(workspaceId);
  for await (const _ of query({ pk, skPrefix: sk })) return true;
  return false;
}

/**
 * The links of a workspace whose clicks were erased, each with its epoch. Clicks of earlier epochs are erased. Read
 * consistently.
 */
export async function erasedLinks(workspaceId: string): Promise<ReadonlyMap<string, number>> {
  const notes = await Array.fromAsync(query(erasedNotesOf(workspaceId)));
  return new Map(notes.map((note) => [linkOfErasedNote(toKey(note)), number(note, 'epoch')]));
}

/** An erasure whose rows may still be in files. @property position in the index */
export type DueErasure = {
  readonly key: Key;
  readonly workspaceId: string;
  /** Whether all clicks of the workspace are erased, not only those of a link. */
  readonly isGone: boolean;
  readonly position: string;
};

/** The erasures whose files are to be looked through. @param now in milliseconds since 1970 */
export async function dueErasures(now: number): Promise<DueErasure[]> {
  const until = `${new Date(now).toISOString()}~`;
  const notes = await Array.fromAsync(query({ gsi1pk: erasuresIndex, between: ['0', until], of: 'Activity' }));
  return notes.map((note) => {
    const key = toKey(note);
    return { key, workspaceId: workspaceOfNote(key), isGone: isGoneNote(key), position: text(note, 'gsi1sk') };
  });
}

/** Whether an erasure was due at a time. @param time in ISO 8601 */
export const wasDue = ({ position }: DueErasure, time: string): boolean => position < `${time}~`;

/**
 * Notes that all files were looked through after an erasure was due. Then it is due again in two days, or done. If the
 * same link's clicks were erased again meanwhile, that erasure stays due.
 */
export async function settleErasure({ key, position }: DueErasure, now: number): Promise<void> {
  const isDone = position.endsWith(isAgainMark);
  const next = isDone ? { gsi1pk: null, gsi1sk: null } : { gsi1sk: duePosition(now + againAfterMs, true) };
  await failedCondition(updateItem(key, set(next), is('gsi1sk', position)));
}
