import { failureKey, failuresIndex, indexed } from './table/keys.ts';
import { putItem } from './table/writes.ts';

/** A stream record that a function could not read. */
export type Failure = {
  /** The function's name. */
  readonly reader: string;
  readonly shardId: string;
  readonly sequenceNumber: string;
  /** The item that changed; undefined if the record does not say. */
  readonly itemPk: string | undefined;
  readonly itemSk: string | undefined;
};

/** How long a failure is kept, in seconds: 14 days, as long as a queue could keep it. */
const keptSeconds = 14 * 24 * 60 * 60;

/**
 * Puts aside a record that could not be read: its position in the stream, not its content, which nobody has checked.
 * The item expires by its `ttl`. A record that is delivered again is put aside only once.
 */
export async function putAside(failure: Failure, now = Date.now()): Promise<void> {
  const { reader, shardId, sequenceNumber } = failure;
  const failedAt = new Date(now).toISOString();
  await putItem({
    ...failureKey(reader, shardId, sequenceNumber),
    ...indexed(failuresIndex, `${failedAt}#${sequenceNumber}`),
    ...failure,
    failedAt,
    ttl: Math.ceil(now / 1_000) + keptSeconds,
  });
}
