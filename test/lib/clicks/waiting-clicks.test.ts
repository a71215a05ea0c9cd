import { describe, expect, test } from 'vitest';
import { resourcesOf, type Template } from '../../support/stacks/policies.ts';
import { stacksOf } from '../../support/stacks/stacks.ts';
import { ownStage } from '../../support/stacks/stages.ts';

const { data, events } = stacksOf(ownStage('prod'));
const queues = resourcesOf(data.toJSON() as Template, 'AWS::SQS::Queue');
const mappingsOf = (template: object) =>
  resourcesOf(template as Template, 'AWS::Lambda::EventSourceMapping').filter(({ properties }) =>
    JSON.stringify(properties.EventSourceArn).includes('waitingclicks'),
  );
const [mapping, ...others] = mappingsOf(events.toJSON());

describe('The queue of clicks that wait for the table', () => {
  test('It keeps them for 20 hours, encrypted, and takes calls over TLS only.', () => {
    expect(queues).toMatchObject([{ properties: { MessageRetentionPeriod: 20 * 60 * 60, SqsManagedSseEnabled: true } }]);
    const [policy] = resourcesOf(data.toJSON() as Template, 'AWS::SQS::QueuePolicy');
    expect(policy?.properties.PolicyDocument.Statement).toMatchObject([
      { Effect: 'Deny', Action: 'sqs:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
    ]);
  });

  test('A throttled click is retried without limit: the queue has no dead-letter queue.', () => {
    expect(queues[0]?.properties).not.toHaveProperty('RedrivePolicy');
  });

  test("A few readers get batches, and report the messages that they could not record. A message stays hidden for six times the reader's timeout.", () => {
    expect(others).toEqual([]);
    expect(mapping?.properties).toMatchObject({
      BatchSize: 1_000,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 5 },
    });
    const reader = resourcesOf(events.toJSON() as Template, 'AWS::Lambda::Function').find(
      ({ id }) => id === mapping?.properties.FunctionName.Ref,
    );
    const { VisibilityTimeout } = queues[0]?.properties ?? {};
    expect(VisibilityTimeout).toBeGreaterThanOrEqual(
      6 * reader?.properties.Timeout + mapping?.properties.MaximumBatchingWindowInSeconds,
    );
  });

  test.for([
    [1, 2],
    [3, 3],
    [50, 5],
  ])('With %i executions reserved for the functions of events, %i readers run at a time.', ([event, readers]) => {
    const [only] = mappingsOf(stacksOf(ownStage('dev', { reservedConcurrency: { event } as never })).events.toJSON());
    expect(only?.properties.ScalingConfig).toEqual({ MaximumConcurrency: readers });
  });
});
