import { rowsOfText } from '../core/click/row.ts';
import { deleteFile, putNewFile } from '../outbound/click-files.ts';
import { timeLeft } from '../runtime/deadline.ts';
import { readTail } from '../store/clicks/tail.ts';
import { tableTime } from '../store/table/clock.ts';
import { withDatabase } from './duckdb.ts';
import { logFileKey, logFilePrefix } from './files.ts';
import { type ListedFile, type Merge, monthOf, planMonth, withoutErased } from './plan.ts';
import { clickDays, download, isLive, leftOutOf, listMonth } from './stored.ts';
import { copyWithoutErased, mergeMonth } from './writing.ts';

/** How much time must be left to begin a file, in milliseconds. */
const mergeMs = 60_000;

/**
 * Deletes the files of a month that were replaced an hour ago, or have expired. Merges those that are old enough,
 * unless the tail has rows of the month. A merge only makes a file, whose name replaces the others. So a run that dies
 * or is late does no harm, and can be repeated.
 *
 * @param erases whether to rewrite files with erased clicks without them, in the same way.
 * @returns whether there was time for everything.
 * @throws Error if a file is missing or can't be read: then nothing is made of it
 */
export async function tendMonth(workspaceId: string, month: string, erases = false): Promise<boolean> {
  // Read the tail first: rows that leave it afterwards are in a listed file that is too new to be merged.
  const hasRows = await hasRowsOf(workspaceId, month);
  const plan = planMonth(await listMonth(workspaceId, month), tableTime(), clickDays());
  for (const { key } of plan.superfluous) await deleteFile(key);
  if (plan.isBroken) throw new Error(`${logFilePrefix(workspaceId, month)} lacks a file`);
  const merges = hasRows ? [] : plan.merges;
  if (merges.length === 0 && !erases) return true;
  // `forgetWorkspaces` deletes the files of a deleted workspace, with all versions.
  if (!(await isLive(workspaceId))) return true;
  const merged = new Set(merges.flatMap(({ from }) => from));
  const others = erases ? plan.current.filter((file) => !merged.has(file)) : [];
  for (const write of [
    ...merges.map((merge) => () => makeMerged(workspaceId, merge)),
    ...others.map((file) => () => eraseFrom(workspaceId, file)),
  ]) {
    if (timeLeft() < mergeMs) return false;
    await write();
  }
  return true;
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
    // If the file exists, another run has made it from the same files.
    await putNewFile(logFileKey(to), path);
  });

/** Rewrites a file, if it has erased clicks. */
const eraseFrom = (workspaceId: string, file: ListedFile): Promise<void> =>
  withDatabase(async (database) => {
    const [path = ''] = await download(database, [file]);
    const to = database.newPath();
    if (!(await copyWithoutErased(database, path, to, await leftOutOf(workspaceId)))) return;
    await putNewFile(logFileKey(withoutErased(file)), to);
  });
