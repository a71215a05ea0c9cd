import { isToSeal } from '../../core/click/tail.ts';
import { underLease } from '../schedules/leases.ts';
import { roundsOf } from '../schedules/rounds.ts';
import { switchedSchedule } from '../schedules/switched-schedule.ts';
import { tableTime } from '../table/clock.ts';
import { mergeRoundKey, sealingLeaseKey, sealingScheduleKey } from '../table/keys.ts';
import { type TailEntry, tailsToSeal } from './tail-entries.ts';

/** The tails that are to be sealed now. Read consistently. */
export async function* dueTails(): AsyncGenerator<TailEntry> {
  for await (const entry of tailsToSeal()) if (isToSeal(entry, tableTime())) yield entry;
}

/** The schedule of sealing runs while a tail is to be sealed. */
export const { ensureScheduled, endSchedule, keepScheduled } = switchedSchedule(sealingScheduleKey, async () => {
  for await (const _ of dueTails()) return true;
  return false;
});

/** How long a lease lasts if its holder dies, in milliseconds. The schedule runs once a minute. */
const leaseMs = 20_000;

/** Seals or merges under the lease of a workspace. @returns undefined if another function does it */
export const underSealingLease = <T>(workspaceId: string, work: () => Promise<T>): Promise<T | undefined> =>
  underLease(sealingLeaseKey(workspaceId), leaseMs, work);

/** The rounds that merge the files of all workspaces, by their keys. */
export const { currentRound, saveRound } = roundsOf(mergeRoundKey);
