import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { locationInId } from '../domain/ids.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { countClicks } from '../store/clicks/counts.ts';
import { putAside } from '../store/failures.ts';

/**
 * What Lambda sends where the mapping has a tumbling window: only then the shard is named
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html). The end of a window may come without `Records`.
 */
type WindowEvent = Partial<DynamoDBStreamEvent> & { readonly shardId?: string };

/** How many links are counted at once. */
const inFlight = 25;

/**
 * Adds the clicks of a batch up and writes one update a link. A batch may come again, whole or in part, at any time and beside
 * itself: each click is counted once. Where the store fails, the rest is counted all the same and the batch comes again.
 *
 * @throws what the store threw.
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
  if (!shardId) throw new Error('the event names no shard: the mapping needs a tumbling window');
  return shardId;
}

/** What there is to do for a batch: an update for each link, and a note for each record that is no click. */
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

/** The link that a record says was clicked; undefined where it is no click that can be counted. */
function linkIdOf(record: DynamoDBRecord): string | undefined {
  const linkId = record.dynamodb?.NewImage?.linkId?.S ?? '';
  return locationInId(linkId) && /^\d{1,40}$/.test(sequenceNumberOf(record)) ? linkId : undefined;
}

async function setAside(record: DynamoDBRecord, shardId: string): Promise<void> {
  const { pk, sk } = record.dynamodb?.Keys ?? {};
  const sequenceNumber = sequenceNumberOf(record);
  console.error({ message: 'a click could not be read', shardId, sequenceNumber });
  await putAside({ reader: 'count-clicks', shardId, sequenceNumber, itemPk: pk?.S, itemSk: sk?.S });
}
