import { unavailable } from '../../domain/errors.ts';
import { bulkRequests } from '../../domain/limits.ts';
import type { Item } from '../table/client.ts';
import { byTableTime, clockSlackMs } from '../table/clock.ts';
import { all, any, ifConditionFails, is, isAbsent } from '../table/conditions.ts';
import { number, text } from '../table/fields.ts';
import { type Key, limitKey } from '../table/keys.ts';
import { updateItem } from '../table/writes.ts';

/** Whether a request passes, how many more would pass now, and in how many seconds the next slot becomes free. */
export type Slot = { readonly passed: boolean; readonly remaining: number; readonly resetSeconds: number };

const windowMs = bulkRequests.windowSeconds * 1_000;

/** When the last three slots were taken, in milliseconds since 1970, oldest first; 0 for one that never was. */
type Times = readonly [number, number, number];

/** How many attempts to make: other requests may be first, and a clock may turn out to be wrong. */
const mostAttempts = 10;

/**
 * Takes one of the workspace's slots. The limit holds however many requests arrive at once and whatever the functions'
 * clocks say. By the table's clock, a fourth request passes only if it asks at least 55 seconds after the first of the
 * three before it, and no request is refused for more than 65. With correct clocks it is exactly 60.
 *
 * One conditional update takes a slot or is refused. Its response has the table's time. If the function's estimate of
 * that time was wrong, a slot that was taken is given back, and the next attempt uses the corrected time. Slots in the
 * future, left by functions that died before they could give them back, are moved to the present.
 *
 * @param token unique per request, and not chosen by the client.
 * @throws RequestError `temporarily_unavailable` if concurrent requests, or a clock that jumps, prevent every attempt
 */
export async function takeBulkSlot(workspaceId: string, token: string): Promise<Slot> {
  const key = limitKey(workspaceId);
  let newest = 0;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    // Unique per attempt: a slot that was taken by a wrong clock does not count.
    const me = `${token}.${attempt}`;
    const { result, now, isRight } = await byTableTime((now) => tryToTake(key, me, now, Math.max(now, newest)));
    const { times, passed } = result;
    if (!isRight) {
      if (passed) await giveBack(key, me);
      continue;
    }
    if (passed) return slotOf(times, now, true);
    if (times.some((at) => at > now + clockSlackMs)) {
      await moveToPresent(key, times, now);
      continue;
    }
    const [oldest, , latest] = times;
    if (oldest > now - windowMs) return slotOf(times, now, false);
    // A clock that is a few milliseconds behind uses the newest time instead of its own, so that slots stay in order.
    newest = latest;
  }
  throw unavailable();
}

/**
 * The item has the times and tokens of the last three requests that passed, oldest first, and the time of the one
 * before them. The update shifts them by one and adds this request at the end. Its conditions: the oldest has left the
 * window, this time is not before the newest, and this request is not among them yet. It is if the response to its own
 * update was lost.
 *
 * @param now the end of the window.
 * @param at the time that the slot gets.
 */
async function tryToTake(key: Key, me: string, now: number, at: number): Promise<{ times: Times; passed: boolean }> {
  const hasRoom = { text: '#at1 <= :windowStart AND #at3 <= :at', values: { ':windowStart': now - windowMs, ':at': at } };
  const isNoneOfThem = { text: '#by1 <> :me AND #by2 <> :me AND #by3 <> :me', values: { ':me': me } };
  const write = updateItem(
    key,
    {
      text:
        'SET #at0 = if_not_exists(#at1, :never), #at1 = if_not_exists(#at2, :never), #at2 = if_not_exists(#at3, :never), #at3 = :at, ' +
        '#by1 = if_not_exists(#by2, :nobody), #by2 = if_not_exists(#by3, :nobody), #by3 = :me',
      values: { ':never': 0, ':at': at, ':nobody': '-', ':me': me },
    },
    any(isAbsent, all(hasRoom, isNoneOfThem)),
  );
  const item = await ifConditionFails(write, (failed) => failed.held());
  const passed = ['by1', 'by2', 'by3'].some((name) => text(item, name) === me);
  return { times: [number(item, 'at1'), number(item, 'at2'), number(item, 'at3')], passed };
}

/**
 * Gives a slot back if it is still the newest. If not, it stays: the limit may then refuse a request too many, but
 * never lets one too many pass.
 */
async function giveBack(key: Key, me: string): Promise<void> {
  const write = updateItem(
    key,
    {
      text: 'SET #at3 = #at2, #at2 = #at1, #at1 = #at0, #by3 = #by2, #by2 = #by1, #by1 = :nobody',
      values: { ':nobody': '-' },
    },
    is('by3', me),
  );
  await ifConditionFails(write, () => undefined);
}

/** Moves slots in the future to now, if all are as they were read. If not, the next attempt reads them again. */
async function moveToPresent(key: Key, [at1, at2, at3]: Times, now: number): Promise<void> {
  const [new1, new2, new3] = [at1, at2, at3].map((at) => Math.min(at, now));
  const write = updateItem(
    key,
    { text: 'SET #at1 = :new1, #at2 = :new2, #at3 = :new3', values: { ':new1': new1, ':new2': new2, ':new3': new3 } },
    all(is('at1', at1), is('at2', at2), is('at3', at3)),
  );
  await ifConditionFails(write, () => undefined);
}

function slotOf(times: Times, now: number, passed: boolean): Slot {
  const inWindow = times.filter((at) => at > now - windowMs);
  const oldest = Math.min(...inWindow, now);
  return {
    passed,
    remaining: bulkRequests.quota - inWindow.length,
    resetSeconds: Math.max(0, Math.ceil((oldest + windowMs - now) / 1_000)),
  };
}

/**
 * How many requests would pass now, and in how many seconds there is one more; 0 if nothing is used. It takes no slot.
 *
 * @param item the workspace's bulk limit; undefined if it has never sent a bulk request.
 * @param now by the table's clock. A slot in the future, which a wrong clock has left, counts as taken now.
 */
export function slotsLeft(item: Item | undefined, now: number) {
  const times: Times = item ? [number(item, 'at1'), number(item, 'at2'), number(item, 'at3')] : [0, 0, 0];
  const [at1, at2, at3] = times.map((at) => Math.min(at, now)) as [number, number, number];
  const { remaining, resetSeconds } = slotOf([at1, at2, at3], now, true);
  const isUnused = remaining === bulkRequests.quota;
  return {
    limit: bulkRequests.quota,
    remaining,
    windowSeconds: bulkRequests.windowSeconds,
    resetSeconds: isUnused ? 0 : resetSeconds,
  };
}
