import { createHash } from 'node:crypto';
import { toBase62 } from '../../domain/base62.ts';
import type { Link } from '../../domain/link.ts';
import type { Item } from '../table/client.ts';
import { all, any, failedCondition, ifConditionFails, is, lacks } from '../table/conditions.ts';
import { number, text } from '../table/fields.ts';
import { clicksKey, type Key } from '../table/keys.ts';
import { updateItem } from '../table/writes.ts';

/** The most digits that a sequence number has (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html). */
const digits = 40;

/** For how long a mark is needed at least, in seconds: twice as long as the stream keeps a record that may come again. */
const markedSeconds = 48 * 60 * 60;

/** So many old marks are thrown away with one update: a link that is clicked now and then pays for it once in so many shards. */
const oldMarks = 10;

/** The attribute that says how far a shard is counted: `<sequence number> <second of the update>`. Short, since every update pays for it. */
const markPrefix = 'mark_';
const markOf = (shardId: string) => markPrefix + toBase62(createHash('sha256').update(shardId).digest().subarray(0, 8), 11);

/**
 * What a deleted link has in the place of its counter. Clicks that are still on their way find it and are not counted, so that they make no
 * counter which nothing would ever take away. It stays for as long as a click may come.
 */
export const closedCounter = ({ id }: Pick<Link, 'id'>, now = Date.now()): Key & Item => ({
  ...clicksKey(id),
  ttl: Math.ceil(now / 1_000) + markedSeconds,
});

/** What a counter has counted; a link without clicks has none. */
export const toClickCount = (counter: Item | undefined): number => (counter ? number(counter, 'count', 0) : 0);

/** The counter isn't the closed one of a deleted link, which has a time to live. */
const isOpen = lacks('ttl');

/**
 * Adds a link's clicks of one shard to its counter: those that are not counted yet, each once, with one write where all of them are new. A
 * deleted link's are dropped.
 *
 * A shard is counted in its order, so that its mark, the sequence number counted last, says of each click whether it is counted. The mark moves
 * with the count, in one update, on the condition that it is still below what is added. Whoever finds it moved leaves out what it has passed.
 *
 * @param linkId a well-formed one; the link itself may be gone.
 * @param sequenceNumbers of the clicks in the stream. All of the link's in this shard, from one that is not counted up to the last of them.
 */
export async function countClicks(
  linkId: string,
  shardId: string,
  sequenceNumbers: readonly string[],
  now = Date.now(),
): Promise<void> {
  const key = clicksKey(linkId);
  const mark = markOf(shardId);
  let left = [...new Set(sequenceNumbers.map((number) => number.padStart(digits, '0')))].sort();
  while (left.length > 0) {
    const update = {
      text: `ADD #count :count SET #${mark} = :mark`,
      values: { ':count': left.length, ':mark': `${left.at(-1)} ${Math.floor(now / 1_000)}` },
    };
    // The time comes after the number, so that a mark is above its own number and below the next.
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

/** Throws the marks of shards away that have gone long since, once there are enough of them to be worth a write. */
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
  // If another was faster, what is left goes with a later one.
  await ifConditionFails(write, () => undefined);
}
