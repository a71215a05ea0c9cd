import type { Item } from '../table/client.ts';
import { all, any, type Expression, failedCondition, lacks } from '../table/conditions.ts';
import { type Key, movedMarkKey } from '../table/keys.ts';
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

/** What an update adds to numbers, what it sets and removes, by the names of attributes, and on which condition. */
export type Change = {
  readonly add?: Readonly<Record<string, number>>;
  readonly set?: Item;
  readonly remove?: readonly string[];
  readonly condition: Expression;
};

/**
 * Adds clicks from one shard to an item, each click once. If none of them is counted yet, that takes one write.
 *
 * A shard is counted in order, so its mark, the last counted sequence number, tells of each click whether it is
 * counted. One update moves the mark and the numbers, on the condition that the mark is still below the clicks to add.
 * If the mark has moved, the clicks that it has passed are left out and the rest is retried. If the shard has no mark
 * here any more, the clicks may be hours old: then the mark that was moved out of the item is read, and the update
 * insists that no mark was moved since.
 *
 * @param clicks all clicks of the shard that belong to the item, from the first uncounted one or an earlier one, without
 *   gaps.
 * @param changeOf what adding these clicks changes, if the item is as given; undefined if nothing. The item is undefined
 *   if it has not been read, or does not exist.
 * @param read the item, if it has been read.
 * @returns the item as it was last seen.
 */
export async function addOnce<C extends PlacedClick>(
  { key, shardId, clicks, read }: { key: Key; shardId: string; clicks: readonly C[]; read?: Item | undefined },
  changeOf: (clicks: readonly C[], item: Item | undefined) => Change | undefined,
): Promise<Item | undefined> {
  const mark = markName(shardId);
  const times = clicks.map(({ createdAt }) => createdAt);
  const earliest = Math.floor(Math.min(...times));
  const latest = Math.ceil(Math.max(...times));
  let unmarkedAreNew = nothingMovedSince(earliest);
  let item = read;
  let left = inOrder(clicks).filter(({ number }) => number > (toMark(item?.[mark])?.number ?? -1n));
  for (let first = left[0], last = left.at(-1); first !== undefined && last !== undefined; first = left[0]) {
    const wanted = left.map(({ click }) => click);
    const change = changeOf(wanted, item);
    if (!change) return item;
    const set = { ...change.set, [mark]: toBytes({ number: last.number, createdAt: latest }) };
    const areUncounted = any(isBelow(mark, first.number), all(lacks(mark), unmarkedAreNew));
    let updated: Item = {};
    const write = updateItem(key, updateOf({ ...change, set }), all(change.condition, areUncounted)).then((after) => {
      updated = after;
    });
    const failed = await failedCondition(write);
    if (!failed) {
      await tidyMarks(key, updated, (name) => movedMarkKey(key, name), latest);
      return updated;
    }
    item = failed.items[0] ?? {};
    let passed = toMark(item[mark]);
    if (!passed) {
      // A closed counter takes no clicks, whatever its marks were.
      if (!changeOf(wanted, item)) return item;
      passed = toMark((await getItem(movedMarkKey(key, mark)))?.mark);
      unmarkedAreNew = nothingMovedFrom(item);
    }
    const counted = passed?.number ?? -1n;
    left = left.filter(({ number }) => number > counted);
  }
  return item;
}

/** The clicks by their sequence numbers, each once. */
function inOrder<C extends PlacedClick>(clicks: readonly C[]): { readonly number: bigint; readonly click: C }[] {
  const byNumber = new Map(clicks.map((click) => [BigInt(click.sequenceNumber), click]));
  return [...byNumber].map(([number, click]) => ({ number, click })).sort((a, b) => (a.number < b.number ? -1 : 1));
}

/** The update expression of a change. Attributes get aliases, because their names may have any characters. */
export function updateOf({ add = {}, set = {}, remove = [] }: Omit<Change, 'condition'>): Expression {
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const alias = (name: string) => {
    const place = `a${Object.keys(names).length}`;
    names[`#${place}`] = name;
    return place;
  };
  const assigned = (attributes: Readonly<Record<string, unknown>>, sign: string) =>
    Object.entries(attributes).map(([name, value]) => {
      const place = alias(name);
      values[`:${place}`] = value;
      return `#${place}${sign}:${place}`;
    });
  const clause = (word: string, parts: readonly string[]) => (parts.length > 0 ? [`${word} ${parts.join(', ')}`] : []);
  const text = [
    ...clause('ADD', assigned(add, ' ')),
    ...clause('SET', assigned(set, ' = ')),
    ...clause(
      'REMOVE',
      remove.map((name) => `#${alias(name)}`),
    ),
  ].join(' ');
  return { text, names, values };
}
