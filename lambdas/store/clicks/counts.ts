import type { Link } from '../../core/link/link.ts';
import type { Item } from '../table/client.ts';
import { all, any, type Expression, is, lacks } from '../table/expressions.ts';
import { maybeNumber, number } from '../table/fields.ts';
import { countKey, type Key } from '../table/keys.ts';
import type { Addition } from './count-once.ts';
import type { CountUpdate } from './count-update.ts';
import { newestOf, type StreamClick } from './marks.ts';

/**
 * A link's counter is an item of its own, found by the link's id, so that counting does not need the link:
 *
 * - `count` is the number of its clicks in its `epoch`, which each erasure raises. A click of an earlier epoch is
 *   erased, whenever it arrives, so erasing does not depend on clocks.
 * - `lastAt` is when the newest of these clicks was created, in seconds since 1970. The marks cannot tell: they stay
 *   after an erasure, and a mark's time may be that of an erased click.
 * - Each shard of the stream has a mark in it (`count-once.ts`).
 * - A closed counter has only an epoch. It stands for a deleted link, so that late clicks create no counter again.
 *
 * For example, a link is deleted while two clicks are still in the stream:
 *
 *     endpoint  deletes the link, and puts a closed counter in the place of its counter, in one transaction
 *     F         gets the two clicks: adds them, if the counter is not closed    refused, so they are dropped
 *     table     removes the closed counter by its `ttl`, when the stream holds no click of the link any more
 */

/** A click as a shard of the stream delivers it, with the epoch that the link had when the visitor came. */
export type CountedClick = StreamClick & { readonly epoch: number };

/**
 * How long a deleted link's counter stays closed, in seconds: a click may wait in the queue for 20 hours and in the
 * stream for 24, and a function's clock says when this begins.
 */
const closedSeconds = 48 * 60 * 60;

/** Replaces the counter of a deleted link. It stays as long as a click may arrive, and has the link's epoch. */
export const closedCounter = ({ id, clickEpoch }: Pick<Link, 'id' | 'clickEpoch'>, now = Date.now()): Key & Item => ({
  ...countKey(id),
  ...(clickEpoch > 0 && { epoch: clickEpoch }),
  ttl: Math.ceil(now / 1_000) + closedSeconds,
});

/** The epoch of a counter or a recorded click. */
export const epochOf = (item: Item): number => number(item, 'epoch', 0);

/** The condition that the item counts that epoch. Epoch 0 may be left out. */
const isOfEpoch = (epoch: number): Expression => (epoch === 0 ? any(lacks('epoch'), is('epoch', 0)) : is('epoch', epoch));

/**
 * The count of a link; 0 if it has no counter, because it was never clicked, or if its clicks were erased and the
 * counter doesn't know yet.
 */
export const toClickCount = (counter: Item | undefined, { clickEpoch }: Pick<Link, 'clickEpoch'>): number =>
  counter && epochOf(counter) >= clickEpoch ? number(counter, 'count', 0) : 0;

/**
 * When the newest counted click of a link was recorded. Undefined if there is none, or if none was counted since clicks
 * were last erased.
 */
export function toLastClickedAt(counter: Item | undefined, { clickEpoch }: Pick<Link, 'clickEpoch'>): string | undefined {
  if (!counter || epochOf(counter) < clickEpoch) return undefined;
  const lastAt = maybeNumber(counter, 'lastAt');
  return lastAt === undefined ? undefined : new Date(lastAt * 1_000).toISOString();
}

/**
 * A link's clicks for its counter. Those of a deleted link and of earlier epochs are dropped; the first click of a new
 * epoch replaces the count.
 *
 * @param linkId a well-formed link id; the link itself may be gone.
 * @param clicks all of a batch's.
 */
export const ofCounter = <C extends CountedClick>(linkId: string, clicks: readonly C[]): Addition<C> => ({
  key: countKey(linkId),
  clicks,
  updateFor,
});

/**
 * The update that adds clicks to a counter; undefined if none of them is to be counted. Within an epoch, `lastAt` only
 * moves forward: if another shard has moved it further since it was read, the update is refused.
 */
function updateFor(clicks: readonly CountedClick[], counter: Item): CountUpdate | undefined {
  if (counter.ttl !== undefined) return undefined;
  const current = epochOf(counter);
  const newest = Math.max(current, ...clicks.map(({ epoch }) => epoch));
  const counted = clicks.filter(({ epoch }) => epoch === newest);
  const count = counted.length;
  if (count === 0) return undefined;
  const condition = all(isNotClosed, isOfEpoch(current));
  const lastAt = newestOf(counted);
  if (newest > current) return { set: { count, epoch: newest, lastAt }, condition };
  if (lastAt <= number(counter, 'lastAt', 0)) return { add: { count }, condition };
  return { add: { count }, set: { lastAt }, condition: all(condition, wasLastAtBefore(lastAt)) };
}

const wasLastAtBefore = (lastAt: number): Expression =>
  any(lacks('lastAt'), { text: '#lastAt < :lastAt', values: { ':lastAt': lastAt } });

/** A closed counter has a `ttl`, unlike others. */
const isNotClosed = lacks('ttl');
