import { switchedSchedule } from '../schedules/switched-schedule.ts';
import { scheduleKey } from '../table/keys.ts';
import { dueReceivers } from './receivers.ts';

/** The schedule of the senders runs while a receiver is due. */
export const { ensureScheduled, endSchedule, keepScheduled } = switchedSchedule(scheduleKey, async () => {
  for await (const _ of dueReceivers()) return true;
  return false;
});
