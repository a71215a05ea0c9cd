import { hash } from 'node:crypto';
import { toBase62 } from '../../core/base62.ts';
import type { Item } from '../table/client.ts';
import type { Expression } from '../table/expressions.ts';

/**
 * A mark says how far a shard of the stream is counted in a link's counter: the last sequence number that
 * was dealt with, and when the newest click of that batch was created, in seconds since 1970. That click may have been
 * dropped, because it was erased.
 *
 * A counter has an attribute for the mark of each shard, so that one conditional update moves the count and the mark
 * (`count-once.ts`). Every update pays for all marks of its item, so they are short, and leave the item once they
 * are not needed any more (`checkpoints.ts`).
 */
export type Mark = { readonly number: bigint; readonly createdAt: number };

/** A mark in an item. @property value as the table holds it */
export type NamedMark = Mark & { readonly name: string; readonly value: unknown };

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

/** When the newest of the clicks was created, in whole seconds. */
export const newestOf = (clicks: readonly StreamClick[]): number =>
  clicks.reduce((newest, { createdAt }) => Math.max(newest, Math.ceil(createdAt)), 0);

/** The name of a shard's marks: 64 bits of a hash. It is short because every update pays for it. */
export const markName = (shardId: string): string => toBase62(hash('sha256', shardId).slice(0, 16), 11);

/** The marks of an item. */
export const marksIn = (item: Item): NamedMark[] =>
  Object.entries(item).flatMap(([name, value]) => {
    const mark = toMark(value);
    return mark ? [{ name, value, ...mark }] : [];
  });

/** Reads a mark; undefined if the attribute isn't one. No other attribute of a counter is binary. */
export function toMark(value: unknown): Mark | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(value);
  const end = 1 + bytes.readUInt8(0);
  return { number: BigInt(`0x${bytes.subarray(1, end).toString('hex')}`), createdAt: bytes.readUInt32BE(end) };
}

/**
 * A mark as the table holds it. The time follows the number, so that a mark sorts above its own number and below the
 * next.
 */
export function toBytes({ number: sequenceNumber, createdAt }: Mark): Buffer {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(createdAt);
  return Buffer.concat([numberBytes(sequenceNumber), time]);
}

/** The condition that the item has that mark, and that it is below that number. */
export const isBelow = (name: string, number: bigint): Expression => ({
  text: `#${name} < :first`,
  values: { ':first': numberBytes(number) },
});

/**
 * Bytes that sort as the numbers do: their length, then the number itself. Numbers have up to 40 digits, or 17 bytes.
 */
function numberBytes(sequenceNumber: bigint): Buffer {
  const hex = sequenceNumber.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}
