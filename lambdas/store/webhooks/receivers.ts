import { newRequestToken, newVisitId } from '../../domain/ids.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { all, any, failedCondition, has, is, lacks } from '../table/conditions.ts';
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
  toKey,
  wakeKey,
  wakesOf,
} from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { deleteItem, putItem, putting, transact, updateItem, updating } from '../table/writes.ts';

/**
 * A receiver is a URL of a workspace. One sender at a time works for it, under a lease:
 *
 * - `epoch` grows with each lease. All that a sender writes here insists on it.
 * - `leaseUntil` is by the table's clock (`clock.ts`), and later than the sender's invocation can last.
 * - A mark in the due partitions says when a sender should come next. It has the epoch of the sender that wrote it. Who
 *   adds to the queue overwrites the mark, so that the sender notices when it wants to remove it.
 */
export type Receiver = {
  readonly pk: ReceiverPk;
  readonly epoch: number;
  readonly leaseUntil: number;
  /** Since when every attempt has failed, in ISO 8601; when the last one did, and why. */
  readonly failingSince: string | null;
  readonly failedAt: string | null;
  readonly error: string | null;
  /** Nothing is sent any more: after three days of failures, or because the URL said that it is gone (410). */
  readonly stopped: 'paused' | 'gone' | null;
  /** Since when it is stopped. */
  readonly stoppedAt: string | null;
  /**
   * Whether a call of its last run took long. Then only the schedule starts its sender, which serves many such receivers
   * at once, so that URLs that hang cannot take up the account's concurrency.
   */
  readonly isSlow: boolean;
  /** When the next call may begin, in milliseconds since 1970, by the rate of calls. */
  readonly nextCallAt: number;
  /** How many times it was resumed. */
  readonly resumes: number;
};

/** What a sender learns about a receiver. */
export type Health = Pick<Receiver, 'failingSince' | 'failedAt' | 'error' | 'stopped' | 'stoppedAt' | 'isSlow' | 'nextCallAt'>;

/** Longer than an invocation of the sender, in milliseconds, so that a lease ends only after its holder. */
const leaseMs = 90_000;

/** A receiver that nobody has sent to for so long is forgotten, in seconds. */
const keptSeconds = 30 * 24 * 60 * 60;

export const toReceiver = (pk: ReceiverPk, item: Item = {}): Receiver => ({
  pk,
  epoch: number(item, 'epoch', 0),
  leaseUntil: number(item, 'leaseUntil', 0),
  failingSince: maybeText(item, 'failingSince') ?? null,
  failedAt: maybeText(item, 'failedAt') ?? null,
  error: maybeText(item, 'error') ?? null,
  stopped: item.stopped === undefined ? null : oneOf(item, 'stopped', ['paused', 'gone'] as const),
  stoppedAt: maybeText(item, 'stoppedAt') ?? null,
  isSlow: flag(item, 'isSlow', false),
  nextCallAt: number(item, 'nextCallAt', 0),
  resumes: number(item, 'resumes', 0),
});

/** Receivers as they are, in order. One that nothing was sent to is as new. */
export const getReceivers = async (pks: readonly ReceiverPk[]): Promise<Receiver[]> =>
  (await getItems(pks.map(receiverKey))).map((item, place) => toReceiver(pks[place] as ReceiverPk, item));

/**
 * Takes the lease of a receiver, and marks that somebody must look after it if the lease runs out.
 *
 * @param isScheduled whether the schedule has started the sender.
 * @returns the receiver; undefined if another sender works for it, which looks at the queue again before it leaves; or if
 *   it was slow, and neither the schedule nor somebody who waits for a delivery asks for it. Then it stays due.
 */
export async function takeLease(pk: ReceiverPk, isScheduled: boolean): Promise<Receiver | undefined> {
  const key = receiverKey(pk);
  // The response also corrects the function's idea of the table's time.
  const found = toReceiver(pk, await getItem(key));
  const now = tableTime();
  if (found.leaseUntil > now) return undefined;
  if (found.isSlow && !isScheduled && !(await isAny(deliveryWakesOf(pk)))) return undefined;
  const holder = newVisitId();
  const lease = { ...found, epoch: found.epoch + 1, leaseUntil: now + leaseMs };
  const values = {
    ':epoch': lease.epoch,
    ':until': lease.leaseUntil,
    ':holder': holder,
    ':ttl': Math.ceil(now / 1_000) + keptSeconds,
  };
  const update = { text: 'SET #epoch = :epoch, #leaseUntil = :until, #holder = :holder, #ttl = :ttl', values };
  const unchanged = found.epoch === 0 ? lacks('epoch') : is('epoch', found.epoch);
  const failed = await failedCondition(updateItem(key, update, unchanged));
  // An earlier attempt whose response was lost.
  if (failed && failed.items[0]?.holder !== holder) return undefined;
  await putItem({ ...dueKey(pk), at: lease.leaseUntil, epoch: lease.epoch });
  return lease;
}

