import { reportingDenials } from '../../runtime/denials.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { Item } from '../table/client.ts';
import { all, any, hasStill, is, lacks } from '../table/expressions.ts';
import { number } from '../table/fields.ts';
import { checkpointKey, toKey } from '../table/keys.ts';
import { getItem, tryGetItems } from '../table/reads.ts';
import { updateItemOnce } from '../table/writes.ts';
import { type Mark, markName, marksIn, type NamedMark, newestOf, type StreamClick, toBytes, toMark } from './marks.ts';

/**
 * A checkpoint says how far a shard of the stream is counted everywhere: all its clicks up to that sequence number are
 * counted in each of their items, erased or put aside. Each shard has one, in its own item. A batch writes it when
 * everything else is done.
 *
 * It is right even if only some batches write it. Lambda delivers a shard's batches in order the first time, and
 * repeats each until it succeeds. So when a batch succeeds, all earlier clicks of its shard have been dealt with, by
 * this function or another, or have left the stream.
 *
 * A mark is removed from its item only once a stored checkpoint is at or above it, or if it is more than 26 hours older
 * than the newest click. `removals` counts how often marks were removed from an item. So a shard without a mark in an
 * item is new there if the item has no `removals`. Otherwise its checkpoint has to be read, after the item: it tells
 * which clicks are counted, and the update fails if `removals` has changed.
 *
 * For example, shards A to J had their last clicks at 12:00, with marks and checkpoints at 10. K is at work at 12:11,
 * and meets a zombie, a function of A that was given up long ago:
 *
 *     Z   gets A's click 10, reads the item before anybody counts it, and sleeps     A has no mark, no `removals`
 *     F   counts A's click 10 in the item: A's mark is 10; writes A's checkpoint: 10
 *     K   counts a click. The item now has ten idle marks
 *     K   reads the ten checkpoints: none is below its mark
 *     K   removes the ten marks, and sets `removals` to 1, if all are as K has read them
 *     Z   adds click 10, if A has no mark and the item has no `removals`              refused
 *     Z   sees `removals`, and reads A's checkpoint, 10: nothing is left to add
 *     A   brings 11, in a batch with 10 once more: there is no mark, so A's checkpoint is read, and only 11 is added
 *
 * - If K dies before its last step, or that step is refused, the marks stay. A later batch tries again.
 * - If a mark moves before K's last step, K's checkpoint may be below it. So that step is conditional on each mark.
 * - A checkpoint expires 26 hours after its newest click. The clicks up to it have left the stream by then.
 *
 * All ages are differences between creation times that DynamoDB has put on the stream's records. No function's clock is
 * involved.
 */

/**
 * How long marks and checkpoints are needed, in seconds: 26 hours. The stream keeps a record for 24
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html), so no two records that are delivered
 * at the same time are further apart. The rest allows for approximate times, and for batches in flight.
 */
const neededSeconds = 26 * 60 * 60;

/**
 * After how many seconds without a click a mark may leave its item. The next click of its shard takes a read of the
 * checkpoint, a fifth of the price of a write. A mark that stays makes each update larger: 33 of them take a unit. So
 * only marks that are used all the time should stay.
 */
const idleSeconds = 10 * 60;

/** How many marks must be idle before their checkpoints are read, to see which of them can be removed. */
const fewestIdle = 10;

/** The fewest marks that are worth a removal, and the most in one, so that its expressions stay below 4 kB. */
const fewestRemoved = 5;
const mostRemoved = 50;

/**
 * The number of marks in an item from which its batches write checkpoints. So an item never has more than four marks
 * whose checkpoints were not written, and a removal finds six marks to remove. Most items never have so many, and cost
 * no checkpoint.
 */
const severalMarks = fewestIdle / 2;

/** A shard of the stream, while one of its batches is counted. */
export type Shard = {
  /** The name of its marks. */
  readonly name: string;
  /** The sequence number of the checkpoint: -1 if there is none. The first call reads it, after the batch's items. */
  readonly checkpoint: () => Promise<bigint>;
};

