import { createHash } from 'node:crypto';
import { toBase62 } from '../../domain/base62.ts';
import type { Link } from '../../domain/link.ts';
import type { Item } from '../table/client.ts';
import { all, any, failedCondition, ifConditionFails, is, lacks } from '../table/conditions.ts';
import { number, text } from '../table/fields.ts';
import { countKey, type Key } from '../table/keys.ts';
import { updateItem } from '../table/writes.ts';

/**
 * The most digits of a sequence number
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html).
 */
const digits = 40;

/**
 * How long a mark is needed at least, in seconds: twice as long as the stream keeps a record that it may deliver again.
 */
const markedSeconds = 48 * 60 * 60;

/**
 * How many old marks to remove with one update. A rarely clicked link then pays for a removal only once per this many
 * shards.
 */
const oldMarks = 10;

/**
 * The attribute that says how far a shard is counted: `<sequence number> <second of the update>`. The name is short
 * because every update pays for it.
 */
const markPrefix = 'mark_';
const markOf = (shardId: string) => markPrefix + toBase62(createHash('sha256').update(shardId).digest().subarray(0, 8), 11);

/**
 * Replaces the counter of a deleted link. Clicks that arrive later find it and are not counted, so that they don't
 * create a counter that nothing would ever remove. It stays as long as a click may arrive.
 */
export const closedCounter = ({ id }: Pick<Link, 'id'>, now = Date.now()): Key & Item => ({
  ...countKey(id),
  ttl: Math.ceil(now / 1_000) + markedSeconds,
});

/** The count of a counter; 0 if the link has none, because it was never clicked. */
export const toClickCount = (counter: Item | undefined): number => (counter ? number(counter, 'count', 0) : 0);

/** The counter is not closed. The closed counter of a deleted link has a `ttl`. */
const isOpen = lacks('ttl');

/**
 * Adds a link's clicks from one shard to its counter, each click once. If none of them is counted yet, that takes one
 * write. Clicks of a deleted link are dropped.
 *
 * A shard is counted in order, so its mark, the last counted sequence number, tells of each click whether it is
 * counted. One update moves the mark and the count, on the condition that the mark is still below the clicks to add. If
 * the mark has moved, the clicks that it has passed are left out and the rest is retried.
 *
 * @param linkId a well-formed link id; the link itself may be gone.
 * @param sequenceNumbers of the clicks in the stream: all of this link's clicks in the shard, from the first uncounted
 *   one or an earlier one, without gaps.
 */
export async function countClicks(
  linkId: string,
  shardId: string,
  sequenceNumbers: readonly string[],
  now = Date.now(),
): Promise<void> {
  const key = countKey(linkId);
  const mark = markOf(shardId);
  let left = [...new Set(sequenceNumbers.map((number) => number.padStart(digits, '0')))].sort();
  while (left.length > 0) {
    const update = {
      text: `ADD #count :count SET #${mark} = :mark`,
      values: { ':count': left.length, ':mark': `${left.at(-1)} ${Math.floor(now / 1_000)}` },
    };
    // The time follows the number, so that a mark sorts above its own number and below the next.
    const isBehind = any(lacks(mark), { text: `#${mark} < :first`, values: { ':first': left[0] } });
    const write = updateItem(key, update, all(isOpen, isBehind)).then((counter) => forgetOldMarks(key, counter, now));
    const failed = await failedCondition(write);
    if (!failed) return;
    const [counter] = failed.items;
    if (counter?.ttl !== undefined) return;
    const counted = counter ? text(counter, mark, '') : '';
    left = left.filter((number) => number > counted);
  }
}

/** Removes the marks of shards that are long gone, once there are enough of them to be worth a write. */
async function forgetOldMarks(key: Key, counter: Item, now: number): Promise<void> {
  const before = Math.floor(now / 1_000) - markedSeconds;
  const marks = Object.keys(counter).filter((name) => name.startsWith(markPrefix));
  const isOld = (name: string) => Number(text(counter, name).slice(digits + 1)) < before;
  const old = marks.filter(isOld).slice(0, oldMarks);
  if (old.length < oldMarks) return;
  const write = updateItem(
    key,
    { text: `REMOVE ${old.map((name) => `#${name}`).join(', ')}` },
    all(...old.map((name) => is(name, counter[name]))),
  );
  // On a conflict, a later update removes the rest.
  await ifConditionFails(write, () => undefined);
}
