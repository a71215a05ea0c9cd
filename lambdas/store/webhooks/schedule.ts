import { flag } from '../table/fields.ts';
import { scheduleKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { putItem } from '../table/writes.ts';
import { dueReceivers } from './receivers.ts';

/**
 * The schedule of the senders runs only while a receiver is due, now or later. An item says whether it is on, so that
 * nobody has to ask EventBridge.
 *
 * Who marks a receiver looks at the item after that, and switches the schedule on if it is off. Who switches it off
 * looks for marks, and at the item, after that: somebody may have switched it on a moment before it went off. So one of
 * the two sees the other. The item says that it is on only after that was done. Whoever dies in between is found by
 * the next run, or by the hourly look (`keepScheduled`).
 */
type Switch = { readonly enable: () => Promise<void>; readonly disable: () => Promise<void> };

/** Switches the schedule on, unless it is. Call it after a receiver was marked as due. */
export async function ensureScheduled({ enable }: Pick<Switch, 'enable'>): Promise<void> {
  const item = await getItem(scheduleKey);
  if (item && flag(item, 'isOn')) return;
  await switchOn(enable);
}

async function switchOn(enable: Switch['enable']): Promise<void> {
  await enable();
  await putItem({ ...scheduleKey, isOn: true });
}

/** Switches the schedule off, unless somebody has marked a receiver meanwhile. */
export async function endSchedule({ enable, disable }: Switch): Promise<void> {
  await putItem({ ...scheduleKey, isOn: false });
  await disable();
  const item = await getItem(scheduleKey);
  if ((item && flag(item, 'isOn')) || (await isAnyDue())) await switchOn(enable);
}

/** Switches the schedule on if a receiver is due, even if the item says that it is on. */
export async function keepScheduled({ enable }: Pick<Switch, 'enable'>): Promise<void> {
  if (await isAnyDue()) await switchOn(enable);
}

async function isAnyDue(): Promise<boolean> {
  for await (const _ of dueReceivers()) return true;
  return false;
}
