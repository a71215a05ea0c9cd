import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { alarming } from '../core/alarms.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { readClickMessage, recordWaitingClick } from '../store/clicks/clicks.ts';
import { putAside } from '../store/clicks/failures.ts';

/** How many clicks to record at a time. */
const concurrency = 25;

/**
 * Records clicks that the redirect sent to the queue because the table was busy. Each is written as the same item under
 * the same key as at first. So a message may arrive twice, for example after a function died between its write and the
 * end of its batch.
 *
 * Clicks that the table cannot take now stay in the queue. Messages that it would never take, such as unreadable ones,
 * are put aside: otherwise they would only return until the queue drops them.
 *
 * @returns the messages that stay in the queue
 *   (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html).
 */
export const handler = ({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> =>
  withinInvocation(context, async () => {
    const names = new Map<string, string>();
    await inParallel(Records, concurrency, ({ messageId, body }) =>
      reportingDenials(() => recordMessage(messageId, body)).catch((error: Error) => void names.set(messageId, error.name)),
    );
    if (names.size > 0)
      console.warn({ message: 'clicks still wait for the table', clicks: names.size, names: [...new Set(names.values())] });
    return { batchItemFailures: [...names.keys()].map((itemIdentifier) => ({ itemIdentifier })) };
  });

async function recordMessage(messageId: string, body: string): Promise<void> {
  const item = readClickMessage(body);
  if (!item) return putMessageAside(messageId, body, 'it is not a click');
  try {
    await recordWaitingClick(item);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ValidationException')) throw error;
    await putMessageAside(messageId, body, error.message);
  }
}

async function putMessageAside(messageId: string, message: string, reason: string): Promise<void> {
  console.error({ message: alarming.clickUnreadable, messageId, reason });
  await putAside({ reader: 'record-waiting-clicks', shardId: '-', sequenceNumber: messageId, message, reason });
}
