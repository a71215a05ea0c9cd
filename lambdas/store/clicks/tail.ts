import { hash as hashOf } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { toBase62 } from '../../core/base62.ts';
import { bySequence, type ClickRow, lineOf } from '../../core/click/row.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { Item } from '../table/client.ts';
import { bytes } from '../table/fields.ts';
import { everythingIn, type Key, tailHash, tailKey, tailOf, toKey } from '../table/keys.ts';
import { query } from '../table/reads.ts';
import { deleteItem, putItem } from '../table/writes.ts';

/**
 * The tail of a workspace: the rows of its newest clicks, until they are sealed into a file. The function that counts
 * clicks writes a batch's rows before it counts anything, in pieces. A piece's key has the hash of its content, so a
 * piece is never replaced by another one. For example, a batch is delivered again with another end while it is sealed:
 *
 *     F   puts the rows 1–50 as a piece, and dies
 *     S   reads the piece 1–50, and puts its rows into a file
 *     G   gets the batch again, as 1–100: puts another piece, 1–100
 *     S   deletes the piece 1–50; 1–100 stays
 *
 * Rows 1–50 are now in two places, with the same ids: readers take each id once. If G had got 1–50 again, it would have
 * put the same piece, before or after S deleted it, which does no harm either.
 */

/** A piece of a tail as it was read. */
export type TailPiece = {
  readonly key: Key;
  /** Of its content. Its key has it, too. */
  readonly hash: string;
  /** How many bytes its compressed rows have. */
  readonly bytes: number;
  /** Its rows as lines (`lineOf`), in the order of the shard. Ids may also be in other pieces. */
  readonly text: string;
};

/**
 * The most bytes that the rows of a piece have before they are compressed: 300 kB. Compressed, they are never much
 * larger, however random they are, and an item may have 400 kB.
 */
export const pieceBytes = 300_000;

/** How many pieces are written at a time. */
const concurrency = 5;

/**
 * Adds rows to the tail of a workspace. Repeating it is harmless.
 *
 * @param shard that delivered the clicks: the name of its marks.
 * @param rows of clicks of this workspace and shard.
 * @returns how many bytes were written.
 */
export async function writeTail(workspaceId: string, shard: string, rows: readonly ClickRow[]): Promise<number> {
  const items = piecesOf(rows).map((piece) => itemOf(workspaceId, shard, piece));
  await inParallel(items, concurrency, (item) => putItem(item));
  return items.reduce((sum, { rows }) => sum + rows.length, 0);
}

/** A row, and its line. */
type Line = { readonly row: ClickRow; readonly line: string };

/** The rows in the shard's order, in pieces of at most `pieceBytes`. */
function piecesOf(rows: readonly ClickRow[]): Line[][] {
  const pieces: Line[][] = [];
  let size = 0;
  for (const row of rows.toSorted(bySequence)) {
    const line = lineOf(row);
    const length = Buffer.byteLength(line);
    if (pieces.length === 0 || size + length > pieceBytes) {
      pieces.push([]);
      size = 0;
    }
    size += length;
    pieces.at(-1)?.push({ row, line });
  }
  return pieces;
}

function itemOf(workspaceId: string, shard: string, piece: readonly Line[]): Key & { readonly rows: Buffer } {
  const text = piece.map(({ line }) => line).join('');
  const [first = '', last = ''] = [piece[0], piece.at(-1)].map((one) => one?.row.sequenceNumber);
  // Of the text, because another version of zlib may compress it differently.
  const hash = toBase62(hashOf('sha256', text).slice(0, 16), 11);
  return { ...tailKey(workspaceId, shard, { first, last, hash }), rows: gzipSync(text) };
}

/** The tail of a workspace, read consistently, one piece after the other, in no particular order. */
export async function* readTail(workspaceId: string): AsyncGenerator<TailPiece> {
  const sources = tailOf(workspaceId).map((pk) => query(everythingIn(pk)));
  // The first pages of all partitions are read at once.
  const firsts = sources.map((source) => source.next());
  // If one fails, the loop below throws it when it gets there.
  await Promise.allSettled(firsts);
  for (const [index, source] of sources.entries()) {
    const first = await firsts[index];
    if (!first || first.done) continue;
    yield toPiece(first.value);
    for await (const item of source) yield toPiece(item);
  }
}

/** The piece that an item holds. */
export function toPiece(item: Item): TailPiece {
  const key = toKey(item);
  const rows = bytes(item, 'rows');
  return { key, hash: tailHash(key), bytes: rows.length, text: gunzipSync(rows).toString() };
}

/**
 * Deletes a piece of a tail, once its rows are in a file. Only what was read is deleted, because its key has its hash.
 * Repeating it is harmless.
 */
export const deleteTailPiece = ({ key }: Pick<TailPiece, 'key'>): Promise<void> => deleteItem(key);
