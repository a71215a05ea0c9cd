/**
 * The limit on bulk requests: how a request takes one of the workspace's slots.
 *
 * One item per workspace has, for a quota of n, the times `at1` to `at{n}` of the last n requests that passed, oldest
 * first, their tokens `by1` to `by{n}`, and in `at0` the time of the request before them. An example with three slots
 * and a window of 60 seconds:
 *
 * 1. A asks at 70 s. One conditional update finds that the oldest slot has left the window, drops it, and adds A's.
 *
 *        before  at0 = 0   at1 = 10  at2 = 30  at3 = 50   by1 = X  by2 = Y  by3 = Z
 *        after   at0 = 10  at1 = 30  at2 = 50  at3 = 70   by1 = Y  by2 = Z  by3 = A
 *
 * 2. B asks at 80 s. The condition fails, because the slot of 30 s is in the window until 90 s. B is refused, and told
 *    to come back in 10 s. However many ask at once, DynamoDB carries out their updates one after the other.
 * 3. A's response is lost, and A asks again. The update finds A among the tokens, so A has passed and takes no second
 *    slot.
 * 4. C asks at 80 s too, but its clock is an hour ahead. It drops the slot of 30 s and adds one at 3,680 s. The response
 *    has the table's time, so C sees that its own was wrong. It gives the slot back (the update in reverse, for which
 *    `at0` is there), and asks again with the corrected time.
 * 5. D does the same as C, but dies before it gives the slot back. E comes next, finds a slot in the future, and moves
 *    it to the present. So D has used up a slot for a minute, but nobody waits an hour for it.
 *
 * If the quota has changed since the item was written, the item has more or fewer slots than the quota. A request that
 * may pass rewrites it first. Nothing in the window is lost, so functions of the former and of the new release can work
 * side by side while a release goes live.
 */

import { unavailable } from '../../core/errors.ts';
import { bulkRequests, type RateLimit } from '../../core/limits.ts';
import type { Item } from '../table/client.ts';
import { byTableTime, clockSlackMs } from '../table/clock.ts';
import { all, any, type Expression, ifConditionFails, is, isAbsent, lacks } from '../table/conditions.ts';
import { number, text } from '../table/fields.ts';
import { type Key, limitKey } from '../table/keys.ts';
import { updateItem } from '../table/writes.ts';

/** Whether a request passes, how many more would pass now, and in how many seconds the next slot becomes free. */
export type Slot = { readonly passed: boolean; readonly remaining: number; readonly resetSeconds: number };

/** A slot of the item: when it was taken, in milliseconds since 1970, and by which attempt; 0 if it never was. */
type Taken = { readonly at: number; readonly by: string };

/** The item: its slots, oldest first, and the time of the slot before them. */
type Slots = { readonly before: number; readonly taken: readonly Taken[] };

/** Stands for the token of a slot that nobody has. */
const nobody = '-';

/** How many attempts to make: other requests may be first, and a clock may turn out to be wrong. */
const mostAttempts = 10;

/**
 * Takes one of the workspace's slots. The limit holds however many requests arrive at once and whatever the functions'
 * clocks say. By the table's clock, a request beyond the quota passes only if it asks at least 55 seconds after the
 * first of the `quota` requests before it, and no request is refused for more than 65. With correct clocks it is exactly
 * 60.
 *
 * @param token unique per request, and not chosen by the client.
 * @throws RequestError `temporarily_unavailable` if concurrent requests, or a clock that jumps, prevent every attempt
 */
export async function takeBulkSlot(workspaceId: string, token: string, limit: RateLimit = bulkRequests): Promise<Slot> {
  const key = limitKey(workspaceId);
  let newest = 0;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    // Unique per attempt: a slot that was taken by a wrong clock does not count.
    const me = `${token}.${attempt}`;
    const { result, now, isRight } = await byTableTime((now) => tryToTake(key, me, limit, now, Math.max(now, newest)));
    const { taken } = result;
    const passed = taken.some(({ by }) => by === me);
    if (!isRight) {
      if (passed) await giveBack(key, me, limit);
      continue;
    }
    if (passed) return slotOf(taken, limit, now, true);
    if (taken.some(({ at }) => at > now + clockSlackMs)) {
      await moveToPresent(key, taken, now);
      continue;
    }
    if (inWindow(taken, limit, now).length >= limit.quota) return slotOf(taken, limit, now, false);
    if (taken.length !== limit.quota) await changeQuota(key, result, limit);
    // A clock that is a few milliseconds behind uses the newest time instead of its own, so that slots stay in order.
    newest = taken.at(-1)?.at ?? 0;
  }
  throw unavailable();
}

/**
 * Takes a slot if the oldest one has left the window, `at` is not before the newest, the item has as many slots as the
 * quota, and this attempt is not among them yet. It is if the response to its own update was lost.
 *
 * @param now the end of the window.
 * @param at the time that the slot gets.
 * @returns the item as it is then. The attempt is among its slots if it passed.
 */
