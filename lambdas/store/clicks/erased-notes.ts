import { setting } from '../../runtime/settings.ts';
import type { Item } from '../table/client.ts';
import { any, type Expression, isAbsent } from '../table/conditions.ts';
import { number } from '../table/fields.ts';
import { erasedNoteKey, erasedNotesOf, type Key, linkOfErasedNote, toKey } from '../table/keys.ts';
import { query } from '../table/reads.ts';

/**
 * Notes say which rows of clicks are erased: those of a link with an earlier epoch than its note's. A note is written with
 * the erasure itself, so whoever reads rows first and notes afterwards returns nothing that was erased before the request. It
 * is kept as long as rows are.
 */

/** The note of an erasure. @param now in milliseconds since 1970 */
export const erasedNote = (workspaceId: string, linkId: string, epoch: number, now: number): Key & Item => ({
  ...erasedNoteKey(workspaceId, linkId),
  epoch,
  ttl: Math.ceil(now / 1_000) + Number(setting('CLICK_DAYS')) * 24 * 60 * 60,
});

/** The link has no note of this epoch or a later one. */
export const isEarlierNote = (epoch: number): Expression => any(isAbsent, { text: '#epoch < :next', values: { ':next': epoch } });

/** The links of a workspace whose clicks were erased, each with its epoch. Clicks of earlier epochs are erased. Read consistently. */
export async function erasedLinks(workspaceId: string): Promise<ReadonlyMap<string, number>> {
  const notes = await Array.fromAsync(query(erasedNotesOf(workspaceId)));
  return new Map(notes.map((note) => [linkOfErasedNote(toKey(note)), number(note, 'epoch')]));
}
