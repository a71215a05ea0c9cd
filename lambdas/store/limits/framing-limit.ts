import { RequestError } from '../../core/errors.ts';
import { framingLookUpsPerHour } from '../../core/limits.ts';
import { timeLeft, withDeadline } from '../../runtime/deadline.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { all, type Expression, failedCondition, is, isAbsent, plus, set } from '../table/expressions.ts';
import { number } from '../table/fields.ts';
import { framingLimitKey } from '../table/keys.ts';
import { updateItem } from '../table/writes.ts';

const hourMs = 60 * 60 * 1_000;

const hourOf = (time: number): number => Math.floor(time / hourMs);

/** The most time that a request waits for its look-ups, in milliseconds. */
const patienceMs = 1_000;

/**
 * Takes some of a workspace's look-ups for this hour, never more than are left, however many requests arrive at once.
 * Usually one conditional write; two for the first request of an hour, or if fewer are left than wanted. An import
 * may want one for each of its links, too many for ordered slots as in `request-limits.ts`. So this is an hourly counter.
 *
 * If others have already begun the next hour, a request uses theirs. An hour that is further ahead was set by a wrong
 * clock, and is replaced.
 *
 * @param now the table's time in milliseconds since 1970, which the first response corrects: a function whose own clock
 *   is hours behind must not begin the hour anew.
 * @returns how many look-ups were taken; 0 if the table does not respond.
 */
export async function takeLookUps(
  workspaceId: string,
  wanted: number,
  most = framingLookUpsPerHour,
  now = tableTime,
): Promise<number> {
  try {
    return await withDeadline(Math.min(timeLeft() / 4, patienceMs), () => take(workspaceId, wanted, most, now));
  } catch (error) {
    // Look-ups are optional, so a link is not refused for lack of them.
    if (error instanceof RequestError) return 0;
    throw error;
  }
}

async function take(workspaceId: string, wanted: number, most: number, now: () => number): Promise<number> {
  const key = framingLimitKey(workspaceId);
  let hour = hourOf(now());
  let count = Math.min(wanted, most);
  let begins: Expression | undefined;
  while (count > 0) {
    const isFirst: Expression = set({ hour, used: count });
    const isNext: Expression = set({ used: plus(count) });
    const hasRoom = all(is('hour', hour), { text: '#used <= :room', values: { ':room': most - count } });
    const failed = await failedCondition(updateItem(key, begins ? isFirst : isNext, begins ?? hasRoom));
    if (!failed) return count;
    const [there] = failed.items;
    const known = there && { hour: number(there, 'hour'), used: number(there, 'used') };
    begins = undefined;
    hour = hourOf(now());
    if (known && (known.hour === hour || known.hour === hour + 1)) {
      hour = known.hour;
      count = Math.min(count, most - known.used);
    } else begins = known ? is('hour', known.hour) : isAbsent;
  }
  return 0;
}

/**
 * How many look-ups are left in this hour, and in how many seconds the next one begins; 0 if none is used.
 *
 * @param item the workspace's limit; undefined if nothing was ever looked up.
 */
export function lookUpsLeft(item: Item | undefined, now: number) {
  const hour = hourOf(now);
  const used = item && number(item, 'hour') === hour ? number(item, 'used') : 0;
  return {
    limit: framingLookUpsPerHour,
    remaining: Math.max(0, framingLookUpsPerHour - used),
    windowSeconds: hourMs / 1_000,
    resetSeconds: used === 0 ? 0 : Math.ceil(((hour + 1) * hourMs - now) / 1_000),
  };
}
