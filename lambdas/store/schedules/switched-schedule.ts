import { tableTime } from '../table/clock.ts';
import { flag, number } from '../table/fields.ts';
import type { Key } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { putItem } from '../table/writes.ts';

/**
 * A schedule that runs every minute, but only while something is due, now or later. An item says whether it is on, so
 * that nobody has to ask EventBridge.
 *
 * Whoever makes something due looks at the item afterwards, and switches the schedule on if it is off. Whoever switches
 * it off looks for due entries, and at the item, afterwards. So one of the two sees the other. The item says "on" only
 * after the schedule is on. For example, a run R finds nothing due while F makes something due:
 *
 *     R   finds no due entry
 *     F   makes something due; the item says "on", so F is done
 *     R   item: off; schedule: off
 *     R   looks for due entries, and finds F's: schedule: on; item: on
 *
 * Or F comes a little later:
 *
 *     R   finds no due entry; item: off
 *     F   makes something due; the item says "off": schedule: on; item: on
 *     R   schedule: off
 *     R   the item says "on", so R switches the schedule on again
 *
 * If R dies before its last line, the schedule is off while an entry is due, or while the item says "on". The next
 * function that makes something due notices that if the item says "off", or once it is five minutes old, after which it
 * isn't trusted any more. The hourly run (`keepScheduled`) notices it in any case.
 */
type Switch = { readonly enable: () => Promise<void>; readonly disable: () => Promise<void> };

/** How long the item is trusted if it says "on", in milliseconds. After that, the schedule is switched on again. */
const believedMs = 5 * 60_000;

/**
 * The switch of a schedule.
 *
 * @param scheduleKey of the item that says whether it is on.
 * @param isAnyDue looks for a due entry, consistently.
 */
export function switchedSchedule(scheduleKey: Key, isAnyDue: () => Promise<boolean>) {
  /** Whether the item says that the schedule is on, and can be trusted. */
  async function isOn(): Promise<boolean> {
    const item = await getItem(scheduleKey);
    return item !== undefined && flag(item, 'isOn') && tableTime() < number(item, 'at', 0) + believedMs;
  }
  async function switchOn(enable: Switch['enable']): Promise<void> {
    await enable();
    await putItem({ ...scheduleKey, isOn: true, at: tableTime() });
  }
  return {
    /** Switches the schedule on, unless the item says that it is. Call it after making something due. */
    ensureScheduled: async ({ enable }: Pick<Switch, 'enable'>): Promise<void> => {
      if (!(await isOn())) await switchOn(enable);
    },
    /** Switches the schedule off, unless somebody has made something due meanwhile. */
    endSchedule: async ({ enable, disable }: Switch): Promise<void> => {
      await putItem({ ...scheduleKey, isOn: false });
      await disable();
      if ((await isOn()) || (await isAnyDue())) await switchOn(enable);
    },
    /** Switches the schedule on if something is due, even if the item says that it is on. */
    keepScheduled: async ({ enable }: Pick<Switch, 'enable'>): Promise<void> => {
      if (await isAnyDue()) await switchOn(enable);
    },
  };
}