/**
 * Ends a lease. The receiver is due again when the first of its queue is, unless it is stopped, and at once if somebody
 * still waits for a delivery that is to be sent at once.
 *
 * @returns whether there may be something to do already. Then a sender should look again.
 */
export async function endLease(lease: Receiver, health: Health): Promise<boolean> {
  const { pk, epoch } = lease;
  const next = await nextWork(pk, health);
  const failed = await failedCondition(writeHealth(lease, health));
  if (failed) {
    const now = toReceiver(pk, failed.items[0]);
    // Another sender has the lease by now, and will leave a mark of its own.
    if (now.epoch !== epoch || now.leaseUntil === 0) return false;
    // Somebody has let it receive again meanwhile, which matters more than what was learnt before.
    return endLease(
      { ...lease, resumes: now.resumes },
      { ...health, failingSince: null, failedAt: null, error: null, stopped: null, stoppedAt: null, isSlow: false },
    );
  }
  const due = dueKey(pk);
  if (next !== undefined) return (await failedCondition(putItem({ ...due, at: next }, ownMark(epoch, next)))) !== undefined;
  if (await failedCondition(deleteItem(due, is('epoch', epoch)))) return true;
  // The mark may have been written late, over that of somebody who added to the queue after the look above.
  if ((await nextWork(pk, health)) === undefined) return false;
  await markDue(pk);
  return true;
}

/** When the receiver has something to do, in milliseconds since 1970; undefined if it has nothing. */
const nextWork = async (pk: ReceiverPk, { stopped }: Health): Promise<number | undefined> =>
  (await isAny(wakesOf(pk))) ? 0 : stopped ? undefined : firstInQueue(pk);

async function isAny(items: Parameters<typeof query>[0]): Promise<boolean> {
  for await (const _ of query(items, { limit: 1 })) return true;
  return false;
}

function writeHealth({ pk, epoch, resumes }: Receiver, health: Health) {
  const { failingSince, failedAt, error, stopped, stoppedAt, isSlow, nextCallAt } = health;
  const shown = { failingSince, failedAt, error, stopped, stoppedAt, isSlow: isSlow || null };
  const facts = Object.entries({ ...shown, nextCallAt, leaseUntil: 0 });
  const kept = facts.filter(([, value]) => value !== null);
  const gone = facts.filter(([, value]) => value === null);
  const set = `SET ${kept.map(([name]) => `#${name} = :${name}`).join(', ')}`;
  const remove = gone.length > 0 ? ` REMOVE ${gone.map(([name]) => `#${name}`).join(', ')}` : '';
  const update = { text: set + remove, values: Object.fromEntries(kept.map(([name, value]) => [`:${name}`, value])) };
  const isHeld = all(is('epoch', epoch), resumes === 0 ? lacks('resumes') : is('resumes', resumes));
  return updateItem(receiverKey(pk), update, isHeld);
}

/** The mark is the sender's own, or what it has become by an attempt whose response was lost. */
const ownMark = (epoch: number, next: number) => any(is('epoch', epoch), all(lacks('epoch'), is('at', next)));

/** When the first delivery of a receiver's queue is due, in milliseconds since 1970. */
async function firstInQueue(pk: ReceiverPk): Promise<number | undefined> {
  for await (const item of query(queueOf(pk), { limit: 1 })) return Date.parse(queuedAt(toKey(item).sk).at);
  return undefined;
}

/** Marks that a sender should come for a receiver now. */
export const markDue = (pk: ReceiverPk): Promise<void> => putItem({ ...dueKey(pk), at: 0 });

/**
 * The receivers that are due, each with when, in milliseconds since 1970. Strongly consistent.
 */
export async function* dueReceivers(): AsyncGenerator<{ readonly pk: ReceiverPk; readonly at: number }> {
  for (const partition of duePartitions) {
    for await (const item of query(partition)) yield { pk: text(item, 'sk') as ReceiverPk, at: number(item, 'at') };
  }
}

/**
 * Lets a stopped receiver receive again and asks for a sender, in one transaction, so that a function that dies can't do
 * one without the other. No-op if the receiver isn't stopped.
 */
export async function resume(pk: ReceiverPk): Promise<void> {
  const update = {
    text: 'REMOVE #stopped, #stoppedAt, #failingSince, #failedAt, #error, #isSlow ADD #resumes :one',
    values: { ':one': 1 },
  };
  const writes = [updating(receiverKey(pk), update, has('stopped')), putting(wakeItem(pk, 'resume'))];
  await failedCondition(transact(writes, newRequestToken()));
}

/** How long a request for a sender is kept, in seconds. */
const wakeSeconds = 14 * 24 * 60 * 60;

/**
 * The item that asks for a sender. Its token tells it from an earlier one with the same key.
 *
 * @param id of the delivery to send at once, even if the receiver is stopped; any other text only wakes the sender.
 */
export const wakeItem = (pk: ReceiverPk, id: string): Key & Item => ({
  ...wakeKey(pk, id),
  token: newVisitId(),
  ttl: Math.ceil(tableTime() / 1_000) + wakeSeconds,
});
