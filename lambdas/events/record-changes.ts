import type { AttributeValue, Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { alarming } from '../domain/alarms.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { putAside } from '../store/failures.ts';
import { entryItem, insertEntries } from '../store/history.ts';
import { happeningOf } from '../store/recorded-changes.ts';
import { itemOf } from '../store/table/attribute-values.ts';
import type { Item } from '../store/table/client.ts';
import { brokenItem } from '../store/table/fields.ts';
import { historyPosition, type Key } from '../store/table/keys.ts';

/**
 * Records changes of links, tags, domains and keys in the history. An entry's key follows from the record's sequence
 * number, so a batch that is repeated, split differently or processed twice writes the same entries again, and a
 * subject's entries are in the order of its changes, whatever the order of their delivery.
 *
 * A record that cannot be read is put aside. If the table is busy, Lambda sends the batch again.
 *
 * @throws RequestError `temporarily_unavailable`
 */
export const handler = ({ Records }: DynamoDBStreamEvent, context: Context): Promise<void> =>
  withinInvocation(context, async () => {
    const entries: (Key & Item)[] = [];
    for (const record of Records) {
      try {
        const entry = entryOf(record);
        if (entry) entries.push(entry);
      } catch (error) {
        if (!(error instanceof Error && error.name === brokenItem)) throw error;
        await noteUnreadable(record, error);
      }
    }
    await insertEntries(entries);
  });

/** The entry of a record; undefined if nothing happened that the history is about. @throws BrokenItem */
function entryOf({ eventName, dynamodb }: DynamoDBRecord): (Key & Item) | undefined {
  if (eventName !== 'MODIFY') return undefined;
  const { OldImage, NewImage, SequenceNumber = '', ApproximateCreationDateTime = 0 } = dynamodb ?? {};
  const at = new Date(ApproximateCreationDateTime * 1_000).toISOString();
  const happening = happeningOf({ before: plain(OldImage), after: plain(NewImage) }, at);
  return happening && entryItem(happening, historyPosition(SequenceNumber));
}

const plain = (image: Record<string, AttributeValue> = {}): Item => itemOf(image as Parameters<typeof itemOf>[0]);

async function noteUnreadable({ dynamodb }: DynamoDBRecord, { message: reason }: Error): Promise<void> {
  const { pk, sk } = dynamodb?.Keys ?? {};
  const sequenceNumber = dynamodb?.SequenceNumber ?? '';
  console.error({ message: alarming.changeUnreadable, sequenceNumber, reason });
  // Only events of mappings with a window name their shard. Sequence numbers are unique without it.
  await putAside({ reader: 'record-changes', shardId: '-', sequenceNumber, itemPk: pk?.S, itemSk: sk?.S });
}
