import type { Item } from '../table/client.ts';
import { all, any, ConditionFailed, type Expression, hasStill, ifConditionFails, lacks } from '../table/expressions.ts';
import type { Key } from '../table/keys.ts';
import { tryGetItems } from '../table/reads.ts';
import { updateItem } from '../table/writes.ts';
import { readCheckpoint, type Shard } from './checkpoints.ts';
import { type CountUpdate, updateExpression } from './count-update.ts';
import { isBelow, newestOf, type StreamClick, toBytes, toMark } from './marks.ts';

/**
 * Adds clicks of one shard of the stream to a counter, each click once, however often the stream delivers it.
 *
 * A shard delivers its clicks in order the first time. So its mark in an item, the last counted sequence number, tells
 * whether a click is counted there: those up to the mark are, those above are not. One update moves the count and the
 * mark, on the condition that the mark is still below the first click to add.
 *
 * For example, a counter has `count` 40, and the mark of shard A is 7. Two functions get overlapping batches of A:
 *
 *     F   gets 8, 9: adds 2, mark 9, if it is below 8        done: count 42, mark 9; but F dies
 *     G   gets 8, 9, 10: adds 3, mark 10, if it is below 8   refused, and G sees the counter as it is
 *     G   8 and 9 are not above 9: adds 1, if it is below 10 done: count 43, mark 10
 *     H   gets F's batch again, reads mark 10                nothing is left to add
 *
 * If the shard has no mark in the item, it is either new there, or its mark was removed (`checkpoints.ts`). The item's
 * `removals` tells which, and the update fails if that has changed.
 *
 * The item that was read first may be outdated, or missing. All conditions are about what was read, so an update based
 * on an outdated item is refused, and the next one is based on the current item. Reading only saves refused updates.
 */

/** The clicks of a shard that belong to an item. */
export type Addition<C extends StreamClick = StreamClick> = {
  readonly key: Key;
  /** All of a batch's clicks that belong to the item, without gaps from the first uncounted one on. */
  readonly clicks: readonly C[];
  /**
   * The update that adds some of them to the item as given, `{}` if there is none; undefined if there is nothing to
   * add.
   */
  readonly updateFor: (clicks: readonly C[], item: Item) => CountUpdate | undefined;
};

/** The items of additions, read in one attempt. They may be outdated. */
export const tryReading = (additions: readonly Pick<Addition, 'key'>[]): Promise<(Item | undefined)[]> =>
  tryGetItems(additions.map(({ key }) => key));

/**
 * Adds clicks to an item, each once. No write if all of them are counted; otherwise one, if the item is as it was read.
 *
 * @param read the item as it was read before, which may be outdated; undefined if it was not found.
 * @returns the item as it was last seen; `{}` if there is none.
 */
export async function addUncounted<C extends StreamClick>(
  shard: Shard,
  { key, clicks, updateFor }: Addition<C>,
  read?: Item,
): Promise<Item> {
  const { name } = shard;
  let item = read ?? {};
  let left = await uncounted(inOrder(clicks), item, name, shard.checkpoint);
  for (;;) {
    const [first, last] = [left[0], left.at(-1)];
    const update = first && updateFor(left.map(asClick), item);
    if (!first || !last || !update) return item;

    const set = { ...update.set, [name]: toBytes({ number: last.number, createdAt: newestOf(clicks) }) };
    const condition = all(update.condition, areUncounted(name, first.number, item));
    const write = updateItem(key, updateExpression({ ...update, set }), condition);
    const result = await ifConditionFails(write, (failed) => failed);
    if (!(result instanceof ConditionFailed)) return result;

    item = result.items[0] ?? {};
    left = await uncounted(left, item, name, () => readCheckpoint(name));
  }
}

/** Those of the clicks that are not counted in the item. @param checkpoint reads the shard's, after the item */
async function uncounted<C>(
  clicks: readonly NumberedClick<C>[],
  item: Item,
  name: string,
  checkpoint: () => Promise<bigint>,
): Promise<readonly NumberedClick<C>[]> {
  const mark = toMark(item[name])?.number;
  if (mark === undefined && item.removals === undefined) return clicks;
  const upTo = mark ?? (await checkpoint());
  return clicks.filter(({ number }) => number > upTo);
}

/** The condition that none of the shard's clicks from the first one on is counted in the item. */
const areUncounted = (name: string, first: bigint, item: Item): Expression =>
  any(isBelow(name, first), all(lacks(name), hasStill('removals', item)));

type NumberedClick<C> = { readonly number: bigint; readonly click: C };

const asClick = <C>({ click }: NumberedClick<C>): C => click;

/** The clicks by their sequence numbers, each once. */
function inOrder<C extends StreamClick>(clicks: readonly C[]): NumberedClick<C>[] {
  const byNumber = new Map(clicks.map((click) => [BigInt(click.sequenceNumber), click]));
  return [...byNumber].map(([number, click]) => ({ number, click })).sort((a, b) => (a.number < b.number ? -1 : 1));
}
