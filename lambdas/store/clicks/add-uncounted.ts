import type { Item } from '../table/client.ts';
import { all, any, ConditionFailed, ifConditionFails, lacks } from '../table/conditions.ts';
import { type Key, movedCheckpointKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { updateItem } from '../table/writes.ts';
import {
  checkpointName,
  isBelow,
  moveIdleCheckpoints,
  noMoveSinceRead,
  noneMovedSince,
  toBytes,
  toCheckpoint,
} from './checkpoints.ts';
import { type CountUpdate, updateExpression } from './count-update.ts';

/**
 * Adds clicks of one shard of the stream to a counter or a day, each click once, however often the stream delivers it.
 *
 * A shard delivers its clicks in order the first time. So its checkpoint, the last counted sequence number, tells of
 * each click whether it is counted: those up to the checkpoint are, those above are not. One update moves the count and
 * the checkpoint, on the condition that the checkpoint is still below the first click to add.
 *
 * For example, a counter has `count` 40, and the checkpoint of shard A is 7. Two functions get overlapping batches of
 * A:
 *
 *     F   gets 8, 9: adds 2, checkpoint 9, if it is below 8        done: count 42, checkpoint 9; but F dies
 *     G   gets 8, 9, 10: adds 3, checkpoint 10, if it is below 8   refused, and G sees the counter as it is
 *     G   8 and 9 are not above 9: adds 1, if it is below 10       done: count 43, checkpoint 10
 *     H   gets F's batch again: adds 2, if it is below 8           refused, and nothing is left to add
 *
 * If nothing was counted before, that is one write. If the shard has no checkpoint in the item, it is either new there,
 * or its checkpoint was moved out (`checkpoints.ts`). Clicks that are newer than all moved checkpoints are new. For
 * others, the update is refused; then the moved checkpoint is read, and the next update insists that none was moved
 * since the item was read:
 *
 *     G   gets 8, 9, 10, which are hours old, for a counter without a checkpoint of A    refused; `moves` is 3
 *     G   reads A's moved checkpoint, 9: adds 1, if there is none yet and `moves` is 3   done
 */

/** A click as a shard of the stream delivers it. */
export type StreamClick = {
  /**
   * A whole number of up to 40 digits
   * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html).
   */
  readonly sequenceNumber: string;
  /** When DynamoDB created the stream's record, in seconds since 1970: its `ApproximateCreationDateTime`. */
  readonly createdAt: number;
};

/** An item that counts clicks, and the clicks to add to it. */
type Addition<C> = {
  readonly key: Key;
  readonly shardId: string;
  /** All clicks of the shard that belong to the item, from the first uncounted one or an earlier one, without gaps. */
  readonly clicks: readonly C[];
  /** The item, if it has been read. */
  readonly read?: Item | undefined;
};

/**
 * Adds clicks to an item, each once. One write if none of them is counted yet.
 *
 * @param updateFor the update that adds these clicks, if the item is as given; undefined if there is nothing to add.
 *   The item is undefined if it has not been read, or does not exist.
 * @returns the item as it was last seen.
 */
export async function addUncounted<C extends StreamClick>(
  { key, shardId, clicks, read }: Addition<C>,
  updateFor: (clicks: readonly C[], item: Item | undefined) => CountUpdate | undefined,
): Promise<Item | undefined> {
  const name = checkpointName(shardId);
  const [earliest, latest] = creationTimes(clicks);
  let item = read;
  let left = above(toCheckpoint(item?.[name])?.number, inOrder(clicks));
  // When a shard without a checkpoint in the item may add its clicks.
  let isNewShard = all(lacks(name), noneMovedSince(earliest));
  for (;;) {
    const [first, last] = [left[0], left.at(-1)];
    if (!first || !last) return item;
    const update = updateFor(left.map(asClick), item);
    if (!update) return item;

    const set = { ...update.set, [name]: toBytes({ number: last.number, createdAt: latest }) };
    const areUncounted = any(isBelow(name, first.number), isNewShard);
    const write = updateItem(key, updateExpression({ ...update, set }), all(update.condition, areUncounted));
    const result = await ifConditionFails(write, (failed) => failed);
    if (!(result instanceof ConditionFailed)) {
      await moveIdleCheckpoints(key, result, (moved) => movedCheckpointKey(key, moved), latest);
      return result;
    }

    item = result.items[0] ?? {};
    let checkpoint = toCheckpoint(item[name]);
    if (!checkpoint) {
      // A closed counter takes no clicks, whatever its checkpoints were.
      if (!updateFor(left.map(asClick), item)) return item;
      checkpoint = toCheckpoint((await getItem(movedCheckpointKey(key, name)))?.mark);
      isNewShard = all(lacks(name), noMoveSinceRead(item));
    }
    left = above(checkpoint?.number, left);
  }
}

/** When the first and the last of the clicks were created, in whole seconds around them. */
function creationTimes(clicks: readonly StreamClick[]): [earliest: number, latest: number] {
  const times = clicks.map(({ createdAt }) => createdAt);
  return [Math.floor(Math.min(...times)), Math.ceil(Math.max(...times))];
}

type NumberedClick<C> = { readonly number: bigint; readonly click: C };

const asClick = <C>({ click }: NumberedClick<C>): C => click;

/** The clicks by their sequence numbers, each once. */
function inOrder<C extends StreamClick>(clicks: readonly C[]): NumberedClick<C>[] {
  const byNumber = new Map(clicks.map((click) => [BigInt(click.sequenceNumber), click]));
  return [...byNumber].map(([number, click]) => ({ number, click })).sort((a, b) => (a.number < b.number ? -1 : 1));
}

/** The clicks above a checkpoint: all if there is none. */
const above = <C>(checkpoint = -1n, clicks: readonly NumberedClick<C>[]): NumberedClick<C>[] =>
  clicks.filter(({ number }) => number > checkpoint);
