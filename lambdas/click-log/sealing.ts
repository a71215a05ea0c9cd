import { appendFile } from 'node:fs/promises';
import { rowsOfText } from '../core/click/row.ts';
import { deleteFile, putNewFile } from '../outbound/click-files.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { deleteTailPiece, readTail, type TailPiece } from '../store/clicks/tail.ts';
import { withDatabase } from './duckdb.ts';
import { currentFiles, logFileKey, nextNumber, parseLogFileKey } from './files.ts';
import { filesSince, monthOf } from './plan.ts';
import { concurrency, download, isDeleted, leftOutOf, listMonth } from './stored.ts';
import { readRows, sealMonth } from './writing.ts';

/**
 * Moves the tail of a workspace into files, one for each month (UTC) of its rows. A file gets the next number of its
 * month, by a conditional write to S3. The rows are deleted from the tail afterwards. So a run that dies leaves them in
 * both places, and questions and later runs recognise them by their ids:
 *
 *     S   reads the tail, then lists the files: up to 4
 *     S   makes file 5, and dies
 *     T   reads the tail: the same rows, and new ones
 *     T   reads file 5, makes file 6 of the new rows, and deletes what it has read of the tail
 *
 * Or both run at the same time:
 *
 *     S   reads the tail, then lists the files: up to 4
 *     T   does the same
 *     S   makes file 5
 *     T   fails to make file 5, because it exists, and ends without deleting anything
 *     S   deletes what it has read of the tail
 *
 * If S's response for file 5 is lost, S ends as well.
 */

/** The result of a run: `lost` if another run has made a file with its number; `gone` if the workspace was deleted. */
type Sealed = 'sealed' | 'lost' | 'gone';

/** How many bytes of a tail one run takes, besides its last piece: some 500,000 clicks. */
const bytesPerRun = 32_000_000;

/**
 * Seals the tail of a workspace, or its beginning if it is very large. Repeating it, or doing it twice at once, is
 * harmless, but the caller should prevent it with the lease.
 *
 * @param mostBytes of the tail that the run takes, besides its last piece.
 * @throws Error if a file is missing or can't be read, or S3 doesn't confirm a new one; the tail stays
 */
export const seal = (workspaceId: string, mostBytes = bytesPerRun): Promise<Sealed> =>
  withDatabase(async (database) => {
    const path = database.newPath();
    const { pieces, since } = await takeTail(workspaceId, path, mostBytes);
    // A deleted workspace gets no file, and its late clicks are deleted.
    if (await isDeleted(workspaceId)) {
      await deletePieces(pieces);
      return 'gone';
    }
    if (pieces.length === 0) return 'sealed';
    const months = await inParallel([...since], concurrency, async ([month, first]) => {
      const files = await listMonth(workspaceId, month);
      return { month, files, known: filesSince(files, first) };
    });
    await readRows(database, path, await leftOutOf(workspaceId));
    const made: string[] = [];
    for (const { month, files, known } of months) {
      const to = database.newPath();
      const rows = await sealMonth(database, month, await download(database, known), to);
      if (rows === 0) continue;
      const number = nextNumber(files);
      const key = logFileKey({ workspaceId, month, first: number, last: number, revision: 0 });
      if ((await putNewFile(key, to)) === 'exists') return 'lost';
      made.push(key);
    }
    if (await isDeleted(workspaceId)) {
      // Nobody else would find these files: the deletion may have looked for them before they were made.
      await inParallel(made, concurrency, deleteFile);
      return 'gone';
    }
    await inParallel(made, concurrency, checkCurrent);
    await deletePieces(pieces);
    return 'sealed';
  });

/**
 * Reads a tail into a file of lines.
 *
 * @returns its pieces, and for each month when its earliest click was, in ISO 8601
 */
async function takeTail(workspaceId: string, path: string, mostBytes: number) {
  const pieces: TailPiece['key'][] = [];
  const since = new Map<string, string>();
  let bytes = 0;
  for await (const piece of readTail(workspaceId)) {
    await appendFile(path, piece.text);
    for (const { at } of rowsOfText(piece.text)) {
      const first = since.get(monthOf(at));
      if (first === undefined || at < first) since.set(monthOf(at), at);
    }
    pieces.push(piece.key);
    bytes += piece.bytes;
    if (bytes > mostBytes) break;
  }
  return { pieces, since };
}

/**
 * Detects a run that hung, and made its file only after the files with its number had been merged and deleted.
 *
 * @throws Error if a new file isn't current
 */
async function checkCurrent(key: string): Promise<void> {
  const made = parseLogFileKey(key);
  const files = made ? await listMonth(made.workspaceId, made.month) : [];
  if (!currentFiles(files).some((file) => file.key === key)) throw new Error(`${key} was replaced before it was made`);
}

const deletePieces = (keys: readonly TailPiece['key'][]) => inParallel(keys, concurrency, (key) => deleteTailPiece({ key }));
