import type { Link } from '../../domain/link.ts';
import type { Item } from '../table/client.ts';
import { all, any, type Expression, is, lacks } from '../table/conditions.ts';
import { number } from '../table/fields.ts';
import { countKey, type Key } from '../table/keys.ts';
import { addOnce, type Change, type PlacedClick } from './once.ts';

/**
 * A click's place, and how often the link's clicks had been erased when the visitor came. A click of an earlier epoch
 * is erased, whenever it arrives. So erasing depends on no clock.
 */
export type CountedClick = PlacedClick & { readonly epoch: number };

/**
 * How long a deleted link's counter stays closed, in seconds: twice as long as the stream keeps a click, because here it
 * is a function's clock that says when this begins.
 */
const closedSeconds = 48 * 60 * 60;

/**
 * Replaces the counter of a deleted link. Clicks that arrive later find it and are not counted, so that they don't
 * create a counter that nothing would ever remove. It stays as long as a click may arrive, and knows the link's epoch.
 */
export const closedCounter = ({ id, clickEpoch }: Pick<Link, 'id' | 'clickEpoch'>, now = Date.now()): Key & Item => ({
  ...countKey(id),
  ...(clickEpoch > 0 && { epoch: clickEpoch }),
  ttl: Math.ceil(now / 1_000) + closedSeconds,
});

/** The epoch that a counter or a day counts. */
export const epochOf = (item: Item): number => number(item, 'epoch', 0);

/**
 * The count of a link; 0 if it has no counter, because it was never clicked, or if its clicks were erased and the
 * counter doesn't know yet.
 */
export const toClickCount = (counter: Item | undefined, { clickEpoch }: Pick<Link, 'clickEpoch'>): number =>
  counter && epochOf(counter) >= clickEpoch ? number(counter, 'count', 0) : 0;

/** The counter is not closed. The closed counter of a deleted link has a `ttl`. */
const isOpen = lacks('ttl');

/** The item counts that epoch. Epoch 0 may be left out. */
export const isOfEpoch = (epoch: number): Expression => (epoch === 0 ? any(lacks('epoch'), is('epoch', 0)) : is('epoch', epoch));

/**
 * Adds a link's clicks from one shard to its counter, each click once. If none of them is counted yet, that takes one
 * write. Clicks of a deleted link and of earlier epochs are dropped; the first click of a new epoch replaces the count.
 *
 * @param linkId a well-formed link id; the link itself may be gone.
 * @param clicks all of this link's clicks in the shard, from the first uncounted one or an earlier one, without gaps.
 * @returns the epoch that the counter has. Clicks of earlier ones were erased before they were counted.
 */
export const countClicks = async (linkId: string, shardId: string, clicks: readonly CountedClick[]): Promise<number> =>
  epochOf((await addOnce({ key: countKey(linkId), shardId, clicks }, counterChange)) ?? {});

function counterChange(clicks: readonly CountedClick[], counter: Item | undefined): Change | undefined {
  if (counter?.ttl !== undefined) return undefined;
  const newest = Math.max(...clicks.map(({ epoch }) => epoch));
  const current = counter ? epochOf(counter) : newest;
  const count = clicks.filter(({ epoch }) => epoch === Math.max(newest, current)).length;
  if (count === 0) return undefined;
  const condition = all(isOpen, isOfEpoch(current));
  return newest > current ? { set: { count, epoch: newest }, condition } : { add: { count }, condition };
}
