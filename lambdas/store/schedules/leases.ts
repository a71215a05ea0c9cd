import { newRequestToken } from '../../core/ids.ts';
import { tableTime } from '../table/clock.ts';
import { all, type Expression, failedCondition, ifConditionFails, is, isAbsent } from '../table/expressions.ts';
import { number, text } from '../table/fields.ts';
import type { Key } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { deleteItem, putItem } from '../table/writes.ts';

/**
 * Leases: only the holder of a lease does the work, until the lease runs out. Most leases are renewed while their
 * holder is at work, so that nobody waits long for a holder that died; the others are longer than an invocation. Times
 * are by the table's clock. The work must tolerate two holders: one that hangs is taken for dead, and may wake up.
 */

/** How long a lease lasts before another function may take over, in milliseconds. */
const usualMs = 5_000;
/** How often it is renewed in that time, so that one renewal may fail. */
const renewals = 10 / 3;
/**
 * How far a lease can be ahead of the table's time, in multiples of its length, even if its holder and this function
 * estimate that time differently.
 */
const mostAhead = 2;

/** When a lease that begins or is renewed now ends. @param leaseMs how long it lasts */
export const newLeaseEnd = (leaseMs = usualMs): number => tableTime() + leaseMs;

/**
 * Whether another function may be at work. The response that brought the lease has also brought the table's time. A
 * lease that is too far ahead comes from a wrong clock, and is ignored. Its holder may still be at work, which the work
 * tolerates.
 */
export function isHeld(leaseUntil: number, leaseMs = usualMs): boolean {
  const left = leaseUntil - tableTime();
  return left > 0 && left <= mostAhead * leaseMs;
}

/** A lease that a function has taken. @property owner random, so that nobody else ever has the same */
type Taken = { readonly owner: string; readonly leaseUntil: number };

/**
 * Takes a lease, unless somebody holds it or is faster. If the response to the write is lost, the item says who has
 * taken it.
 *
 * @param until when it ends, as just read; 0 if nobody has it.
 * @param write stores owner and end, on the condition that the item is as it was read.
 */
export async function takeUnlessHeld(
  until: number,
  write: (lease: Taken) => Promise<unknown>,
  leaseMs = usualMs,
): Promise<Taken | undefined> {
  if (isHeld(until, leaseMs)) return undefined;
  const lease = { owner: newRequestToken(), leaseUntil: newLeaseEnd(leaseMs) };
  const failed = await failedCondition(write(lease));
  return failed === undefined || failed.items[0]?.owner === lease.owner ? lease : undefined;
}

/**
 * Does the work while renewing the lease. A failed renewal is ignored: the next one may succeed, and if another
 * function has taken over, the holder's last write notices.
 *
 * @param setLease writes when the lease ends, if it is still this function's.
 */
export async function whileRenewing<T>(
  setLease: (until: number) => Promise<unknown>,
  work: () => Promise<T>,
  leaseMs = usualMs,
): Promise<T> {
  const renewal = setInterval(() => setLease(newLeaseEnd(leaseMs)).catch(() => {}), leaseMs / renewals);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}

/** How long a lease's item stays if its holder died and nobody took over, in seconds. */
const keptSeconds = 24 * 60 * 60;

/**
 * Does some work under a lease, unless another function does it.
 *
 * @param leaseKey of the lease's item, which is there only while somebody is at work.
 * @param leaseMs how long others wait if the holder dies.
 * @returns what the work returns; undefined if another function has the lease.
 */
export async function underLease<T>(leaseKey: Key, leaseMs: number, work: () => Promise<T>): Promise<T | undefined> {
  const known = await getItem(leaseKey);
  const until = known ? number(known, 'leaseUntil') : 0;
  const isAsRead = known ? all(is('owner', text(known, 'owner')), is('leaseUntil', until)) : isAbsent;
  const put = (lease: Taken, condition: Expression) =>
    putItem({ ...leaseKey, ...lease, ttl: Math.ceil(lease.leaseUntil / 1_000) + keptSeconds }, condition);
  const lease = await takeUnlessHeld(until, (taken) => put(taken, isAsRead), leaseMs);
  if (!lease) return undefined;
  const isOurs = is('owner', lease.owner);
  try {
    return await whileRenewing((leaseUntil) => put({ ...lease, leaseUntil }, isOurs), work, leaseMs);
  } finally {
    // If this fails, the lease runs out by itself.
    await ifConditionFails(deleteItem(leaseKey, isOurs), () => undefined).catch(() => {});
  }
}
