import { Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { StageSettings } from './stages.ts';
import { TableFunction } from './table-function.ts';

export type EventsStackProps = StackProps & {
  readonly settings: StageSettings;
  readonly table: TableV2;
  readonly bundleOf: (name: string) => string;
};

/** What follows from a change of the table: the sweep behind a deleted tag. */
export class EventsStack extends Stack {
  constructor(scope: Construct, id: string, { settings, table, bundleOf, ...props }: EventsStackProps) {
    super(scope, id, props);

    const sweep = new TableFunction(this, 'sweep-tags', {
      settings,
      kind: 'event',
      table,
      code: bundleOf('sweep-tags'),
      description: 'Takes a deleted tag off its links, a page at a time',
      tableActions: {
        'dynamodb:DeleteItem': ['TAG#*'],
        'dynamodb:GetItem': ['LINK#*', 'TAG#*'],
        'dynamodb:Query': ['TAG#*'],
        'dynamodb:UpdateItem': ['LINK#*', 'TAG#*'],
      },
    });
    const failedSweeps = new Queue(this, 'failed-sweeps', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(failedSweeps).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is itself where the stream puts what failed; nothing receives from it that could fail again',
    });
    sweep.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 1,
        filters: [
          FilterCriteria.filter({
            eventName: FilterRule.or('INSERT', 'MODIFY'),
            dynamodb: { Keys: { sk: { S: FilterRule.isEqual('SWEEP') } } },
          }),
        ],
        // A page that fails for good must not hold up the sweeps behind it: the schedule below takes it up again.
        retryAttempts: 5,
        reportBatchItemFailures: true,
        onFailure: new SqsDlq(failedSweeps),
      }),
    );

    const restart = new TableFunction(this, 'restart-sweeps', {
      settings,
      kind: 'event',
      table,
      code: bundleOf('restart-sweeps'),
      description: 'Sets sweeps going again that have not moved for a while',
      tableActions: { 'dynamodb:BatchGetItem': ['TAG#*'], 'dynamodb:UpdateItem': ['TAG#*'] },
      queriesIndex: true,
    });
    new Rule(this, 'restart-schedule', {
      description: 'Looks for stalled sweeps',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new FunctionTarget(restart)],
    });
  }
}
