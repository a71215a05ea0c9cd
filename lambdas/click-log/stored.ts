import { RequestError } from '../core/errors.ts';
import { getFile, listFiles } from '../outbound/click-files.ts';
import { isDenial, reportingDenials } from '../runtime/denials.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';
import { erasedLinks, isNotedGone } from '../store/clicks/erased-notes.ts';
import { tableTime } from '../store/table/clock.ts';
import { getWorkspace } from '../store/workspaces/workspaces.ts';
import type { Database } from './duckdb.ts';
import { logFilePrefix, parseLogFileKey } from './files.ts';
import { keptFrom, type ListedFile } from './plan.ts';
import type { LeftOut } from './writing.ts';

/** How many files are downloaded, or calls made, at a time. */
export const concurrency = 10;

/** The file of an object in the bucket; undefined if it is something else. */
export function toListedFile(object: {
  readonly key: string;
  readonly size: number;
  readonly modifiedAt: number;
}): ListedFile | undefined {
  const file = parseLogFileKey(object.key);
  return file && { ...object, ...file };
}

/** All files of a month. */
export async function listMonth(workspaceId: string, month: string): Promise<ListedFile[]> {
  const objects = await listFiles(logFilePrefix(workspaceId, month));
  return objects.map(toListedFile).filter((file) => file !== undefined);
}

/** Downloads files. @returns their local paths @throws Error if one is gone */
export const download = (database: Database, files: readonly Pick<ListedFile, 'key'>[]): Promise<string[]> =>
  inParallel(files, concurrency, async ({ key }) => {
    const path = database.newPath();
    await getFile(key, path);
    return path;
  });

/** A file that was listed is gone, or a list lacks one. */
export class FileMissing extends Error {}

/** Files can't be listed or downloaded. */
export class FileUnreadable extends Error {}

/**
 * Reads files for a question.
 *
 * @throws FileMissing, FileUnreadable; `RequestError` and errors of denied calls unchanged
 */
export async function readingFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await reportingDenials(work);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RequestError || error instanceof FileMissing || isDenial(error))
      throw error;
    throw error.name === 'NoSuchKey' ? new FileMissing(error.message) : new FileUnreadable(error.message);
  }
}

/** For how many days clicks are kept. */
export const clickDays = (): number => Number(setting('CLICK_DAYS'));

/** Which clicks of a workspace to leave out. Call it after the rows were read, so that no erasure is missed. */
export const leftOutOf = async (workspaceId: string): Promise<LeftOut> => ({
  erasures: await erasedLinks(workspaceId),
  keptFrom: keptFrom(tableTime(), clickDays()),
});

/** Whether a workspace was deleted, or is being deleted. One that is only missing may return with a restored table. */
export async function isDeleted(workspaceId: string): Promise<boolean> {
  const workspace = await getWorkspace(workspaceId);
  return workspace ? workspace.deletingSince !== undefined : await isNotedGone(workspaceId);
}

/** Whether a workspace exists, and is not being deleted. */
export async function isLive(workspaceId: string): Promise<boolean> {
  const workspace = await getWorkspace(workspaceId);
  return workspace !== undefined && workspace.deletingSince === undefined;
}