export function shardOf(shardId: string): Shard {
  const name = markName(shardId);
  let reading: Promise<bigint> | undefined;
  const read = () =>
    readCheckpoint(name).catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
  return { name, checkpoint: () => (reading ??= read()) };
}

/** The sequence number of a shard's checkpoint; -1 if there is none. */
export const readCheckpoint = async (name: string): Promise<bigint> => numberOf(await getItem(checkpointKey(name)));

const numberOf = (checkpoint: Item | undefined): bigint => toMark(checkpoint?.upTo)?.number ?? -1n;

/**
 * Keeps items small, once a whole batch is counted: writes the shard's checkpoint, if it may be needed, and removes
 * marks that are not needed any more. If anything fails, nothing is lost, and a later batch does it.
 *
 * @param clicks all of the batch, at least one.
 * @param items in which they are counted, as they were last seen.
 */
export async function tidy({ name }: Shard, clicks: readonly StreamClick[], items: readonly Item[]): Promise<void> {
  const now = newestOf(clicks);
  if (items.some((item) => marksIn(item).length >= severalMarks)) {
    const numbers = clicks.map(({ sequenceNumber }) => BigInt(sequenceNumber));
    const last = numbers.reduce((last, one) => (one > last ? one : last), -1n);
    await ifPossible(() => putCheckpoint(name, { number: last, createdAt: now }));
  }
  await ifPossible(() => removePassedMarks(items, now));
}

/** Writes a shard's checkpoint. It only moves forward, however late the write arrives. */
async function putCheckpoint(name: string, upTo: Mark): Promise<void> {
  const values = { ':upTo': toBytes(upTo), ':ttl': upTo.createdAt + neededSeconds };
  const update = { text: 'SET #upTo = :upTo, #ttl = :ttl', values };
  await updateItemOnce(checkpointKey(name), update, any(lacks('upTo'), { text: '#upTo < :upTo' }));
}

/** Removes marks that are not needed any more from those items that have many idle ones. */
async function removePassedMarks(items: readonly Item[], now: number): Promise<void> {
  const crowded = items.flatMap((item) => {
    const idle = idleIn(item, now);
    return idle.length >= fewestIdle ? [{ item, idle }] : [];
  });
  const names = [...new Set(crowded.flatMap(({ idle }) => idle.map(({ name }) => name)))];
  // An outdated checkpoint is lower, but was stored, too.
  const checkpoints = await tryGetItems(names.map(checkpointKey));
  const passed = new Map(names.map((name, index) => [name, numberOf(checkpoints[index])]));
  const isPassed = ({ name, number, createdAt }: NamedMark) =>
    number <= (passed.get(name) ?? -1n) || now - createdAt > neededSeconds;
  await inParallel(crowded, 25, ({ item, idle }) => ifPossible(() => removeMarks(item, idle.filter(isPassed))));
}

/** The marks of an item that have been idle the longest. */
const idleIn = (item: Item, now: number): NamedMark[] =>
  marksIn(item)
    .filter(({ createdAt }) => now - createdAt > idleSeconds)
    .sort((one, other) => one.createdAt - other.createdAt)
    .slice(0, mostRemoved);

/** Removes marks from an item, if they and `removals` are still as they were read. */
async function removeMarks(item: Item, marks: readonly NamedMark[]): Promise<void> {
  if (marks.length < fewestRemoved) return;
  const text = `REMOVE ${marks.map(({ name }) => `#${name}`).join(', ')} SET #removals = :next`;
  const areAsRead = all(hasStill('removals', item), ...marks.map(({ name, value }) => is(name, value)));
  await updateItemOnce(toKey(item), { text, values: { ':next': number(item, 'removals', 0) + 1 } }, areAsRead);
}

/** Does what a later batch would do otherwise. Only a denial is worth an alarm. */
async function ifPossible(work: () => Promise<void>): Promise<void> {
  await reportingDenials(work).catch((error: unknown) => {
    console.warn({
      message: 'a checkpoint was not written, or marks were not removed',
      name: error instanceof Error ? error.name : undefined,
    });
  });
}
