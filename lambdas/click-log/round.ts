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

/** A month is begun only if so much time is left, in milliseconds. */
const monthMs = 60_000;

/**
 * Once a day, and after erasures, looks through the months of all workspaces for files to merge, for those with erased clicks,
 * and for replaced and expired ones to delete. A run that runs out of time saves its position, and the next one continues
 * there. The position is saved before a month is begun, so that one whose files are beyond a function does not hold up the
 * others. Until a month with erased clicks is done, the round says that its workspace is not: then the erasure stays due, and
 * the next round begins within the hour.
 *
 * @param allDue the erasures that are due.
 */
export async function continueRound(allDue: readonly DueErasure[]): Promise<void> {
  const due = allDue.filter(({ isGone }) => !isGone);
  let round = await currentRound(tableTime(), due.length > 0);
  if (!round) return;
  let { after } = round;
  const { startedAt } = round;
  // A later one may be about months that the round has left behind.
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
 * Deletes the files of workspaces that are gone, with all versions, and late clicks in their tails. Those for which there is no
 * time stay due. One that was restored keeps its files.
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

/** Deletes the tail and the files of a deleted workspace. @returns whether there was time for all */
async function forget(workspaceId: string): Promise<boolean> {
  await seal(workspaceId);
  return deleteVersions(logFilePrefix(workspaceId));
}

/** Whether there is something to do for a month. @param files all that the bucket lists of it */
function isMonthDue(files: readonly ListedFile[]): boolean {
  const { merges, superfluous, isBroken } = planMonth(files, tableTime(), clickDays());
  return isBroken || merges.length + superfluous.length > 0;
}

/** The files of one month after the other, as the bucket lists them. */
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

/** Tends a month, unless its workspace is being sealed: then the next round does. @returns whether everything was done */
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
