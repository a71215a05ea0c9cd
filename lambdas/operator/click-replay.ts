import { rowDimensions } from '../core/click/click.ts';
import { recordedAs } from '../core/click/recorded.ts';
import { type ClickRow, replayedShard, rowOf, rowsOfText } from '../core/click/row.ts';
import { epochOf } from '../store/clicks/counts.ts';
import { dueSoon, isEarlierNote, noteGone } from '../store/clicks/erased-notes.ts';
import { toPiece } from '../store/clicks/tail.ts';
import type { Item } from '../store/table/client.ts';
import { failedCondition } from '../store/table/expressions.ts';
import { maybeText, number } from '../store/table/fields.ts';
import { clickAt, isGoneNote, linkOfClick, toKey, workspaceOfNote } from '../store/table/keys.ts';
import { putItem } from '../store/table/writes.ts';

/**
 * After a restoration, brings back what only the stage's former table Activity has of clicks: pieces of tails, notes of
 * erasures, and the items of clicks that nobody has counted. Pieces and notes keep their keys, so repeating it is
 * harmless.
 */

/** The prefixes of such items' partition keys. */
export const replayedPrefixes = ['TAIL#', 'ERASED#', 'CLICK#'] as const;

/** The workspace of such an item. */
export const workspaceOfReplayed = (item: Item): string => maybeText(item, 'workspaceId') ?? toKey(item).pk.split('#')[1] ?? '';

/** Copies a piece of a tail. @returns what to note in the entry of its workspace */
export async function replayPiece(item: Item): Promise<{ readonly bytes: number; readonly oldest: string }> {
  const piece = toPiece(item);
  await putItem({ ...item, ...piece.key });
  return { bytes: piece.bytes, oldest: rowsOfText(piece.text).reduce((oldest, { at }) => (at < oldest ? at : oldest), '~') };
}

/**
 * Copies the note of an erasure, unless the link has a later one. It becomes due again, because sealing may have put
 * restored rows into files. That a workspace was deleted is copied only if it was not restored.
 *
 * @param isLive whether the workspace exists.
 * @param now in milliseconds since 1970.
 * @returns whether the note applies: a link's note if the workspace exists, a workspace's note if it is gone.
 */
export async function replayNote(item: Item, isLive: boolean, now: number): Promise<boolean> {
  const key = toKey(item);
  if (isGoneNote(key)) {
    if (!isLive) await noteGone(workspaceOfNote(key), now);
    return !isLive;
  }
  if (!isLive) return false;
  await failedCondition(putItem({ ...item, ...key, ...dueSoon(now) }, isEarlierNote(number(item, 'epoch'))));
  return true;
}

/**
 * The row of a click that no stream delivers any more; undefined if the item isn't a click. Its sequence number only
 * orders rows.
 */
export function replayedRow(item: Item): ClickRow | undefined {
  const { pk, sk } = toKey(item);
  const linkId = linkOfClick(pk);
  const { at, id } = clickAt(sk);
  const [host, visitor] = [maybeText(item, 'host'), maybeText(item, 'visitor')];
  if (!linkId || id === '' || !host) return undefined;
  const dimensions = recordedAs(rowDimensions, (dimension) => maybeText(item, dimension));
  const click = { ...dimensions, id, at, linkId, host, visitor, epoch: epochOf(item), sequenceNumber: String(Date.parse(at)) };
  return rowOf(click, replayedShard);
}
