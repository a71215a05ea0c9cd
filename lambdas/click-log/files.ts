import { dayMs } from '../core/click/day.ts';
import { clickFolder } from '../core/click/files.ts';

/**
 * The files of the click log, and which of them are current. A file is never changed. It has the rows of one workspace
 * and month (UTC), and its name says only which numbers it covers, so that two runs can't both make number 5:
 *
 *     clicks/workspace=<id>/month=<YYYY-MM>/<first>-<last>-<revision>.parquet
 *
 * Sealing makes a file of the next number, revision 0. Merging makes one file of all numbers from the first on. A file
 * replaces all files whose numbers it covers; of files with the same numbers, the highest revision is current. So a
 * replacement is complete once the new file exists. Replaced files are deleted later, and a late run does no harm:
 *
 *     S   makes 000001-000001-0, 000002-000002-0, 000003-000003-0
 *     M   lists them, reads them, and hangs
 *     S   makes 000004-000004-0                  a late click
 *     N   makes 000001-000004-1                  this one is current
 *     M   wakes up, and makes 000001-000003-1    covered by N's file, so it is ignored
 *
 * A revision is even if the file's rows have ids and hashes, and odd once merging has removed them. A file that is
 * rewritten without erased clicks gets the next even or odd revision. If it has ids, the revision also keeps the day on
 * which the rows were sealed, because the new file's own time no longer says it: the first such revision is 200 times
 * that day's number.
 */
export type LogFile = {
  readonly workspaceId: string;
  /** As in `2030-01`. */
  readonly month: string;
  /** The first and the last number that it covers, from 1 on. */
  readonly first: number;
  readonly last: number;
  readonly revision: number;
};

/** The highest number that a name has room for. */
const mostNumbers = 999_999;

const sixDigits = (number: number) => String(number).padStart(6, '0');

/** The prefix of the keys of all files, of a workspace's files, or of one of its months' files. */
export function logFilePrefix(workspaceId?: string, month?: string): string {
  const ofWorkspace = workspaceId === undefined ? '' : `workspace=${workspaceId}/`;
  return `${clickFolder}${ofWorkspace}${month === undefined ? '' : `month=${month}/`}`;
}

/** @throws Error if the month has no number left */
export function logFileKey({ workspaceId, month, first, last, revision }: LogFile): string {
  if (last > mostNumbers) throw new Error(`${logFilePrefix(workspaceId, month)} has no number left`);
  return `${logFilePrefix(workspaceId, month)}${sixDigits(first)}-${sixDigits(last)}-${revision}.parquet`;
}

const keyShape = /^clicks\/workspace=([^/]+)\/month=(\d{4}-\d\d)\/(\d{6})-(\d{6})-(\d+)\.parquet$/;

/** The file that a key names; undefined if the object isn't a click log file. */
export function parseLogFileKey(key: string): LogFile | undefined {
  const [, workspaceId = '', month = '', first, last, revision] = keyShape.exec(key) ?? [];
  if (!workspaceId) return undefined;
  return { workspaceId, month, first: Number(first), last: Number(last), revision: Number(revision) };
}

/** Whether merging has removed the ids and hashes of a file's rows. */
export const isMerged = ({ revision }: Pick<LogFile, 'revision'>): boolean => revision % 2 === 1;

/** How many revisions a day has: 100 even, 100 odd. A file that is rewritten more often seems to be a day younger. */
const revisionsOfDay = 200;

/**
 * The revision of a file that replaces another one, with some of its rows.
 *
 * @param modifiedAt when the replaced file was made, in milliseconds since 1970
 */
export function nextRevision(file: Pick<LogFile, 'revision'> & { readonly modifiedAt: number }): number {
  const { revision, modifiedAt } = file;
  return isMerged(file) || revision > 0 ? revision + 2 : revisionsOfDay * Math.floor(modifiedAt / dayMs);
}

/**
 * When the rows of a file with ids were sealed, at most a day too late, in milliseconds since 1970.
 *
 * @param modifiedAt when the file was made
 */
export const sealedAt = ({ revision, modifiedAt }: Pick<LogFile, 'revision'> & { readonly modifiedAt: number }): number =>
  revision < revisionsOfDay ? modifiedAt : Math.min(modifiedAt, dayMs * (1 + Math.floor(revision / revisionsOfDay)));

type Numbers = Pick<LogFile, 'first' | 'last' | 'revision'>;

/** The current ones among a month's files, by their numbers. */
export function currentFiles<F extends Numbers>(files: readonly F[]): F[] {
  const inOrder = files.toSorted((a, b) => a.first - b.first || b.last - a.last || b.revision - a.revision);
  let covered = 0;
  return inOrder.filter(({ last }) => {
    const isCurrent = last > covered;
    covered = Math.max(covered, last);
    return isCurrent;
  });
}

/** The number of the month's next file. @param files all of the month */
export const nextNumber = (files: readonly Numbers[]): number => Math.max(0, ...files.map(({ last }) => last)) + 1;
