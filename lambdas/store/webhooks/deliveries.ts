import {
  type Attempt,
  type AttemptEnd,
  afterAttempt,
  type Delivery,
  deliveryTypes,
  isDeliveryId,
  type ShownState,
  withAttempt,
} from '../../core/webhook/delivery.ts';
import { inParallel, tryAll } from '../../runtime/in-parallel.ts';
import type { Item } from '../table/client.ts';
import { isKept } from '../table/expiry.ts';
import { failedCondition, is, isAbsent, set } from '../table/expressions.ts';
import { maybeText, number, oneOf, text } from '../table/fields.ts';
import {
  deliveriesIndex,
  deliveriesIndexes,
  deliveryKey,
  idOfDelivery,
  indexed,
  type Key,
  queuedKey,
  type ReceiverPk,
  receiverPk,
  toKey,
} from '../table/keys.ts';
import { inOneOrder, type PageRange, pageOf } from '../table/list-pages.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { putItem, updateItem } from '../table/writes.ts';
import { getReceivers, wakeItem } from './receivers.ts';

/** How long a delivery is kept, in seconds: 14 days from its event. */
export const keptSeconds = 14 * 24 * 60 * 60;

const expiry = (at: string) => ({ ttl: Math.ceil(Date.parse(at) / 1_000) + keptSeconds });

const deliveryItem = ({ id, ...delivery }: Delivery): Key & Item => ({
  ...deliveryKey(id),
  ...delivery,
  ...indexed(deliveriesIndex(delivery.workspaceId, id), `${delivery.createdAt}#${id}`),
  ...expiry(delivery.createdAt),
});

const toDelivery = (item: Item): Delivery => ({
  id: idOfDelivery(toKey(item)),
  workspaceId: text(item, 'workspaceId'),
  type: oneOf(item, 'type', deliveryTypes),
  url: text(item, 'url'),
  webhookId: maybeText(item, 'webhookId') ?? null,
  linkId: maybeText(item, 'linkId') ?? null,
  body: text(item, 'body'),
  state: oneOf(item, 'state', ['pending', 'succeeded', 'failed'] as const),
  attempts: (item.attempts ?? []) as readonly Attempt[],
  tries: number(item, 'tries'),
  nextAttemptAt: maybeText(item, 'nextAttemptAt') ?? null,
  createdAt: text(item, 'createdAt'),
  revision: number(item, 'revision'),
});

/** The delivery of an item. Undefined if there is none, or if it has expired. */
const toKept = (item: Item | undefined): Delivery | undefined => (item && isKept(item) ? toDelivery(item) : undefined);

/** The receiver of a delivery. */
export const receiverOf = ({ workspaceId, url }: Pick<Delivery, 'workspaceId' | 'url'>): ReceiverPk =>
  receiverPk(workspaceId, url);

/**
 * Stores a delivery, and puts it into the queue of its receiver. If the delivery exists already, only its entry in the
 * queue is added if it is missing. So an event that is processed again completes what an earlier attempt left out.
 */
export async function addDelivery(delivery: Delivery): Promise<void> {
  const known = await failedCondition(putItem(deliveryItem(delivery), isAbsent));
  await enqueue(known ? toDelivery(known.held()) : delivery);
}

/** How many receivers get deliveries at a time, and how many each gets at a time. */
const [receiversAtOnce, perReceiver] = [5, 5];

/**
 * Adds deliveries, and calls `tell` for each receiver that has got all of its own. If one receiver fails, the others
 * still get theirs.
 *
 * @throws the first error, once all receivers have been tried.
 */
export const addDeliveries = (deliveries: readonly Delivery[], tell: (receiver: ReceiverPk) => Promise<void>): Promise<void> =>
  tryAll([...Map.groupBy(deliveries, receiverOf)], receiversAtOnce, async ([receiver, some]) => {
    await inParallel(some, perReceiver, addDelivery);
    await tell(receiver);
  });

/** Puts a delivery into the queue of its receiver, if an attempt is left. */
export async function enqueue(delivery: Delivery): Promise<void> {
  const { id, nextAttemptAt, createdAt } = delivery;
  if (delivery.state !== 'pending' || nextAttemptAt === null) return;
  await putItem({ ...queuedKey(receiverOf(delivery), nextAttemptAt, id), ...expiry(createdAt) });
}

/** A delivery by its id; undefined if it is gone or belongs to another workspace. */
export async function findDelivery(workspaceId: string, id: string): Promise<Delivery | undefined> {
  const delivery = isDeliveryId(id) ? toKept(await getItem(deliveryKey(id))) : undefined;
  return delivery?.workspaceId === workspaceId ? delivery : undefined;
}

/** Deliveries by their ids; undefined for those that are gone. */
export const getDeliveries = async (ids: readonly string[]): Promise<(Delivery | undefined)[]> =>
  (await getItems(ids.map(deliveryKey))).map(toKept);

/**
 * Changes a delivery. If somebody else changes it meanwhile, the change is applied on top of that.
 *
 * @param isDone whether a delivery that was changed meanwhile stays as it is, for example because it has the change
 *   already: an earlier attempt made it, and its response was lost.
 * @returns the delivery after that; undefined if it is gone.
 */
