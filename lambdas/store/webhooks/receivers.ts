import { newVisitId } from '../../core/ids.ts';
import { healthy, type ReceiverHealth } from '../../core/webhook/receiver.ts';
import { isHeld, takeUnlessHeld } from '../schedules/leases.ts';
import { switchedSchedule } from '../schedules/switched-schedule.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { commit } from '../table/commit.ts';
import { all, failedCondition, has, is, lacks, plus, set } from '../table/expressions.ts';
import { flag, maybeText, number, oneOf, text } from '../table/fields.ts';
import {
  deliveryWakesOf,
  dueKey,
  duePartitions,
  type Key,
  queuedAt,
  queueOf,
  type ReceiverPk,
  receiverKey,
  scheduleKey,
  toKey,
  wakeKey,
  wakesOf,
} from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { deleteItem, putItem, putting, updateItem, updating } from '../table/writes.ts';

/**
 * A receiver is a URL of a workspace that gets webhooks. One sender at a time works for it, under a lease:
 *
 * - Each lease has a number, one higher than the last. All of a sender's writes here are conditional on it.
 * - `leaseUntil` is by the table's clock (`clock.ts`), and later than the sender's invocation can last. Afterwards
 *   another sender may take the lease.
 * - A due entry says when a sender should come next. A sender's own entry has the number of its lease. Whoever adds to
 *   the queue overwrites the entry, so that the sender notices when it wants to remove or replace it.
 *
 * For example, F adds deliveries while S sends:
 *
 *     F   adds delivery 1 to the queue, makes the receiver due: at 0; starts S
 *     S   takes lease 5 until 12:01:30, writes the due entry: at 12:01:30, lease 5
 *     S   sends delivery 1, finds the queue empty
 *     F   adds delivery 2, makes the receiver due: at 0
 *     S   ends its lease, and removes the due entry, if it is still that of lease 5: refused, so S looks again
 *     S   takes lease 6, sends delivery 2, ends its lease, and removes the due entry
 *
 * Had S died while it sent delivery 1, the due entry would have remained. From 12:01:30 on, the schedule starts another
 * sender, which takes lease 6. Should S come back after all, whatever it writes is refused, because it has lease 5.
 */
export type Receiver = ReceiverHealth & {
  readonly pk: ReceiverPk;
  readonly leaseNumber: number;
  readonly leaseUntil: number;
  /**
   * Whether a call of its last run took long. Then only the schedule starts its sender, which serves many such
   * receivers at once, so that URLs that hang cannot take up the account's concurrency.
   */
  readonly isSlow: boolean;
  /** How many times it was resumed. */
  readonly resumes: number;
};

/** What a sender learns about a receiver. */
export type Findings = ReceiverHealth & Pick<Receiver, 'isSlow'>;

/** Longer than an invocation of the sender, in milliseconds, so that a lease ends only after its holder. */
const leaseMs = 90_000;

const day = 24 * 60 * 60;

/**
 * When a receiver is forgotten, in seconds since 1970, if nothing is to be sent to it until then: after 30 days, but if
 * it is stopped, after a year.
 */
const forgottenAt = ({ stopped }: ReceiverHealth): number => Math.ceil(tableTime() / 1_000) + (stopped === null ? 30 : 365) * day;

export const toReceiver = (pk: ReceiverPk, item: Item = {}): Receiver => ({
  pk,
  leaseNumber: number(item, 'leaseNumber', 0),
  leaseUntil: number(item, 'leaseUntil', 0),
  failingSince: maybeText(item, 'failingSince') ?? null,
  failedAt: maybeText(item, 'failedAt') ?? null,
  error: maybeText(item, 'error') ?? null,
  redirectsTo: maybeText(item, 'redirectsTo') ?? null,
  stopped: item.stopped === undefined ? null : oneOf(item, 'stopped', ['paused', 'gone'] as const),
  stoppedAt: maybeText(item, 'stoppedAt') ?? null,
  isSlow: flag(item, 'isSlow', false),
  resumes: number(item, 'resumes', 0),
});

/** Receivers in the order of their keys. A receiver without an item has no failures. */
export const getReceivers = async (pks: readonly ReceiverPk[]): Promise<Receiver[]> =>
  (await getItems(pks.map(receiverKey))).map((item, index) => toReceiver(pks[index] as ReceiverPk, item));

/** Makes a receiver due, so that a sender comes for it now. Call it after adding to the queue. */
export const makeDue = (pk: ReceiverPk): Promise<void> => putItem({ ...dueKey(pk), at: 0 });

/** The receivers that have a due entry, each with when it is due, in milliseconds since 1970. Strongly consistent. */
export async function* dueReceivers(): AsyncGenerator<{ readonly pk: ReceiverPk; readonly at: number }> {
  for (const partition of duePartitions) {
    for await (const item of query(partition)) yield { pk: text(item, 'sk') as ReceiverPk, at: number(item, 'at') };
  }
}

/**
 * Takes the lease of a receiver, and makes it due when the lease runs out, in case its holder dies.
 *
 * @param isScheduled whether the schedule has started the sender.
 * @returns the receiver; undefined if another sender works for it, which looks at the queue again before it leaves; or
 *   if it was slow, and the sender was started neither by the schedule nor for a delivery that is to be sent at once.
 *   Then it stays due.
 */
