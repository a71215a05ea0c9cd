import type { DynamoDBRecord } from 'aws-lambda';
import type { Author } from '../../../lambdas/core/history/author.ts';
import { itemJson } from '../../../lambdas/store/table/attribute-values.ts';
import type { Item } from '../../../lambdas/store/table/client.ts';
import { contextWith } from '../http/invoke.ts';
import type { Store } from '../store/store.ts';

/** A key's changes, in a request. */
export const byKey = (name: string | null = 'Tests', requestId = 'request-1'): Author => ({
  actor: { type: 'key', id: `key_${'k'.repeat(43)}`, name },
  requestId,
});

/** As long as on AWS, and shorter by one digit at first. */
let sequence = 99_999_999_999_999_999_990n;

/** The stream's record of a change of an item. @param at in seconds since 1970 */
export const changeRecord = (
  before: Item,
  after: Item,
  at = 1_893_553_445,
  SequenceNumber = String(++sequence),
): DynamoDBRecord => ({
  eventName: 'MODIFY',
  eventSourceARN: streamArn('2030-01-01T00:00:00.000'),
  dynamodb: {
    Keys: { pk: { S: String(after.pk) }, sk: { S: String(after.sk) } },
    OldImage: JSON.parse(itemJson(before)),
    NewImage: JSON.parse(itemJson(after)),
    SequenceNumber,
    ApproximateCreationDateTime: at,
  },
});

/** Delivers records to the function that records them, as one batch. */
export async function deliver(records: readonly DynamoDBRecord[], budget = 20_000): Promise<void> {
  const { handler } = await import('../../../lambdas/events/record-changes.ts');
  await handler({ Records: [...records] }, contextWith(budget));
}

/** The ARN of a stream of Links. @param label when it was made, as in `2030-01-31T12:00:00.000` */
export const streamArn = (label: string): string => `arn:aws:dynamodb:eu-central-1:111122223333:table/Links/stream/${label}`;

type Key = { readonly pk: string; readonly sk: string };

export const keyOfLink = (id: string): Key => ({ pk: `LINK#${id.slice('lnk_'.length, -6)}`, sk: 'LINK' });

/** Does something to an item in an author's name, and returns the stream's record of it. @param at in seconds since 1970 */
export async function recordOf(
  store: Store,
  key: Key,
  work: () => Promise<unknown>,
  author: Author = byKey(),
  at?: number,
): Promise<DynamoDBRecord> {
  const { asAuthor } = await import('../../../lambdas/runtime/author.ts');
  const before = (await store.getItem(key)) ?? {};
  await asAuthor(author, work);
  return changeRecord(before, (await store.getItem(key)) ?? {}, at);
}

/** Changes a link and records that. */
export async function changeLink(
  store: Store,
  workspaceId: string,
  id: string,
  changes: object,
  { author, at }: { readonly author?: Author; readonly at?: number } = {},
): Promise<void> {
  const change = async () => {
    const found = await store.getLink(workspaceId, id);
    if (found) await store.updateLink(found, changes);
  };
  await deliver([await recordOf(store, keyOfLink(id), change, author, at)]);
}
