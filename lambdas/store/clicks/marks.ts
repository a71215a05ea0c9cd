import { hash } from 'node:crypto';
import { toBase62 } from '../../domain/base62.ts';
import type { Item } from '../table/client.ts';
import { all, any, type Expression, is, lacks } from '../table/conditions.ts';
import { maybeNumber, number } from '../table/fields.ts';
import type { Key } from '../table/keys.ts';
import { updateItemOnce } from '../table/writes.ts';

/**
 * How far a shard of the stream is counted: the last counted sequence number, and when the newest counted click was
 * created, in seconds since 1970.
 *
 * Marks live in the item that they protect, one attribute for each shard, so that one conditional update moves the
 * count and the mark. Every update pays for all of them. So a mark that has not moved for a while becomes an item of
 * its own, which is read only if the stream delivers something that old.
 *
 * All ages are differences between creation times that DynamoDB has put on the stream's records. No function's clock is
 * involved.
 */
export type Mark = { readonly number: bigint; readonly createdAt: number };

/**
 * How long a mark is kept, in seconds: 26 hours. The stream keeps a record for 24
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html), so no two records that are delivered
 * at the same time are further apart. The rest allows for approximate times, and for batches in flight.
 */
export const markedSeconds = 26 * 60 * 60;

/** After how many seconds without a click a mark may leave the item. */
const idleSeconds = 2 * 60 * 60;

/** By how many seconds a record's creation time may be before that of an earlier record of its shard. */
const disorderSeconds = 60 * 60;

/** How many marks must be idle to be worth a write of the item, and how many are moved with one. */
const fewestToMove = 10;
const mostToMove = 25;

/** The name of a shard's mark: 64 bits of a hash. It is short because every update pays for it. */
export const markName = (shardId: string): string => toBase62(hash('sha256', shardId).slice(0, 16), 11);

/**
 * Bytes that sort as the numbers do: their length, then the number itself. Numbers have up to 40 digits, or 17 bytes.
 */
function bytesOf(sequenceNumber: bigint): Buffer {
  const hex = sequenceNumber.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

/**
 * A mark as the table holds it. The time follows the number, so that a mark sorts above its own number and below the
 * next.
 */
export function toBytes({ number: sequenceNumber, createdAt }: Mark): Buffer {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(createdAt);
  return Buffer.concat([bytesOf(sequenceNumber), time]);
}

/** Reads a mark; undefined if the attribute is none. Only marks are binary. */
export function toMark(value: unknown): Mark | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(value);
  const end = 1 + bytes.readUInt8(0);
  return { number: BigInt(`0x${bytes.subarray(1, end).toString('hex')}`), createdAt: bytes.readUInt32BE(end) };
}

/** The shard has a mark here, and all of these clicks are above it. */
export const isBelow = (name: string, first: bigint): Expression => ({
  text: `#${name} < :first`,
  values: { ':first': bytesOf(first) },
});

/** No mark was moved out of the item that clicks created at that time or later could be below. */
export const nothingMovedSince = (createdAt: number): Expression =>
  any(lacks('movedUntil'), { text: '#movedUntil < :earliest', values: { ':earliest': createdAt } });

/** No mark was moved out of the item since it was read. */
export function nothingMovedFrom(item: Item): Expression {
  const moves = maybeNumber(item, 'moves');
  return moves === undefined ? lacks('moves') : is('moves', moves);
}

/**
 * Takes marks out of an item if enough of them are idle, the oldest first. Those that are still needed become items of
 * their own before that. If anything fails, nothing is lost, and a later call does it.
 *
 * After a move, a shard without a mark in the item may have one of its own. All clicks that such marks have passed were
 * created by `movedUntil`. So the clicks of a shard without a mark are new if they were created after that. For others,
 * the moved mark has to be read. `moves` counts the moves, so that an update can insist on none in between.
 *
 * @param item as it was after an update.
 * @param keyOfMoved the key of a moved mark, by the mark's name.
 * @param now the creation time of the newest click of the update.
 */
export async function tidyMarks(key: Key, item: Item, keyOfMoved: (name: string) => Key, now: number): Promise<void> {
  const idle = Object.entries(item)
    .flatMap(([name, value]) => {
      const mark = toMark(value);
      return mark && now - mark.createdAt > idleSeconds ? [{ name, value, ...mark }] : [];
    })
    .sort((one, other) => one.createdAt - other.createdAt)
    .slice(0, mostToMove);
  if (idle.length < fewestToMove) return;
  const needed = idle.filter(({ createdAt }) => now - createdAt <= markedSeconds);
  try {
    await Promise.all(needed.map((mark) => putMoved(keyOfMoved(mark.name), mark)));
    const movedUntil = Math.max(number(item, 'movedUntil', 0), ...needed.map(({ createdAt }) => createdAt + disorderSeconds));
    await updateItemOnce(
      key,
      {
        text: `REMOVE ${idle.map(({ name }) => `#${name}`).join(', ')} SET #moves = :next, #movedUntil = :until`,
        values: { ':next': number(item, 'moves', 0) + 1, ':until': movedUntil },
      },
      all(nothingMovedFrom(item), ...idle.map(({ name, value }) => is(name, value))),
    );
  } catch (error) {
    // Somebody else has done it, or the store is busy. The clicks are counted already.
    console.warn({ message: 'marks stay where they are', name: error instanceof Error ? error.name : undefined });
  }
}

/** Writes a moved mark. It only moves forward, however late the write arrives. */
async function putMoved(key: Key, { createdAt, value }: Mark & { readonly value: unknown }): Promise<void> {
  await updateItemOnce(
    key,
    { text: 'SET #mark = :mark, #ttl = :ttl', values: { ':mark': value, ':ttl': createdAt + markedSeconds } },
    any(lacks('mark'), { text: '#mark <= :mark' }),
  );
}