async function tryToTake(key: Key, me: string, limit: RateLimit, now: number, at: number): Promise<Slots> {
  const numbers = slotNumbers(limit.quota);
  const last = limit.quota;
  const hasRoom = {
    text: `#at1 <= :windowStart AND #at${last} <= :at`,
    values: { ':windowStart': now - limit.windowSeconds * 1_000, ':at': at },
  };
  const isNoneOfThem = { text: numbers.map((slot) => `#by${slot} <> :me`).join(' AND '), values: { ':me': me } };
  const shifted = (name: string, from: number, otherwise: string) =>
    numbers.flatMap((slot) => (slot > from ? [`#${name}${slot - 1} = if_not_exists(#${name}${slot}, ${otherwise})`] : []));
  const shift = {
    text: `SET ${[...shifted('at', 0, ':never'), `#at${last} = :at`, ...shifted('by', 1, ':nobody'), `#by${last} = :me`].join(
      ', ',
    )}`,
    // DynamoDB refuses values that no expression uses, and a single slot has no token to shift.
    values: { ':never': 0, ':at': at, ...(last > 1 && { ':nobody': nobody }), ':me': me },
  };
  const write = updateItem(key, shift, any(isAbsent, all(hasRoom, isNoneOfThem, lacks(`at${last + 1}`))));
  return slotsIn(await ifConditionFails(write, (failed) => failed.held()));
}

/**
 * Gives a slot back if it is still the newest. If not, it stays: the limit may then refuse a request too many, but
 * never lets one too many pass.
 */
async function giveBack(key: Key, me: string, { quota }: RateLimit): Promise<void> {
  const newestFirst = slotNumbers(quota).toReversed();
  const shift = {
    text: `SET ${[
      ...newestFirst.map((slot) => `#at${slot} = #at${slot - 1}`),
      ...newestFirst.map((slot) => `#by${slot} = ${slot > 1 ? `#by${slot - 1}` : ':nobody'}`),
    ].join(', ')}`,
    values: { ':nobody': nobody },
  };
  await ifConditionFails(updateItem(key, shift, is(`by${quota}`, me)), () => undefined);
}

/** Moves slots in the future to now, if all are as they were read. If not, the next attempt reads them again. */
async function moveToPresent(key: Key, taken: readonly Taken[], now: number): Promise<void> {
  const moved = {
    text: `SET ${taken.map((_, index) => `#at${index + 1} = :new${index + 1}`).join(', ')}`,
    values: Object.fromEntries(taken.map(({ at }, index) => [`:new${index + 1}`, Math.min(at, now)])),
  };
  await ifConditionFails(updateItem(key, moved, all(...areTimes(taken))), () => undefined);
}

/**
 * Rewrites an item of a former quota, if it is as it was read. With a larger quota, older slots are those that never
 * were. With a smaller one, the oldest go. Do this only if fewer slots than the quota are in the window, so that none of
 * these go.
 */
async function changeQuota(key: Key, { before, taken }: Slots, { quota }: RateLimit): Promise<void> {
  const never = Array.from({ length: quota }, () => ({ at: 0, by: nobody }));
  const known = [...never, { at: before, by: nobody }, ...taken];
  const kept = known.slice(-quota);
  const numbers = slotNumbers(quota);
  const gone = taken.flatMap((_, index) => (index + 1 > quota ? [`#at${index + 1}, #by${index + 1}`] : []));
  const rewritten = {
    text: `SET #at0 = :before, ${numbers.map((slot) => `#at${slot} = :at${slot}, #by${slot} = :by${slot}`).join(', ')}${
      gone.length > 0 ? ` REMOVE ${gone.join(', ')}` : ''
    }`,
    values: {
      ':before': known.at(-quota - 1)?.at,
      ...Object.fromEntries(
        kept.flatMap(({ at, by }, index) => [
          [`:at${index + 1}`, at],
          [`:by${index + 1}`, by],
        ]),
      ),
    },
  };
  const areTokens = taken.map(({ by }, index) => is(`by${index + 1}`, by));
  const isAsRead = all(...areTimes(taken), ...areTokens, lacks(`at${taken.length + 1}`));
  await ifConditionFails(updateItem(key, rewritten, isAsRead), () => undefined);
}

/** The numbers of the slots: 1 to the quota. */
const slotNumbers = (quota: number): number[] => Array.from({ length: quota }, (_, index) => index + 1);

const areTimes = (taken: readonly Taken[]): Expression[] => taken.map(({ at }, index) => is(`at${index + 1}`, at));

/** Reads the item, whatever quota it was written for. */
function slotsIn(item: Item): Slots {
  const taken: Taken[] = [];
  for (let slot = 1; item[`at${slot}`] !== undefined; slot++) {
    taken.push({ at: number(item, `at${slot}`), by: text(item, `by${slot}`, nobody) });
  }
  return { before: number(item, 'at0', 0), taken };
}

const inWindow = (taken: readonly Taken[], { windowSeconds }: RateLimit, now: number): Taken[] =>
  taken.filter(({ at }) => at > now - windowSeconds * 1_000);

function slotOf(taken: readonly Taken[], limit: RateLimit, now: number, passed: boolean): Slot {
  const { quota, windowSeconds } = limit;
  const recent = inWindow(taken, limit, now);
  // There is one more when this slot has left the window. It is the oldest, unless a former quota was larger.
  const next = Math.min(now, recent[Math.max(0, recent.length - quota)]?.at ?? now);
  return {
    passed,
    remaining: Math.max(0, quota - recent.length),
    resetSeconds: Math.max(0, Math.ceil((next + windowSeconds * 1_000 - now) / 1_000)),
  };
}

/**
 * How many requests would pass now, and in how many seconds there is one more; 0 if nothing is used. It takes no slot.
 *
 * @param item the workspace's bulk limit; undefined if it has never sent a bulk request.
 * @param now by the table's clock. A slot in the future, which a wrong clock has left, counts as taken now.
 */
export function slotsLeft(item: Item | undefined, now: number, limit: RateLimit = bulkRequests) {
  const taken = item ? slotsIn(item).taken.map(({ at, by }) => ({ at: Math.min(at, now), by })) : [];
  const { remaining, resetSeconds } = slotOf(taken, limit, now, true);
  const { quota, windowSeconds } = limit;
  return { limit: quota, remaining, windowSeconds, resetSeconds: remaining === quota ? 0 : resetSeconds };
}
