import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { withinInvocation } from '../runtime/deadline.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { countClicks } from '../store/clicks/counts.ts';
import { putAside } from '../store/failures.ts';
import { linkOfClick } from '../store/table/keys.ts';

/**
 * The event of a mapping with a tumbling window. Only such events name their shard
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html). The last one of a window may have no
 * `Records`.
 */
type WindowEvent = Partial<DynamoDBStreamEvent> & { readonly shardId?: string };

/** How many links are counted at a time. */
const inFlight = 25;

/**
 * Adds up the clicks of a batch, with one update for each link. Each click is counted once, even if a batch is
 * repeated, whole or in part, or processed twice at the same time. If an update fails, the others are still made, and
 * Lambda sends the batch again.
 *
 * @throws the first error of the store.
 */
export const handler = ({ Records = [], shardId }: WindowEvent, context: Context): Promise<{ state: object }> =>
  withinInvocation(context, async () => {
    const counting = Records.length > 0 ? workOf(Records, shardIdOf(shardId)) : [];
    const failures: unknown[] = [];
    await inParallel(counting, inFlight, (count) => count().catch((error: unknown) => failures.push(error)));
    if (failures.length > 0) throw failures[0];
    return { state: {} };
  });

function shardIdOf(shardId: string | undefined): string {
  if (!shardId) throw new Error('the event does not name a shard: the mapping needs a tumbling window');
  return shardId;
}

/** The work for a batch: an update for each link, and a stored note for each record that isn't a click. */
function workOf(records: readonly DynamoDBRecord[], shardId: string): (() => Promise<void>)[] {
  const byLink = Map.groupBy(records, linkIdOf);
  const unreadable = byLink.get(undefined) ?? [];
  byLink.delete(undefined);
  return [
    ...[...byLink].map(
      ([linkId = '', clicks]) =>
        () =>
          countClicks(linkId, shardId, clicks.map(sequenceNumberOf)),
    ),
    ...unreadable.map((record) => () => setAside(record, shardId)),
  ];
}

const sequenceNumberOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

/** The link that was clicked; undefined if the record isn't a valid click. */
const linkIdOf = (record: DynamoDBRecord): string | undefined =>
  /^\d{1,40}$/.test(sequenceNumberOf(record)) ? linkOfClick(record.dynamodb?.Keys?.pk?.S ?? '') : undefined;

async function setAside(record: DynamoDBRecord, shardId: string): Promise<void> {
  const { pk, sk } = record.dynamodb?.Keys ?? {};
  const sequenceNumber = sequenceNumberOf(record);
  console.error({ message: 'a click could not be read', shardId, sequenceNumber });
  await putAside({ reader: 'count-clicks', shardId, sequenceNumber, itemPk: pk?.S, itemSk: sk?.S });
}