function changeDelivery(
  delivery: Delivery,
  changeOf: (delivery: Delivery) => Delivery,
  isDone: (delivery: Delivery) => boolean,
): Promise<Delivery | undefined> {
  let found = delivery;
  return retrying(async () => {
    const { state, attempts, tries, nextAttemptAt } = changeOf(found);
    const next = { ...found, state, attempts, tries, nextAttemptAt, revision: found.revision + 1 };
    const update = set({ state, attempts, tries, nextAttemptAt, revision: next.revision });
    const failed = await failedCondition(updateItem(deliveryKey(found.id), update, is('revision', found.revision)));
    if (!failed) return next;
    const [item] = failed.items;
    if (!item) return undefined;
    found = toDelivery(item);
    return isDone(found) ? found : overtaken;
  });
}

/**
 * Records an attempt, and puts the delivery back into the queue if another one is due later.
 *
 * @returns the changed delivery; undefined if it is gone.
 */
export async function recordAttempt(delivery: Delivery, attempt: Attempt, end: AttemptEnd): Promise<Delivery | undefined> {
  const after = await changeDelivery(
    delivery,
    (found) => afterAttempt(found, attempt, end),
    ({ attempts }) => attempts.some(({ at, ms }) => at === attempt.at && ms === attempt.ms),
  );
  if (after) await enqueue(after);
  return after;
}

/**
 * Gives a delivery up: no attempt follows. If somebody else has changed it meanwhile, it stays as they left it, and in
 * the queue if it is to be sent.
 */
export async function giveUp(delivery: Delivery, attempt: Attempt): Promise<Delivery | undefined> {
  const after = await changeDelivery(
    delivery,
    (found) => ({ ...withAttempt(found, attempt), state: 'failed', nextAttemptAt: null }),
    () => true,
  );
  if (after) await enqueue(after);
  return after;
}

/**
 * Makes a delivery due again, as if it were new, and asks for it to be sent at once, even if its receiver is stopped.
 *
 * @param now in milliseconds since 1970.
 */
export async function redeliver(delivery: Delivery, now: number): Promise<Delivery | undefined> {
  const at = new Date(now).toISOString();
  const again = await changeDelivery(
    delivery,
    (found) => ({ ...found, state: 'pending', tries: 0, nextAttemptAt: at }),
    ({ nextAttemptAt }) => nextAttemptAt === at,
  );
  if (!again) return undefined;
  await enqueue(again);
  await wake(receiverOf(again), again.id);
  return again;
}

/**
 * Puts a delivery into the queue, and asks for it to be sent at once, even if its receiver is stopped. The queue keeps
 * it if that fails.
 */
export async function sendNow(delivery: Delivery): Promise<void> {
  await addDelivery(delivery);
  await wake(receiverOf(delivery), delivery.id);
}

/**
 * Asks for a run of the sender for a receiver.
 *
 * @param deliveryId what to send at once, even if the receiver is stopped
 */
export const wake = (pk: ReceiverPk, deliveryId: string): Promise<void> => putItem(wakeItem(pk, deliveryId));

/** Which deliveries to list: those that match all of these. */
export type DeliveryFilter = {
  readonly linkId?: string | undefined;
  readonly webhookId?: string | undefined;
  readonly state?: ShownState | undefined;
};

/** A delivery as the API shows it: a pending one is shown as paused if its receiver is stopped. */
export type ShownDelivery = Omit<Delivery, 'state'> & { readonly state: ShownState };

/** Adds to deliveries whether their receivers are stopped. Reads only the receivers of those that are pending. */
async function toShown(deliveries: readonly Delivery[]): Promise<ShownDelivery[]> {
  const waiting = [...new Set(deliveries.filter(({ state }) => state === 'pending').map(receiverOf))];
  const receivers = await getReceivers(waiting);
  const stopped = new Set(receivers.filter((receiver) => receiver.stopped !== null).map(({ pk }) => pk));
  return deliveries.map((delivery) =>
    delivery.state === 'pending' && stopped.has(receiverOf(delivery)) ? { ...delivery, state: 'paused' } : delivery,
  );
}

/** Adds to a delivery whether its receiver is stopped. */
export const withShownState = async (delivery: Delivery): Promise<ShownDelivery> => (await toShown([delivery]))[0] ?? delivery;

/** The most deliveries that a page looks at, if a filter leaves most of them out. */
const mostLookedAt = 1_000;

/**
 * The deliveries of a workspace, newest first.
 *
 * @returns the deliveries, fewer than `limit` if the filter leaves many out; and the position of the last one that was
 *   looked at, if more may follow.
 */
export async function listDeliveries(
  workspaceId: string,
  filter: DeliveryFilter,
  { limit, after: before }: PageRange,
): Promise<{ readonly deliveries: readonly ShownDelivery[]; readonly next: string | undefined }> {
  const lists = deliveriesIndexes(workspaceId).map((gsi1pk) =>
    query({ gsi1pk, before, of: 'Activity' }, { backwards: true, pageSize: Math.max(10, Math.ceil(limit / 4)) }),
  );
  const read = async (entries: readonly Item[]) => {
    const ids = entries.map((entry) => idOfDelivery(toKey(entry)));
    const found = await toShown((await getDeliveries(ids)).flatMap((one) => one ?? []));
    const matching = new Map(found.filter((one) => matches(one, filter)).map((one) => [one.id, one]));
    return ids.map((id) => matching.get(id));
  };
  const { shown, next } = await pageOf(inOneOrder(lists, 'gsi1sk'), limit, read, { most: mostLookedAt });
  return { deliveries: shown, next };
}

const matches = (delivery: ShownDelivery, { linkId, webhookId, state }: DeliveryFilter): boolean =>
  (linkId === undefined || delivery.linkId === linkId) &&
  (webhookId === undefined || delivery.webhookId === webhookId) &&
  (state === undefined || delivery.state === state);
