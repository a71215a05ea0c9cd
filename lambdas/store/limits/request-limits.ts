/**
 * The exact limits on requests: how a request takes one of the workspace's slots.
 *
 * One item per workspace and limit has, for a quota of n, the times `at1` to `at{n}` of the last n requests that
 * passed, oldest first, and their tokens `by1` to `by{n}`. The times are those at which the gateway received the
 * requests, so no function's clock matters. An example with three slots and a window of 60 seconds:
 *
 * 1. A was received at 70 s. One conditional update finds that the oldest slot has left the window, drops it, and adds
 *    A's.
 *
 *        before  at1 = 10  at2 = 30  at3 = 50   by1 = X  by2 = Y  by3 = Z
 *        after   at1 = 30  at2 = 50  at3 = 70   by1 = Y  by2 = Z  by3 = A
 *
 * 2. B was received at 80 s. The condition fails, because the slot of 30 s is in the window until 90 s. B is refused,
 *    and told to come back in 10 s. However many requests arrive at once, DynamoDB executes their updates one after the
 *    other.
 * 3. A's response is lost, and A asks again. The update finds A among the tokens, so A has passed and takes no second
 *    slot.
 * 4. C was received at 109 s and D at 105 s, but C's function is faster: C drops the slot of 30 s. D's update fails,
 *    because the newest slot is later than D. The slot of 50 s is in D's window, so D is refused, as C would be if D
 *    were faster. If that slot had left the window, a second update would let D pass, with the time of C, so that slots
 *    stay in order.
 *
 * If the quota has changed since the item was written, the item has more or fewer slots than the quota. A request that
 * may pass replaces all slots, with its own among them, if the newest one is unchanged: each write adds a new one.
 * Nothing in the window is lost, so functions of the former and of the new release can work side by side while a
 * release goes live.
 *
 * The operator can lift a workspace's limit for a time (`lambdas/operator/lifted-imports.ts`). The item says so, and
 * has more slots than usual while the lift lasts. Only a request that does not pass at first looks at that, so the
 * others make the same calls as without lifts:
 *
 * 1. The item has 3 slots, all in the window, and a lift to 30. The update fails, and the item shows the lift. The
 *    request puts 30 in their place: 26 placeholders, these 3, and its own.
 * 2. The item has 30 slots. A request tries with 3 first, which fails, because there is a fourth. It tries again with
 *    30.
 * 3. The lift is over. Again, the first attempt fails. If fewer than 3 slots are in the window, the item gets 3 slots.
 * 4. E was received before the end of the lift, and is slower than F, which was received after it. F's slot is the
 *    newest, so E is treated as if it was received with F, after the lift.
 */

import { bulkChanges, bulkRequests, metadataRequests, type RateLimit } from '../../core/limits.ts';
import { type Asking, decide, type Lift, leftOf, limitAt, nobody, type Slot, type Slots, type Taken } from '../../core/slots.ts';
import type { Item } from '../table/client.ts';
import { all, any, type Expression, failedCondition, ifConditionFails, is, isAbsent, lacks } from '../table/expressions.ts';
import { maybeNumber, number, text } from '../table/fields.ts';
import { type Key, type LimitName, limitKey } from '../table/keys.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { updateItem } from '../table/writes.ts';

/** The limits by their names, which are those in the headers of responses too. */
export const requestLimits: Readonly<Record<LimitName, RateLimit>> = {
  bulk: bulkRequests,
  'bulk-changes': bulkChanges,
  metadata: metadataRequests,
};

/** The lift in an item, whether or not it is over. */
export function liftIn(item: Item): Lift | undefined {
  const quota = maybeNumber(item, 'liftedQuota');
  return quota === undefined ? undefined : { quota, until: number(item, 'liftedUntil') };
}

/** How many windows an item that expires stays after its last request. Clocks may differ by seconds. */
const keptWindows = 10;

/**
 * Takes one of the workspace's slots of a limit. However many requests arrive at once, and in whatever order they reach
 * the functions, at most the quota of those that pass were received within any window.
 *
 * @param token unique per request, and not chosen by the client.
 * @param receivedAt when the gateway received the request, in milliseconds since 1970.
 * @throws RequestError `temporarily_unavailable`, also if others are faster until the deadline
 */
export const takeSlot = (
  name: LimitName,
  workspaceId: string,
  token: string,
  receivedAt: number,
  usual = requestLimits[name],
): Promise<Slot> => takeSlotAt(limitKey(workspaceId, name), token, receivedAt, usual);

/**
 * Takes one of the slots of an item, in the same way.
 *
 * @param isKept whether the table keeps the item. If not, it expires once no slot is in the window.
 */
