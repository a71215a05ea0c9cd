import type { Context } from 'aws-lambda';
import { continueRound, forgetWorkspaces } from '../click-log/round.ts';
import { seal } from '../click-log/sealing.ts';
import { alarming } from '../core/alarms.ts';
import { isOverdue } from '../core/click/tail.ts';
import { switchRule } from '../outbound/schedules.ts';
import { timeLeft, withinInvocation } from '../runtime/deadline.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';
import { dueErasures } from '../store/clicks/erased-notes.ts';
import { dueTails, endSchedule, ensureScheduled, keepScheduled, underSealingLease } from '../store/clicks/sealing.ts';
import { settleTail, type TailEntry, tailsToSeal } from '../store/clicks/tail-entries.ts';
import { tableTime } from '../store/table/clock.ts';

/** How many tails are sealed at a time. Most are small, and wait for S3 and the table. */
const concurrency = 4;

/** A tail is begun only if at least this time is left, in milliseconds. */
const tailMs = 30_000;

const enable = () => switchRule(setting('SEALING_SCHEDULE'), true);
const disable = () => switchRule(setting('SEALING_SCHEDULE'), false);

/** From the schedules, or from the operator's command. @property now which tails to seal, due or not */
type SealEvent = { readonly isHourly?: boolean; readonly now?: { readonly workspaceId?: string | undefined } };

/** The result of the operator's command: how many tails there were, and how many were sealed. */
type SealedNow = { readonly tails: number; readonly sealed: number };

/**
 * Moves the newest clicks from the table into files, for the workspaces whose tail is due. The schedule runs this
 * function every minute while any is. The next run does what one leaves undone.
 *
 * @param event `{ "isHourly": true }` from the other schedule, which seals tails that became due by their age, merges
 *   files, and switches the first schedule on if that was missed.
 * @returns the result for the operator's command.
 */
export const handler = ({ isHourly = false, now }: SealEvent, context: Context): Promise<SealedNow | undefined> =>
  withinInvocation(context, async () => {
    if (now) return sealNow(now.workspaceId);
    const due = await Array.fromAsync(dueTails());
    await sealAll(due);
    if (isHourly) await lookAround(due.length > 0);
    else if (due.length > 0 && (await isAnyDue())) await ensureScheduled({ enable });
    else await endSchedule({ enable, disable });
    return undefined;
  });

/** Erases and merges files. If tails were due, reports overdue ones, and keeps the schedule on. */
async function lookAround(wasAnyDue: boolean): Promise<void> {
  const due = await dueErasures(tableTime());
  await forgetWorkspaces(due);
  await continueRound(due);
  if (!wasAnyDue) return;
  await reportOverdue();
  await keepScheduled({ enable });
}

/** Seals tails, due or not. */
async function sealNow(workspaceId: string | undefined): Promise<SealedNow> {
  const tails = await Array.fromAsync(tailsToSeal());
  const wanted = tails.filter((entry) => workspaceId === undefined || entry.workspaceId === workspaceId);
  return { tails: wanted.length, sealed: await sealAll(wanted) };
}

/** Starts at a random tail, so that truncated runs eventually seal each one. @returns how many were sealed */
async function sealAll(due: readonly TailEntry[]): Promise<number> {
  const from = Math.floor(Math.random() * due.length);
  const inTurn = [...due.slice(from), ...due.slice(0, from)];
  const sealed = await inParallel(inTurn, concurrency, async (entry) => timeLeft() > tailMs && (await sealOne(entry)));
  return sealed.filter(Boolean).length;
}

async function sealOne(entry: TailEntry): Promise<boolean> {
  const { workspaceId } = entry;
  try {
    const sealed = await underSealingLease(workspaceId, () => reportingDenials(() => seal(workspaceId)));
    if (sealed !== 'sealed' && sealed !== 'gone') return false;
    await settleTail(entry);
    return true;
  } catch (error) {
    // A failure must not block the other tails. If a tail keeps failing, its age raises an alarm.
    const { name, message: reason } = error as Error;
    console.error({ message: 'a tail was not sealed', workspaceId, name, reason });
    return false;
  }
}

async function isAnyDue(): Promise<boolean> {
  for await (const _ of dueTails()) return true;
  return false;
}

/** Logs tails that should have been sealed a day ago, which raises an alarm. */
async function reportOverdue(): Promise<void> {
  for await (const { workspaceId, since, bytes, ...entry } of tailsToSeal()) {
    if (isOverdue({ since, bytes }, tableTime()))
      console.error({ message: alarming.tailOverdue, workspaceId, since, bytes, ...entry });
  }
}
