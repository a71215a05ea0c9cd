import { dayMs } from '../core/click/day.ts';
import { startOfDay } from '../core/click/tail.ts';
import { currentFiles, isMerged, type LogFile, nextNumber, nextRevision, sealedAt } from './files.ts';

const hourMs = 60 * 60_000;

/**
 * A file as the bucket lists it.
 *
 * @property modifiedAt when it was made, in milliseconds since 1970
 * @property size in bytes
 */
export type ListedFile = LogFile & { readonly key: string; readonly size: number; readonly modifiedAt: number };

/** The time since which clicks are kept, in ISO 8601. @param days for how many, as the stage sets */
export const keptFrom = (now: number, days: number): string => new Date(now - days * dayMs).toISOString();

/** The month (UTC) of a time in ISO 8601. */
export const monthOf = (at: string): string => at.slice(0, '2030-01'.length);

/** The largest assumed difference between two clocks, in milliseconds. */
const clockTolerance = dayMs;

/**
 * Those of a month's current files that may have clicks of a day, or of a later one. A file has no clicks that are
 * newer than itself.
 *
 * @param since a time of the day, in milliseconds since 1970.
 */
export const filesFrom = <F extends ListedFile>(current: readonly F[], since: number): F[] =>
  current.filter(({ modifiedAt }) => modifiedAt >= startOfDay(since) - clockTolerance);

/**
 * Those of a month's files that may have the same clicks as a tail, or others of the same days. Merged files have no
 * ids to compare.
 *
 * @param since when the earliest of the tail's clicks in this month was, in ISO 8601.
 */
export const filesSince = <F extends ListedFile>(files: readonly F[], since: string): F[] =>
  filesFrom(currentFiles(files), Date.parse(since)).filter((file) => !isMerged(file));

/**
 * How long a file waits to be merged, in milliseconds: 36 days. A table can be restored to 35 days back. Its tail may
 * then have the file's rows again, and only their ids show it.
 */
const restorableMs = 36 * dayMs;

/**
 * If a month's files have more bytes than this (some 5,000,000 clicks), each is rewritten instead of merged into one.
 */
const mostMerged = 175_000_000;

/** How long a replaced file stays for those who have listed it, in milliseconds. */
const replacedMs = hourMs;

/** A file to make, and those that it is made of. */
export type Merge = { readonly from: readonly ListedFile[]; readonly to: LogFile };

/** Whether a file of a month is missing: its numbers have a gap. @param current the month's current files */
export const lacksFile = (current: readonly ListedFile[]): boolean =>
  current.some(({ first }, index) => first !== (current[index - 1]?.last ?? 0) + 1);

/**
 * The work to do on a month.
 *
 * @property superfluous in an order in which deleting them never leaves a gap, wherever a run dies
 * @property isBroken numbers are missing, so nothing may be replaced
 */
export type MonthPlan = {
  readonly current: readonly ListedFile[];
  readonly merges: readonly Merge[];
  readonly superfluous: readonly ListedFile[];
  readonly isBroken: boolean;
};

/**
 * Plans a month: files that were replaced an hour ago are deleted, and all files if their clicks have expired. Files
 * that were sealed 36 days ago are merged, if the month is over.
 *
 * @param now in milliseconds since 1970.
 * @param days for how many clicks are kept.
 */
export function planMonth(files: readonly ListedFile[], now: number, days: number): MonthPlan {
  const [{ month } = { month: '' }] = files;
  if (endOfMonth(month) + days * dayMs + clockTolerance <= now) {
    return { current: [], merges: [], superfluous: files.toSorted((a, b) => b.last - a.last), isBroken: false };
  }
  const current = currentFiles(files);
  const isCurrent = new Set(current);
  const isOldReplacement = (file: ListedFile) =>
    current.some(({ first, last, modifiedAt }) => first <= file.first && file.last <= last && modifiedAt + replacedMs <= now);
  const superfluous = files.filter((file) => !isCurrent.has(file) && isOldReplacement(file));
  const isBroken = lacksFile(current);
  return { current, merges: isBroken ? [] : mergesOf(current, now), superfluous, isBroken };
}

/** The files to make from a month's current ones. A young file holds up those after it, because a merge starts at 1. */
function mergesOf(current: readonly ListedFile[], now: number): Merge[] {
  const isOld = (file: ListedFile) => endOfMonth(file.month) <= now && sealedAt(file) + restorableMs <= now;
  const young = current.findIndex((file) => !isMerged(file) && !isOld(file));
  const from = young < 0 ? current : current.slice(0, young);
  const unmerged = from.filter((file) => !isMerged(file));
  const [first] = from;
  if (!first || unmerged.length === 0) return [];
  if (sizeOf(from) > mostMerged) return unmerged.map((one) => ({ from: [one], to: anew(one) }));
  return [{ from, to: from.length === 1 ? anew(first) : { ...nameOf(first), last: nextNumber(from) - 1, revision: 1 } }];
}

/** The name of a file that replaces another one, without what was erased. */
export const withoutErased = (file: ListedFile): LogFile => ({ ...nameOf(file), revision: nextRevision(file) });

/** The name of a merged file that replaces a file with the same numbers. */
const anew = (file: LogFile): LogFile => ({ ...nameOf(file), revision: file.revision + 1 });

const nameOf = ({ workspaceId, month, first, last, revision }: LogFile): LogFile => ({
  workspaceId,
  month,
  first,
  last,
  revision,
});

const sizeOf = (files: readonly ListedFile[]): number => files.reduce((sum, { size }) => sum + size, 0);

/** When a month ends, in milliseconds since 1970. */
function endOfMonth(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number, 1);
}
