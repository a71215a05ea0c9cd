import type { Link } from '../../domain/link.ts';
import type { Item } from '../table/client.ts';
import { all, any, failedCondition, lacks } from '../table/conditions.ts';
import { number } from '../table/fields.ts';
import { countKey, type Key, movedMarkKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { updateItem } from '../table/writes.ts';
import { isBelow, markName, nothingMovedFrom, nothingMovedSince, tidyMarks, toBytes, toMark } from './marks.ts';

/** A click's place in a shard of the stream. */
export type PlacedClick = {
  /**
   * A whole number of up to 40 digits
   * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html).
   */
  readonly sequenceNumber: string;
  /** When DynamoDB created the stream's record, in seconds since 1970: its `ApproximateCreationDateTime`. */
  readonly createdAt: number;
};

/**
 * How long a deleted link's counter stays closed, in seconds: twice as long as the stream keeps a click, because here
 * it is a function's clock that says when this begins.
 */
const closedSeconds = 48 * 60 * 60;

/**
 * Replaces the counter of a deleted link. Clicks that arrive later find it and are not counted, so that they don't
 * create a counter that nothing would ever remove. It stays as long as a click may arrive.
 */
export const closedCounter = ({ id }: Pick<Link, 'id'>, now = Date.now()): Key & Item => ({
  ...countKey(id),
  ttl: Math.ceil(now / 1_000) + closedSeconds,
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
 * the mark has moved, the clicks that it has passed are left out and the rest is retried. If the shard has no mark here
 * any more, the clicks may be hours old: then the mark that was moved out of the counter is read, and the update
 * insists that no mark was moved since.
 *
 * @param linkId a well-formed link id; the link itself may be gone.
 * @param clicks all of this link's clicks in the shard, from the first uncounted one or an earlier one, without gaps.
 */
export async function countClicks(linkId: string, shardId: string, clicks: readonly PlacedClick[]): Promise<void> {
  const key = countKey(linkId);
  const mark = markName(shardId);
  const times = clicks.map(({ createdAt }) => createdAt);
  const earliest = Math.floor(Math.min(...times));
  const latest = Math.ceil(Math.max(...times));
  let unmarkedAreNew = nothingMovedSince(earliest);
  let left = [...new Set(clicks.map(({ sequenceNumber }) => BigInt(sequenceNumber)))].sort((a, b) => (a < b ? -1 : 1));
  for (let first = left[0], last = left.at(-1); first !== undefined && last !== undefined; first = left[0]) {
    const update = {
      text: `ADD #count :count SET #${mark} = :mark`,
      values: { ':count': left.length, ':mark': toBytes({ number: last, createdAt: latest }) },
    };
    const areUncounted = any(isBelow(mark, first), all(lacks(mark), unmarkedAreNew));
    let counter: Item = {};
    const write = updateItem(key, update, all(isOpen, areUncounted)).then((item) => {
      counter = item;
    });
    const failed = await failedCondition(write);
    if (!failed) return tidyMarks(key, counter, (name) => movedMarkKey(linkId, name), latest);
    counter = failed.items[0] ?? {};
    if (counter.ttl !== undefined) return;
    let passed = toMark(counter[mark]);
    if (!passed) {
      passed = toMark((await getItem(movedMarkKey(linkId, mark)))?.mark);
      unmarkedAreNew = nothingMovedFrom(counter);
    }
    const counted = passed?.number ?? -1n;
    left = left.filter((sequenceNumber) => sequenceNumber > counted);
  }
}
