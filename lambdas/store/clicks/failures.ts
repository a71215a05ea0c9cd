import { failureKey, failuresIndex, indexed, type Key } from '../table/keys.ts';
import { putItem } from '../table/writes.ts';

/** Where a record is in the stream, and the key of the item that changed; undefined if the record does not say. */
type RecordPosition = {
  readonly sequenceNumber: string;
  readonly itemPk: string | undefined;
  readonly itemSk: string | undefined;
};

/** The clicks that a counter or a tail could not take. */
type Uncounted = {
  /** Of the first click. */
  readonly sequenceNumber: string;
  /** The key of the counter, or of the entry of the tail. */
  readonly counts: Key;
  readonly clicks: readonly RecordPosition[];
  /** The error of the table. */
  readonly reason: string;
};

/** A message of a queue. Nothing else keeps it, so its text is here. */
type Message = {
  /** Its id. */
  readonly sequenceNumber: string;
  readonly message: string;
  readonly reason: string;
};

/** What a function put aside: a record or a message that it could not read, or clicks that could not be counted. */
export type Failure = {
  /** The function's name. */
  readonly reader: string;
  readonly shardId: string;
} & (RecordPosition | Uncounted | Message);

/** How many characters of a message are kept: far more than a click has. */
const mostOfMessage = 10_000;

/** How long a failure is kept, in seconds: 14 days, as long as a queue could keep it. */
const keptSeconds = 14 * 24 * 60 * 60;

/**
 * Puts aside what could not be processed: of records, only their positions in the stream, because nobody has checked
 * their content. The item expires by its `ttl`. A record that is delivered again overwrites its earlier item. If a
 * batch is split differently the second time, two items may name the same click.
 */
export async function putAside(failure: Failure, now = Date.now()): Promise<void> {
  const { reader, shardId, sequenceNumber } = failure;
  const failedAt = new Date(now).toISOString();
  await putItem({
    ...failureKey(
      reader,
      shardId,
      'counts' in failure ? `${sequenceNumber}#${failure.counts.pk}#${failure.counts.sk}` : sequenceNumber,
    ),
    ...indexed(failuresIndex, `${failedAt}#${sequenceNumber}`),
    ...failure,
    ...('message' in failure && { message: failure.message.slice(0, mostOfMessage) }),
    failedAt,
    ttl: Math.ceil(now / 1_000) + keptSeconds,
  });
}
