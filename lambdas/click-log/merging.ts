import { rowsOfText } from '../core/click/row.ts';
import { deleteFile, putNewFile } from '../outbound/click-files.ts';
import { timeLeft } from '../runtime/deadline.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { readTail } from '../store/clicks/tail.ts';
import { tableTime } from '../store/table/clock.ts';
import { withDatabase } from './duckdb.ts';
import { logFileKey, logFilePrefix } from './files.ts';
import { type Merge, monthOf, planMonth } from './plan.ts';
import { concurrency, download, isLive, leftOutOf, listMonth } from './stored.ts';
import { mergeMonth } from './writing.ts';

/** A merge is begun only if so much time is left, in milliseconds. */
const mergeMs = 60_000;

/**
 * Deletes the files of a month that were replaced an hour ago, and merges those that are old enough, unless the tail has
 * rows of the month. A merge only makes a file, which replaces the others by its name. So whoever dies or comes late changes
 * nothing, and repeating it is harmless.
 *
 * @throws Error if a file is missing or can't be read: then nothing is made of it
 */
export async function tendMonth(workspaceId: string, month: string): Promise<void> {
  // First the tail: what leaves it afterwards is in a file that is listed, and is too new to be merged.
  const hasRows = await hasRowsOf(workspaceId, month);
  const { merges, replaced, isBroken } = planMonth(await listMonth(workspaceId, month), tableTime());
  await inParallel(replaced, concurrency, ({ key }) => deleteFile(key));
  if (isBroken) throw new Error(`${logFilePrefix(workspaceId, month)} lacks a file`);
  if (hasRows || merges.length === 0 || !(await isLive(workspaceId))) return;
  for (const merge of merges) if (timeLeft() > mergeMs) await makeMerged(workspaceId, merge);
}

async function hasRowsOf(workspaceId: string, month: string): Promise<boolean> {
  for await (const { text } of readTail(workspaceId)) if (rowsOfText(text).some(({ at }) => monthOf(at) === month)) return true;
  return false;
}

const makeMerged = (workspaceId: string, { from, to }: Merge): Promise<void> =>
  withDatabase(async (database) => {
    const path = database.newPath();
    const paths = await download(database, from);
    await mergeMonth(database, paths, path, await leftOutOf(workspaceId));
    // If there is such a file, another run has made it of the same files.
    await putNewFile(logFileKey(to), path);
  });
