import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { unavailable } from '../core/errors.ts';
import { setting } from '../runtime/settings.ts';
import { twice } from './schedules.ts';

// This file has its own bundle, which the redirect loads when the table first throttles a click. So it doesn't share
// memory with the redirect's bundle, such as the deadline of a visit.

// Otherwise, the address in the queue's URL would override that of a laptop.
const sqs = new SQSClient({ maxAttempts: 1, useQueueUrlAsEndpoint: false });

/**
 * Sends a click to the queue of clicks that wait for the table. It may be there twice, for example because a response
 * was lost. That does no harm: both become the same item.
 *
 * @param MessageBody what `clickMessage` returns.
 * @param timeForAttempt how many milliseconds the next attempt may take.
 * @throws Error if the queue does not take it before the deadline
 */
export async function sendClick(MessageBody: string, timeForAttempt: () => number): Promise<void> {
  await twice(() => {
    const left = Math.floor(timeForAttempt());
    if (left <= 0) throw unavailable();
    const command = new SendMessageCommand({ QueueUrl: setting('WAITING_CLICKS_QUEUE'), MessageBody });
    return sqs.send(command, { abortSignal: AbortSignal.timeout(left) });
  });
}