export async function takeSlotAt(key: Key, token: string, receivedAt: number, usual: RateLimit, isKept = true): Promise<Slot> {
  const ttl = Math.ceil(receivedAt / 1_000) + keptWindows * usual.windowSeconds;
  const expiry = isKept ? { text: '' } : { text: ', #ttl = :ttl', values: { ':ttl': ttl } };
  const asking = { token, receivedAt };
  let attempt = { limit: usual, isOvertaken: false };
  return retrying(async () => {
    const slots = slotsIn(await tryToTake(key, asking, attempt, expiry));
    const decision = decide(slots, asking, usual);
    if ('slot' in decision) return decision.slot;
    attempt = decision;
    const { resized, limit } = decision;
    if (!resized || !(await replace(key, slots.taken, resized, expiry))) return overtaken;
    return { passed: true, limit, ...leftOf(timesOf(resized), limit, receivedAt) };
  });
}

/**
 * Takes a slot if the oldest one has left the window, the item has as many slots as the quota, and this request is not
 * among them yet. It is if the response to an earlier attempt was lost. Slots stay in order: see `isOvertaken`.
 *
 * @param isOvertaken whether the newest slot must be later than `receivedAt`, or must not be. If it is, this request's
 *   slot gets the same time.
 * @returns the item as it is then. The request is among its slots if it passed.
 */
async function tryToTake(
  key: Key,
  { token: me, receivedAt }: Asking,
  { limit: { quota: last, windowSeconds }, isOvertaken }: { readonly limit: RateLimit; readonly isOvertaken: boolean },
  expiry: Expression,
): Promise<Item> {
  const hasRoom = {
    text: `#at1 <= :windowStart AND #at${last} ${isOvertaken ? '>' : '<='} :at`,
    values: { ':windowStart': receivedAt - windowSeconds * 1_000, ':at': receivedAt },
  };
  const numbers = Array.from({ length: last }, (_, index) => index + 1);
  const isNoneOfThem = { text: numbers.map((slot) => `#by${slot} <> :me`).join(' AND '), values: { ':me': me } };
  const moved = numbers
    .slice(1)
    .flatMap((slot) => [
      `#at${slot - 1} = if_not_exists(#at${slot}, :never)`,
      `#by${slot - 1} = if_not_exists(#by${slot}, :nobody)`,
    ]);
  const newest = isOvertaken ? `if_not_exists(#at${last}, :at)` : ':at';
  const shift = {
    text: `SET ${[...moved, `#at${last} = ${newest}`, `#by${last} = :me`].join(', ')}${expiry.text}`,
    // DynamoDB refuses values that no expression uses, and a single slot has none to move.
    values: { ':at': receivedAt, ':me': me, ...(last > 1 && { ':never': 0, ':nobody': nobody }), ...expiry.values },
  };
  const write = updateItem(key, shift, any(isAbsent, all(hasRoom, isNoneOfThem, lacks(`at${last + 1}`))));
  return ifConditionFails(write, (failed) => failed.held());
}

/** Replaces all slots, if nobody has taken one since they were read. @returns whether they were replaced */
async function replace(key: Key, taken: readonly Taken[], slots: readonly Taken[], expiry: Expression): Promise<boolean> {
  const numbered = slots.map(({ at, by }, index) => ({ slot: index + 1, at, by }));
  const sets = numbered.map(({ slot }) => `#at${slot} = :at${slot}, #by${slot} = :by${slot}`);
  const gone = taken.slice(slots.length).map((_, index) => `#at${slots.length + index + 1}, #by${slots.length + index + 1}`);
  const values = numbered.map(({ slot, at, by }) => ({ [`:at${slot}`]: at, [`:by${slot}`]: by }));
  const update = {
    text: `SET ${sets.join(', ')}${expiry.text}${gone.length > 0 ? ` REMOVE ${gone.join(', ')}` : ''}`,
    values: Object.assign({}, expiry.values, ...values),
  };
  const newest = taken.at(-1);
  const isAsRead = all(...(newest ? [is(`by${taken.length}`, newest.by)] : []), lacks(`at${taken.length + 1}`));
  return !(await failedCondition(updateItem(key, update, isAsRead)));
}

/** Reads the item, whatever quota it was written for. */
function slotsIn(item: Item): Slots {
  const taken: Taken[] = [];
  for (let slot = 1; item[`at${slot}`] !== undefined; slot++) {
    taken.push({ at: number(item, `at${slot}`), by: text(item, `by${slot}`, nobody) });
  }
  return { taken, lift: liftIn(item) };
}

const timesOf = (taken: readonly Taken[]): number[] => taken.map(({ at }) => at);

/**
 * How many requests would pass now, and in how many seconds there is one more; 0 if nothing is used. It takes no slot.
 *
 * @param item the workspace's slots of the limit; undefined if it has never sent such a request.
 * @param now when the gateway received the request that asks. A later slot is treated as taken now.
 */
export function slotsLeft(item: Item | undefined, now: number, usual: RateLimit) {
  const { taken, lift } = slotsIn(item ?? {});
  const { quota, windowSeconds } = limitAt(lift, now, usual);
  const { remaining, resetSeconds } = leftOf(timesOf(taken), { quota, windowSeconds }, now);
  return { limit: quota, remaining, windowSeconds, resetSeconds: remaining === quota ? 0 : resetSeconds };
}
