import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';

/**
 * How long a click may wait for the table. The counter of a deleted link is kept for 48 hours
 * (`lambdas/store/clicks/counts.ts`), and the stream may take 24 of these.
 */
const waits = Duration.hours(20);

/** Adds the queue of clicks that the table throttled. */
export function addWaitingClicks(stack: Stack): Queue {
  const queue = new Queue(stack, 'waiting-clicks', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: waits,
    // Six times its reader's timeout, plus the time that it may wait for a batch:
    // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html
    visibilityTimeout: Duration.seconds(6 * 25 + 5),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'Its reader puts aside unreadable messages. All others wait for the table, however many attempts that takes',
  });
  return queue;
}
