import type { AttributeValue, Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { alarming } from '../core/alarms.ts';
import { newVisitId } from '../core/ids.ts';
import { type DeliveredEvent, newDeliveries } from '../core/webhook/delivery.ts';
import { wasThere } from '../core/webhook/webhook.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { tryAll } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';
import { putAside } from '../store/clicks/failures.ts';
import { entryItem, insertEntries } from '../store/history/history.ts';
import { happeningOf, linkEventOf } from '../store/streams/recorded-changes.ts';
import { itemOf } from '../store/table/attribute-values.ts';
import type { Item } from '../store/table/client.ts';
import { tableTime } from '../store/table/clock.ts';
import { brokenItem } from '../store/table/fields.ts';
import { historyPosition, type Key } from '../store/table/keys.ts';
import { addDeliveries, wake } from '../store/webhooks/deliveries.ts';
import { subscribersOf } from '../store/webhooks/targets.ts';
import { webhooksOf } from '../store/webhooks/webhooks.ts';
import { linkInPayload, webhookBody } from '../views/webhook-payload.ts';

/**
 * Records changes of links, tags, templates, domains, keys and members in the history, and creates the deliveries of
 * changed links for the webhooks that subscribe to them. An entry's key follows from the record's stream and sequence
 * number, so a batch that is repeated, split differently or processed twice writes the same entries again, and a
 * subject's entries are in the order of its changes, whatever the order of their delivery.
 *
 * A record that cannot be read is put aside. If an item of one workspace, link or receiver is busy, the others are
 * served first, and then Lambda sends the batch again. A call that a policy denies is also reported at once.
 *
 * @throws RequestError `temporarily_unavailable`
 */
export const handler = ({ Records }: DynamoDBStreamEvent, context: Context): Promise<void> =>
  withinInvocation(context, async () => {
    const entries: (Key & Item)[] = [];
    const events: TimedEvent[] = [];
    const unreadable: (() => Promise<void>)[] = [];
    for (const record of Records) {
      try {
        const entry = entryOf(record);
        if (entry) entries.push(entry);
        const event = eventOf(record);
        if (event) events.push(event);
      } catch (error) {
        if (!(error instanceof Error && error.name === brokenItem)) throw error;
        unreadable.push(() => putRecordAside(record, error));
      }
    }
    const tasks = [
      ...unreadable,
      () => insertEntries(entries),
      ...[...Map.groupBy(events, (event) => event.workspaceId)].map((one) => () => createDeliveries(...one)),
    ];
    await tryAll(tasks, concurrency, reportingDenials);
  });

/** An event for webhooks, and when it happened, in ISO 8601. */
type TimedEvent = DeliveredEvent & { readonly at: string };

/** How many workspaces to process at a time. */
const concurrency = 5;

/**
 * Creates the deliveries of a workspace's events for the webhooks that subscribe to them and existed when they
 * happened, and asks for senders. A batch that is repeated creates the same deliveries.
 */
async function createDeliveries(workspaceId: string, events: readonly TimedEvent[]): Promise<void> {
  const webhooks = await webhooksOf(workspaceId);
  const deliveries = events.flatMap(({ at, ...event }) => {
    const there = webhooks.filter((webhook) => wasThere(webhook, at));
    return newDeliveries(event, subscribersOf(there, event.type), tableTime());
  });
  // The reader of Activity's stream starts the senders.
  await addDeliveries(deliveries, (receiver) => wake(receiver, newVisitId()));
}

/** The event of a record; undefined if webhooks don't report such a change. @throws BrokenItem */
function eventOf(record: DynamoDBRecord): TimedEvent | undefined {
  const { OldImage, NewImage, SequenceNumber = '', ApproximateCreationDateTime = 0 } = record.dynamodb ?? {};
  const event = linkEventOf({ before: plain(OldImage), after: plain(NewImage) });
  if (!event) return undefined;
  const { type, link } = event;
  const at = timeOf(ApproximateCreationDateTime);
  const body = webhookBody(type, at, { link: linkInPayload(link, setting('SHORT_URL_ORIGIN')) });
  const key = `${link.id} ${streamLabelOf(record)} ${SequenceNumber}`;
  return { workspaceId: link.workspaceId, linkId: link.id, type, key, at, body };
}

/** The label of a record's stream: the time when the stream began. A restored table has its own stream. */
const streamLabelOf = ({ eventSourceARN = '' }: DynamoDBRecord): string => eventSourceARN.split('/stream/')[1] ?? '';

const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** The history's entry of a record; undefined if the history does not record such a change. @throws BrokenItem */
function entryOf(record: DynamoDBRecord): (Key & Item) | undefined {
  if (Number(setting('HISTORY_DAYS')) === 0) return undefined;
  const { OldImage, NewImage, SequenceNumber = '', ApproximateCreationDateTime = 0 } = record.dynamodb ?? {};
  // Of new items, only keys and members are recorded.
  const isRecorded = /^(KEY$|MEMBER#)/.test(NewImage?.sk?.S ?? '');
  if (record.eventName !== 'MODIFY' && !(record.eventName === 'INSERT' && isRecorded)) return undefined;
  const at = timeOf(ApproximateCreationDateTime);
  const happening = happeningOf({ before: plain(OldImage), after: plain(NewImage) }, at);
  return happening && entryItem(happening, historyPosition(streamLabelOf(record), SequenceNumber));
}

const plain = (image: Record<string, AttributeValue> = {}): Item => itemOf(image as Parameters<typeof itemOf>[0]);

async function putRecordAside(record: DynamoDBRecord, { message: reason }: Error): Promise<void> {
  const { Keys: { pk, sk } = {}, SequenceNumber: sequenceNumber = '' } = record.dynamodb ?? {};
  console.error({ message: alarming.changeUnreadable, sequenceNumber, reason });
  // Only events of mappings with a window name their shard. Sequence numbers of a stream are unique without it.
  const shardId = streamLabelOf(record);
  await putAside({ reader: 'record-changes', shardId, sequenceNumber, itemPk: pk?.S, itemSk: sk?.S });
}
