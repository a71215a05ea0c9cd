import { failureKey, failuresIndex, indexed, type Key } from '../table/keys.ts';
import { putItem } from '../table/writes.ts';

/** A record of the stream, and the item that changed; undefined if the record does not say. */
type Place = {
  readonly sequenceNumber: string;
  readonly itemPk: string | undefined;
  readonly itemSk: string | undefined;
};

/** The clicks that a counter or a day could not take. */
type Uncounted = {
  /** The first of them. */
  readonly sequenceNumber: string;
  /** The key of the counter or day. */
  readonly counts: Key;
  readonly clicks: readonly Place[];
  /** What the table said. */
  readonly reason: string;
};

/** What a function put aside: a record that it could not read, or clicks that could not be counted. */
export type Failure = {
  /** The function's name. */
  readonly reader: string;
  readonly shardId: string;
} & (Place | Uncounted);

/** How long a failure is kept, in seconds: 14 days, as long as a queue could keep it. */
const keptSeconds = 14 * 24 * 60 * 60;

/**
 * Puts aside records that could not be processed: their positions in the stream, not their content, which nobody has
 * checked. The item expires by its `ttl`. What is delivered again from the same position is put aside only once. If a
 * batch is cut differently the second time, two notes may name the same click.
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
    failedAt,
    ttl: Math.ceil(now / 1_000) + keptSeconds,
  });
}
