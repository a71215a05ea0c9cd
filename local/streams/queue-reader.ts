import { setTimeout as sleep } from 'node:timers/promises';
import type { Functions } from '../functions/functions.ts';
import { region } from '../template/resources.ts';
import type { Resource, Template } from '../template/template.ts';
import type { MappingProperties } from './mapping.ts';
import type { Queues, ReceivedMessage } from './queues.ts';

/** Whether an event source is a queue. */
export const isQueue = (arn: string): boolean => arn.startsWith('arn:aws:sqs:');

/** The enabled event source mappings of a template whose source is a queue. */
export const queueMappings = (template: Template): Resource<MappingProperties>[] =>
  template
    .ofType<MappingProperties>('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => isQueue(properties.EventSourceArn) && properties.Enabled !== false);

export type QueueReaders = {
  /** Stops the readers, and waits until they have ended. */
  stop(): Promise<void>;
};

/** How long a reader waits after it has found a queue empty, in milliseconds. */
const pollMs = 250;

/** The supported properties of mappings for queues. */
const understood = [
  'BatchSize',
  'Enabled',
  'EventSourceArn',
  'FunctionName',
  'FunctionResponseTypes',
  'MaximumBatchingWindowInSeconds',
  'MetricsConfig',
  'ScalingConfig',
  'Tags',
];

/**
 * Starts readers for every enabled event source mapping of a queue, as many as run at a time. Failed messages come
 * again after the queue's visibility timeout. A batch doesn't wait for more messages.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-parameters.html
 * @throws Error for a mapping that the local host does not support.
 */
export function startQueueReaders(
  template: Template,
  functions: Functions,
  queues: Queues,
  log: (line: string) => void,
): QueueReaders {
  const abort = new AbortController();
  const { signal } = abort;
  const readers = queueMappings(template).flatMap(({ name, properties }) => {
    const unknown = Object.keys(properties).find((property) => !understood.includes(property));
    if (unknown) throw new Error(`the local host does not support ${unknown} for a queue (${name})`);
    const { EventSourceArn: queue, BatchSize = 10, FunctionResponseTypes = [], ScalingConfig } = properties;
    // If there is no such queue, this throws now.
    queues.messages(queue);
    const functionArn = functions.arnOf(properties.FunctionName);
    const reports = FunctionResponseTypes.includes('ReportBatchItemFailures');
    const readOnce = async () => {
      const messages = queues.receive(queue, BatchSize);
      if (messages.length === 0) return sleep(pollMs, undefined, { signal });
      const result = await functions.invoke(functionArn, JSON.stringify({ Records: messages.map(recordOf(queue)) }));
      const failed = reports ? failuresIn(JSON.parse(result), messages) : [];
      queues.remove(
        queue,
        messages.map(({ messageId }) => messageId).filter((id) => !failed.includes(id)),
      );
    };
    const read = async () => {
      while (!signal.aborted) {
        await readOnce().catch((error: Error) => {
          if (!signal.aborted) log(`${name}: ${error.message}`);
        });
      }
    };
    return Array.from({ length: ScalingConfig?.MaximumConcurrency ?? 1 }, read);
  });
  return {
    stop: async () => {
      abort.abort();
      await Promise.all(readers);
    },
  };
}

/** A message as a function receives it: https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html */
const recordOf = (eventSourceARN: string) => (message: ReceivedMessage) => ({
  ...message,
  receiptHandle: message.messageId,
  messageAttributes: {},
  eventSource: 'aws:sqs',
  eventSourceARN,
  awsRegion: region,
});

/**
 * The messages that a function's result names as failed: all if it names one that is unknown
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html).
 */
function failuresIn(result: unknown, messages: readonly ReceivedMessage[]): string[] {
  const { batchItemFailures = [] } = (result ?? {}) as { batchItemFailures?: { itemIdentifier?: string }[] | null };
  const failed = (batchItemFailures ?? []).map(({ itemIdentifier = '' }) => itemIdentifier);
  const ids = messages.map(({ messageId }) => messageId);
  return failed.every((id) => ids.includes(id)) ? failed : ids;
}
