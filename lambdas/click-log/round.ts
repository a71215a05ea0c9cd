import { alarming } from '../core/alarms.ts';
import { filesUnder } from '../outbound/click-files.ts';
import { timeLeft } from '../runtime/deadline.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { currentRound, saveRound, underSealingLease } from '../store/clicks/sealing.ts';
import { tableTime } from '../store/table/clock.ts';
import { logFilePrefix } from './files.ts';
import { tendMonth } from './merging.ts';
import { type ListedFile, planMonth } from './plan.ts';
import { toListedFile } from './stored.ts';

/** A month is begun only if so much time is left, in milliseconds. */
const monthMs = 60_000;

/**
 * Once a day, looks through the months of all workspaces for files to merge, and for replaced ones to delete. A run that
 * runs out of time saves its position, and the next one continues there. The position is saved before a month is begun, so
 * that one whose files are beyond a function does not hold up the others.
 */
export async function continueRound(): Promise<void> {
  let round = await currentRound();
  if (!round) return;
  let { after } = round;
  for await (const files of monthsAfter(after)) {
    if (timeLeft() < monthMs) {
      await saveRound(round, after, false);
      return;
    }
    after = files.at(-1)?.key;
    if (!isMonthDue(files)) continue;
    round = await saveRound(round, after, false);
    // Another run is ahead.
    if (!round) return;
    await tend(files);
  }
  await saveRound(round, after, true);
}

/** Whether there is something to do for a month. @param files all that the bucket lists of it */
function isMonthDue(files: readonly ListedFile[]): boolean {
  const { merges, replaced, isBroken } = planMonth(files, tableTime());
  return isBroken || merges.length + replaced.length > 0;
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

/** Tends a month, unless its workspace is being sealed: then the next round does. */
async function tend([file]: readonly ListedFile[]): Promise<void> {
  if (!file) return;
  const { workspaceId, month } = file;
  try {
    await underSealingLease(workspaceId, () => reportingDenials(() => tendMonth(workspaceId, month)));
  } catch (error) {
    const { name, message: reason } = error as Error;
    console.error({ message: alarming.clicksNotMerged, workspaceId, month, name, reason });
  }
}
