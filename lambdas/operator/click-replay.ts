import { rowDimensions } from '../core/click/click.ts';
import { recordedAs } from '../core/click/recorded.ts';
import { type ClickRow, replayedShard, rowOf, rowsOfText } from '../core/click/row.ts';
import { epochOf } from '../store/clicks/counts.ts';
import { isEarlierNote } from '../store/clicks/erased-notes.ts';
import { toPiece } from '../store/clicks/tail.ts';
import type { Item } from '../store/table/client.ts';
import { failedCondition } from '../store/table/conditions.ts';
import { maybeText, number } from '../store/table/fields.ts';
import { clickAt, linkOfClick, toKey } from '../store/table/keys.ts';
import { putItem } from '../store/table/writes.ts';

/**
 * What the table Activity that a stage worked on before has of clicks, and the restored one lacks: pieces of tails, notes of
 * erasures, and the items of clicks that nobody has counted. Pieces and notes keep their keys, so repeating it is harmless.
 */

/** What the partition keys of such items begin with. */
export const replayedPrefixes = ['TAIL#', 'ERASED#', 'CLICK#'] as const;

/** The workspace of such an item. */
export const workspaceOfReplayed = (item: Item): string => maybeText(item, 'workspaceId') ?? toKey(item).pk.split('#')[1] ?? '';

/** Copies a piece of a tail. @returns what the entry of its workspace has to know */
export async function replayPiece(item: Item): Promise<{ readonly bytes: number; readonly oldest: string }> {
  const piece = toPiece(item);
  await putItem({ ...item, ...piece.key });
  return { bytes: piece.bytes, oldest: rowsOfText(piece.text).reduce((oldest, { at }) => (at < oldest ? at : oldest), '~') };
}

/** Copies the note of an erasure, unless the link has a later one. */
export const replayNote = async (item: Item): Promise<void> => {
  await failedCondition(putItem({ ...item, ...toKey(item) }, isEarlierNote(number(item, 'epoch'))));
};

/** The row of a click that no stream brings; undefined if the item isn't one. Its number only orders rows. */
export function replayedRow(item: Item): ClickRow | undefined {
  const { pk, sk } = toKey(item);
  const linkId = linkOfClick(pk);
  const { at, id } = clickAt(sk);
  if (!linkId || id === '') return undefined;
  const dimensions = recordedAs(rowDimensions, (dimension) => maybeText(item, dimension));
  const [host, visitor] = [maybeText(item, 'host'), maybeText(item, 'visitor')];
  const click = { ...dimensions, id, at, linkId, host, visitor, epoch: epochOf(item), sequenceNumber: String(Date.parse(at)) };
  return rowOf(click, replayedShard);
}
