import type { Delivery } from '../../core/webhook/delivery.ts';
import { tableTime } from '../table/clock.ts';
import { failedCondition, is } from '../table/expressions.ts';
import { text } from '../table/fields.ts';
import { dueUntil, idOfWake, type Key, queuedAt, type ReceiverPk, toKey, wakesOf } from '../table/keys.ts';
import { query } from '../table/reads.ts';
import { deleteItem } from '../table/writes.ts';
import { getDeliveries } from './deliveries.ts';

/** How many deliveries to read at a time. */
const pageSize = 50;

/**
 * How early a delivery may be sent, in milliseconds. Two functions' ideas of the table's time can differ by that much,
 * even if the clocks of both were corrected (`clock.ts`). Otherwise a delivery that a function has just created would
 * not be due yet for a sender whose clock is behind, and would wait for the schedule.
 */
const earlyMs = 2_000;

/** A request to send at once. Without a delivery, it only woke the sender, or its delivery is gone. */
type Wake = { readonly key: Key; readonly token: string; readonly delivery: Delivery | undefined };

/** The requests to send at once, each with its delivery, which is read when its turn comes. */
export async function* wakesFor(pk: ReceiverPk): AsyncGenerator<Wake> {
  for await (const item of query(wakesOf(pk), { limit: pageSize })) {
    const key = toKey(item);
    const [delivery] = await getDeliveries([idOfWake(key)]);
    yield { key, token: text(item, 'token'), delivery };
  }
}

/** Removes a request to send at once, unless somebody has made it again meanwhile. */
export const removeWake = async ({ key, token }: Wake): Promise<void> => {
  await failedCondition(deleteItem(key, is('token', token)));
};

/** An entry of a receiver's queue: when it is due, in ISO 8601, and its delivery, which is undefined if it is gone. */
export type QueueEntry = { readonly key: Key; readonly at: string; readonly delivery: Delivery | undefined };

/** The first entries of a receiver's queue that are due, in order, with their deliveries. */
export async function dueEntries(pk: ReceiverPk): Promise<QueueEntry[]> {
  const until = new Date(tableTime() + earlyMs).toISOString();
  const keys = (await Array.fromAsync(query(dueUntil(pk, until), { limit: pageSize }))).map(toKey);
  const queued = keys.map((key) => ({ key, ...queuedAt(key.sk) }));
  const deliveries = await getDeliveries(queued.map(({ deliveryId }) => deliveryId));
  return queued.map(({ key, at }, index) => ({ key, at, delivery: deliveries[index] }));
}

/** Removes an entry of the queue. */
export const removeEntry = ({ key }: QueueEntry): Promise<void> => deleteItem(key);
