import { alarming } from '../core/alarms.ts';
import { deleteVersions, filesUnder } from '../outbound/click-files.ts';
import { timeLeft } from '../runtime/deadline.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { type DueErasure, settleErasure, wasDue } from '../store/clicks/erased-notes.ts';
import { currentRound, saveRound, underSealingLease } from '../store/clicks/sealing.ts';
import { tableTime } from '../store/table/clock.ts';
import { logFilePrefix } from './files.ts';
import { tendMonth } from './merging.ts';
import { type ListedFile, planMonth } from './plan.ts';
import { seal } from './sealing.ts';
import { clickDays, isLive, toListedFile } from './stored.ts';

/** How much time must be left to begin a month, in milliseconds. */
const monthMs = 60_000;

/**
 * Once a day, and after erasures, goes through the months of all workspaces: merges files, rewrites those with erased
 * clicks, and deletes replaced and expired ones. A run that runs out of time saves its position, and the next run
 * continues there. The position is saved before a month is begun, so that a month whose files are too large for a
 * function doesn't hold up the others. While a month with erased clicks isn't done, the round lists its workspace as
 * unfinished: the erasure stays due, and the next round begins within the hour.
 *
 * @param allDue the erasures that are due.
 */
export async function continueRound(allDue: readonly DueErasure[]): Promise<void> {
  const due = allDue.filter(({ isGone }) => !isGone);
  let round = await currentRound(tableTime(), due.length > 0);
  if (!round) return;
  let { after } = round;
  const { startedAt } = round;
  // A later erasure may concern months that the round has already passed.
  const erasures = due.filter((erasure) => wasDue(erasure, startedAt));
  const erased = new Set(erasures.map(({ workspaceId }) => workspaceId));
  const unfinished = new Set(round.unfinished);
  const save = (isDone: boolean) => round && saveRound({ ...round, unfinished: [...unfinished] }, after, isDone);
  for await (const files of monthsAfter(after)) {
    if (timeLeft() < monthMs) {
      await save(false);
      return;
    }
    const workspaceId = files[0]?.workspaceId ?? '';
    const erases = erased.has(workspaceId);
    after = files.at(-1)?.key;
    if (!erases && !isMonthDue(files)) continue;
    const wasFinished = !unfinished.has(workspaceId);
    if (erases) unfinished.add(workspaceId);
    round = await save(false);
    // Another run is ahead.
    if (!round) return;
    if ((await tend(files, erases)) && wasFinished) unfinished.delete(workspaceId);
  }
  if (erasures.length > 0) round = await save(false);
  if (!round) return;
  for (const erasure of erasures) if (!unfinished.has(erasure.workspaceId)) await settleErasure(erasure, tableTime());
  await save(true);
}

/**
 * Deletes the files of deleted workspaces, with all versions, and late clicks in their tails. If time runs out, the
 * rest stays due. A restored workspace keeps its files.
 */
export async function forgetWorkspaces(due: readonly DueErasure[]): Promise<void> {
  for (const erasure of due) {
    if (!erasure.isGone) continue;
    const { workspaceId } = erasure;
    try {
      const isDone = (await isLive(workspaceId)) || (await reportingDenials(() => forget(workspaceId)));
      if (isDone) await settleErasure(erasure, tableTime());
    } catch (error) {
      const { name, message: reason } = error as Error;
      console.error({ message: alarming.clicksNotMerged, workspaceId, name, reason });
    }
  }
}

/** Deletes the tail and the files of a deleted workspace. @returns whether there was time for everything */
async function forget(workspaceId: string): Promise<boolean> {
  await seal(workspaceId);
  return deleteVersions(logFilePrefix(workspaceId));
}

/** Whether there is something to do for a month. @param files all of the month */
function isMonthDue(files: readonly ListedFile[]): boolean {
  const { merges, superfluous, isBroken } = planMonth(files, tableTime(), clickDays());
  return isBroken || merges.length + superfluous.length > 0;
}

/** Yields the files of each month, in the order of the bucket's listing. */
async function* monthsAfter(after: string | undefined): AsyncGenerator<ListedFile[]> {
  let month: ListedFile[] = [];
  for await (const object of filesUnder(logFilePrefix(), after)) {
    const file = toListedFile(object);
    if (!file) continue;
    const [first = file] = month;
    if (first.workspaceId !== file.workspaceId || first.month !== file.month) {
      yield month;
      month = [];
    }
    month.push(file);
  }
  if (month.length > 0) yield month;
}

/**
 * Tends a month, or leaves it to the next round if its workspace is being sealed.
 *
 * @returns whether everything was done
 */
async function tend([file]: readonly ListedFile[], erases: boolean): Promise<boolean> {
  if (!file) return true;
  const { workspaceId, month } = file;
  try {
    return (await underSealingLease(workspaceId, () => reportingDenials(() => tendMonth(workspaceId, month, erases)))) ?? false;
  } catch (error) {
    const { name, message: reason } = error as Error;
    console.error({ message: alarming.clicksNotMerged, workspaceId, month, name, reason });
    return false;
  }
}
