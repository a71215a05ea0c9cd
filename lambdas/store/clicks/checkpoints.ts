import { hash } from 'node:crypto';
import { toBase62 } from '../../core/base62.ts';
import type { Item } from '../table/client.ts';
import { all, any, type Expression, is, lacks } from '../table/conditions.ts';
import { maybeNumber, number } from '../table/fields.ts';
import type { Key } from '../table/keys.ts';
import { updateItemOnce } from '../table/writes.ts';

/**
 * A checkpoint says how far a shard of the stream is counted in an item: the last counted sequence number, and when the
 * newest counted click was created, in seconds since 1970.
 *
 * Checkpoints live in the counter or day that they protect, one attribute for each shard, so that one conditional
 * update moves the count and the checkpoint (`add-uncounted.ts`). Every update pays for all of them. So a checkpoint
 * that has been idle for two hours becomes an item of its own, which is read only if the stream delivers something that
 * old.
 *
 * `movedUntil` and `moves` in the item say what has left it. All clicks at or below a moved checkpoint were created by
 * `movedUntil`. So a shard without a checkpoint in the item either brings clicks that were created after `movedUntil`,
 * which are all new, or its moved checkpoint has to be read. `moves` counts the moves, so that an update can insist
 * that none happened since.
 *
 * For example, shards A to J are at 10, and were last heard of at 12:00. The readers of K and A meet at 14:01:
 *
 *     K   counts a click that was created at 14:01. The updated item shows ten idle checkpoints
 *     K   writes A's as an item of its own, MARK#…#A = 10, and the other nine likewise
 *     A   counts click 11, created at 12:30, in the counter; A's checkpoint there is 11
 *     K   removes the ten from the counter, if all are as they were read: refused, because A's is not. All stay
 *
 * - If K dies before its last step, or that step is refused, the items are there, and so are the checkpoints in the
 *   counter, which are what counts. A later update of the counter, by any shard, does all of it again.
 * - If the last step is done, `movedUntil` is 13:00, an hour after the ten, and `moves` is 1. If A then brings 10
 *   again, which is older than that, it reads MARK#…#A, and leaves 10 out. If A brings 11, created at 13:30, it reads
 *   nothing.
 * - If the ten were idle for more than 26 hours, the stream delivers nothing that old any more. They are only removed.
 *
 * All ages are differences between creation times that DynamoDB has put on the stream's records. No function's clock is
 * involved.
 */
export type Checkpoint = { readonly number: bigint; readonly createdAt: number };

/**
 * How long a checkpoint is needed, in seconds: 26 hours. The stream keeps a record for 24
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html), so no two records that are delivered
 * at the same time are further apart. The rest allows for approximate times, and for batches in flight.
 */
const neededSeconds = 26 * 60 * 60;

/** After how many seconds without a click a checkpoint may leave the item. */
const idleSeconds = 2 * 60 * 60;

/** By how many seconds a record's creation time may be before that of an earlier record of its shard. */
const disorderSeconds = 60 * 60;

/** How many checkpoints must be idle to be worth a write of the item, and how many are moved with one. */
const fewestToMove = 10;
const mostToMove = 25;

/** The name of a shard's checkpoint: 64 bits of a hash. It is short because every update pays for it. */
export const checkpointName = (shardId: string): string => toBase62(hash('sha256', shardId).slice(0, 16), 11);

/** The shard has a checkpoint in the item, and it is below the first of the clicks to add. */
export const isBelow = (name: string, first: bigint): Expression => ({
  text: `#${name} < :first`,
  values: { ':first': numberBytes(first) },
});

/** All moved checkpoints are too old for clicks that were created at that time or later. */
export const noneMovedSince = (createdAt: number): Expression =>
  any(lacks('movedUntil'), { text: '#movedUntil < :earliest', values: { ':earliest': createdAt } });

/** No checkpoint was moved out of the item since it was read. */
export function noMoveSinceRead(item: Item): Expression {
  const moves = maybeNumber(item, 'moves');
  return moves === undefined ? lacks('moves') : is('moves', moves);
}

/**
 * Moves checkpoints out of an item if enough of them are idle, the oldest first. If anything fails, nothing is lost,
 * and a later call does it.
 *
 * @param item as it was after an update.
 * @param keyOfMoved the key of a moved checkpoint, by the checkpoint's name.
 * @param now the creation time of the newest click of the update.
 */
export async function moveIdleCheckpoints(key: Key, item: Item, keyOfMoved: (name: string) => Key, now: number): Promise<void> {
  const idle = idleIn(item, now);
  if (idle.length < fewestToMove) return;
  const needed = idle.filter(({ createdAt }) => now - createdAt <= neededSeconds);
  try {
    await Promise.all(needed.map((checkpoint) => putMoved(keyOfMoved(checkpoint.name), checkpoint)));
    const movedUntil = Math.max(number(item, 'movedUntil', 0), ...needed.map(({ createdAt }) => createdAt + disorderSeconds));
    await updateItemOnce(
      key,
      {
        text: `REMOVE ${idle.map(({ name }) => `#${name}`).join(', ')} SET #moves = :next, #movedUntil = :until`,
        values: { ':next': number(item, 'moves', 0) + 1, ':until': movedUntil },
      },
      all(noMoveSinceRead(item), ...idle.map(({ name, value }) => is(name, value))),
    );
  } catch (error) {
    // Another update has moved them, or the store is busy. The clicks are counted already.
    console.warn({ message: 'checkpoints stay where they are', name: error instanceof Error ? error.name : undefined });
  }
}

/** A checkpoint in an item. @param value as the table holds it */
type NamedCheckpoint = Checkpoint & { readonly name: string; readonly value: unknown };

/** The checkpoints of an item that have been idle the longest. */
const idleIn = (item: Item, now: number): NamedCheckpoint[] =>
  Object.entries(item)
    .flatMap(([name, value]) => {
      const checkpoint = toCheckpoint(value);
      return checkpoint && now - checkpoint.createdAt > idleSeconds ? [{ name, value, ...checkpoint }] : [];
    })
    .sort((one, other) => one.createdAt - other.createdAt)
    .slice(0, mostToMove);

/** Writes a moved checkpoint. It only moves forward, however late the write arrives. */
async function putMoved(key: Key, { createdAt, value }: NamedCheckpoint): Promise<void> {
  await updateItemOnce(
    key,
    { text: 'SET #mark = :mark, #ttl = :ttl', values: { ':mark': value, ':ttl': createdAt + neededSeconds } },
    any(lacks('mark'), { text: '#mark <= :mark' }),
  );
}

/** Reads a checkpoint; undefined if the attribute holds none. No other attribute is binary. */
export function toCheckpoint(value: unknown): Checkpoint | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(value);
  const end = 1 + bytes.readUInt8(0);
  return { number: BigInt(`0x${bytes.subarray(1, end).toString('hex')}`), createdAt: bytes.readUInt32BE(end) };
}

/**
 * A checkpoint as the table holds it. The time follows the number, so that a checkpoint sorts above its own number and
 * below the next.
 */
export function toBytes({ number: sequenceNumber, createdAt }: Checkpoint): Buffer {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(createdAt);
  return Buffer.concat([numberBytes(sequenceNumber), time]);
}

/**
 * Bytes that sort as the numbers do: their length, then the number itself. Numbers have up to 40 digits, or 17 bytes.
 */
function numberBytes(sequenceNumber: bigint): Buffer {
  const hex = sequenceNumber.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}