export async function takeLease(pk: ReceiverPk, isScheduled: boolean): Promise<Receiver | undefined> {
  const key = receiverKey(pk);
  // The response also corrects the function's idea of the table's time.
  const found = toReceiver(pk, await getItem(key));
  if (isHeld(found.leaseUntil, leaseMs)) return undefined;
  if (found.isSlow && !isScheduled && !(await isAny(deliveryWakesOf(pk)))) return undefined;
  const leaseNumber = found.leaseNumber + 1;
  const isUnchanged = found.leaseNumber === 0 ? lacks('leaseNumber') : is('leaseNumber', found.leaseNumber);
  const taken = await takeUnlessHeld(
    found.leaseUntil,
    (lease) => updateItem(key, set({ ...lease, leaseNumber, ttl: forgottenAt(found) }), isUnchanged),
    leaseMs,
  );
  if (!taken) return undefined;
  const { leaseUntil } = taken;
  await putItem({ ...dueKey(pk), at: leaseUntil, leaseNumber });
  return { ...found, leaseNumber, leaseUntil };
}

/**
 * Ends a lease. The receiver is then due when the first entry of its queue is, unless it is stopped; and at once if
 * somebody has asked for a sender.
 *
 * @returns whether there may be something to do already. Then a sender should look again.
 */
export async function endLease(lease: Receiver, findings: Findings): Promise<boolean> {
  const next = await nextWork(lease.pk, findings);
  const failed = await failedCondition(writeFindings(lease, findings));
  if (!failed) return leaveDueEntry(lease, findings, next);
  const now = toReceiver(lease.pk, failed.items[0]);
  // Another sender has the lease by now, and will leave a due entry of its own.
  if (now.leaseNumber !== lease.leaseNumber || now.leaseUntil === 0) return false;
  // Somebody has resumed the receiver meanwhile, which overrides the sender's findings.
  return endLease({ ...lease, resumes: now.resumes }, { ...findings, ...healthy, isSlow: false });
}

/**
 * Writes a sender's findings and releases the lease, if the sender still holds it and nobody has resumed the receiver.
 */
function writeFindings({ pk, leaseNumber, resumes }: Receiver, findings: Findings) {
  const { failingSince, failedAt, error, redirectsTo, stopped, stoppedAt, isSlow } = findings;
  const shown = { failingSince, failedAt, error, redirectsTo, stopped, stoppedAt, isSlow: isSlow || null };
  const update = set({ ...shown, leaseUntil: 0, ttl: forgottenAt(findings) });
  const isHeld = all(is('leaseNumber', leaseNumber), resumes === 0 ? lacks('resumes') : is('resumes', resumes));
  return updateItem(receiverKey(pk), update, isHeld);
}

/**
 * Replaces the due entry of a lease that has ended with one for the next work, or removes it if there is none.
 *
 * @param next when the receiver has something to do, in milliseconds since 1970; undefined if never.
 * @returns whether there may be something to do already.
 */
async function leaveDueEntry({ pk, leaseNumber }: Receiver, findings: Findings, next: number | undefined): Promise<boolean> {
  const entry = dueKey(pk);
  const isOwn = is('leaseNumber', leaseNumber);
  if (next !== undefined) {
    // It keeps the lease's number, so that a retry after a lost response knows it from an entry that asks for a sender.
    const isOverwritten = await failedCondition(putItem({ ...entry, at: next, leaseNumber }, isOwn));
    return isOverwritten !== undefined;
  }
  if (await failedCondition(deleteItem(entry, isOwn))) return true;
  // The sender's entry may have arrived late, and overwritten that of somebody who added to the queue after the last
  // look.
  if ((await nextWork(pk, findings)) === undefined) return false;
  await makeDue(pk);
  return true;
}

/** When the receiver has something to do, in milliseconds since 1970; undefined if it has nothing. */
const nextWork = async (pk: ReceiverPk, { stopped }: Findings): Promise<number | undefined> =>
  (await isAny(wakesOf(pk))) ? 0 : stopped ? undefined : firstInQueue(pk);

async function isAny(items: Parameters<typeof query>[0]): Promise<boolean> {
  for await (const _ of query(items, { limit: 1 })) return true;
  return false;
}

/** When the first delivery of a receiver's queue is due, in milliseconds since 1970. */
async function firstInQueue(pk: ReceiverPk): Promise<number | undefined> {
  for await (const item of query(queueOf(pk), { limit: 1 })) return Date.parse(queuedAt(toKey(item).sk).at);
  return undefined;
}

/**
 * Resumes a stopped receiver and asks for a sender, in one transaction, so that a function that dies can't do one
 * without the other. No-op if the receiver isn't stopped.
 */
export async function resume(pk: ReceiverPk): Promise<void> {
  const update = set({ ...healthy, isSlow: null, resumes: plus(1) });
  await commit({ receiver: updating(receiverKey(pk), update, has('stopped')), wake: putting(wakeItem(pk, 'resume')) });
}

/** How long a request for a sender is kept, in seconds. */
const wakeSeconds = 14 * day;

/**
 * The item that asks for a sender. Its token distinguishes it from an earlier one with the same key.
 *
 * @param id of the delivery to send at once, even if the receiver is stopped; any other text only wakes the sender.
 */
export const wakeItem = (pk: ReceiverPk, id: string): Key & Item => ({
  ...wakeKey(pk, id),
  token: newVisitId(),
  ttl: Math.ceil(tableTime() / 1_000) + wakeSeconds,
});

/** The schedule of the senders runs while a receiver is due. */
export const { ensureScheduled, endSchedule, keepScheduled } = switchedSchedule(scheduleKey, async () => {
  for await (const _ of dueReceivers()) return true;
  return false;
});
