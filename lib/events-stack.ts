import { Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { BundleOf } from './bundles.ts';
import type { Stage, StageSettings } from './stages.ts';
import { TableFunction } from './table-function.ts';

export type EventsStackProps = StackProps & {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly table: TableV2;
  /** What workspaces point their domains at. */
  readonly domainTarget: string;
  readonly bundleOf: BundleOf;
};

/** What is done about an alarm, such as a message, is for the operator to add. */
const fromThresholdOn = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  evaluationPeriods: 1,
  treatMissingData: TreatMissingData.NOT_BREACHING,
};

/** What follows from a change of the table, the count of a click and the sweep behind a deleted tag, and what the clock brings. */
export class EventsStack extends Stack {
  constructor(scope: Construct, id: string, props: EventsStackProps) {
    super(scope, id, props);
    this.countClicks(props);
    this.sweepTags(props);
    this.checkDomains(props);
  }

  private countClicks({ stage, settings, table, bundleOf }: EventsStackProps): void {
    const count = new TableFunction(this, 'count-clicks', {
      settings,
      kind: 'event',
      table,
      code: bundleOf('count-clicks'),
      description: 'Adds clicks up, a counter for each link',
      tableActions: { 'dynamodb:PutItem': ['FAILURE#*'], 'dynamodb:UpdateItem': ['LINK#*'] },
    });
    count.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        // The more at a time, the fewer writes for a link that is clicked a lot.
        batchSize: 1_000,
        maxBatchingWindow: Duration.seconds(1),
        filters: [
          FilterCriteria.filter({
            eventName: FilterRule.isEqual('INSERT'),
            dynamodb: { Keys: { sk: { S: FilterRule.isEqual('CLICK') } } },
          }),
        ],
        // An event names its shard only where there is a window, and a window allows no second batch of a shard at a time. The
        // longest, since each ends with an invocation of its own: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html
        tumblingWindow: Duration.minutes(15),
        parallelizationFactor: 1,
        // What fails is the store, since a record that cannot be read is put aside: again, for as long as the stream keeps it.
        retryAttempts: -1,
        // Halves would be more writes to the very counter that the store refuses.
        bisectBatchOnError: false,
      }),
    );
    count.metric('IteratorAge', { statistic: 'Maximum' }).createAlarm(this, 'clicks-late', {
      ...fromThresholdOn,
      alarmDescription: `Links-${stage}: clicks wait for an hour to be counted; after 24 hours they are lost`,
      threshold: Duration.hours(1).toMilliseconds(),
    });
    const unreadable = new MetricFilter(this, 'clicks-not-read', {
      logGroup: count.logGroup,
      filterPattern: FilterPattern.stringValue('$.message.message', '=', 'a click could not be read'),
      metricNamespace: `Links/${stage}`,
      metricName: 'ClicksNotRead',
    });
    unreadable.metric({ statistic: 'Sum' }).createAlarm(this, 'clicks-not-read-alarm', {
      ...fromThresholdOn,
      alarmDescription: `Links-${stage}: a click could not be read and was put aside`,
      threshold: 1,
    });
  }

  private checkDomains({ stage, settings, table, domainTarget, bundleOf }: EventsStackProps): void {
    const check = new TableFunction(this, 'check-domains', {
      settings,
      kind: 'event',
      table,
      code: bundleOf('check-domains'),
      description: 'Looks whether domains still lead here, and changes nothing',
      tableActions: {
        'dynamodb:BatchGetItem': ['DOMAIN#*'],
        'dynamodb:GetItem': ['ROUND#*'],
        'dynamodb:PutItem': ['ROUND#*'],
      },
      queriesIndex: true,
      environment: { DOMAIN_TARGET: domainTarget, DOMAIN_ACTIVATION: settings.domainActivation },
    });
    new Rule(this, 'check-schedule', {
      // A round begins once a day; what a run has no time for is done an hour later.
      description: 'Looks domains up in the DNS',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new FunctionTarget(check)],
    });
    const failing = new MetricFilter(this, 'domains-failing', {
      logGroup: check.logGroup,
      filterPattern: FilterPattern.stringValue('$.message.message', '=', 'a domain fails its check'),
      metricNamespace: `Links/${stage}`,
      metricName: 'DomainsFailing',
    });
    failing.metric({ statistic: 'Sum' }).createAlarm(this, 'domains-failing-alarm', {
      ...fromThresholdOn,
      alarmDescription: `Links-${stage}: a domain no longer leads here, or its TXT record is gone; the log says which`,
      threshold: 1,
    });
  }

  private sweepTags({ settings, table, bundleOf }: EventsStackProps): void {
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
