import { failureKey, failuresIndex, indexed } from './table/keys.ts';
import { putItem } from './table/writes.ts';

/** A record of the stream that a function could not read. */
export type Failure = {
  /** The function's name. */
  readonly reader: string;
  readonly shardId: string;
  readonly sequenceNumber: string;
  /** The item whose change the record tells of; undefined where it does not say. */
  readonly itemPk: string | undefined;
  readonly itemSk: string | undefined;
};

/** For how long a failure is kept, in seconds: 14 days, as long as a queue could keep it. */
const keptSeconds = 14 * 24 * 60 * 60;

/**
 * Puts a record aside that could not be read: where it is, not what it holds, which nobody has looked at. The item is
 * there for as long as its own time to live. A record that comes again is put aside once.
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
