import { Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { alarming } from '../lambdas/core/alarms.ts';
import type { SortKey } from '../lambdas/store/table/tables.ts';
import {
  addAlarm,
  addUsersAffected,
  anHourLate,
  aRunDropped,
  countDenials,
  countLines,
  linesWith,
  metricsOf,
  minutely,
  type Watched,
} from './alarms.ts';
import type { BundleOf } from './bundles.ts';
import { addDashboard } from './dashboard.ts';
import type { Tables } from './data-stack.ts';
import { addManagedDomains } from './managed-domains.ts';
import { wholeProcessorMb } from './memory.ts';
import { addSavedQueries } from './saved-queries.ts';
import { addSealing } from './sealing.ts';
import { managerName } from './stages/function-names.ts';
import type { StageSettings } from './stages/settings.ts';
import type { Stage } from './stages/stages.ts';
import { addStreamReader } from './stream-reader.ts';
import { TableFunction } from './table-function.ts';
import { addWebhooks } from './webhooks.ts';

export type EventsStackProps = StackProps & {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly tables: Tables;
  /** The bucket with the files of clicks. */
  readonly clicks: IBucket;
  /** The queue of clicks that the table throttled. */
  readonly waitingClicks: IQueue;
  /** The name that workspaces point their domains to. */
  readonly domainTarget: string;
  /** The names that the redirect serves. */
  readonly servedNames: readonly string[];
  /** The id of the redirect's API. */
  readonly redirectApiId: string;
  readonly bundleOf: BundleOf;
};

/**
 * The functions that streams and schedules invoke: they count clicks, record changes, sweep deleted tags, deliver
 * webhooks and so on.
 */
export class EventsStack extends Stack {
  constructor(scope: Construct, id: string, props: EventsStackProps) {
    super(scope, id, props);
    const counting = this.countClicks(props);
    const waiting = this.recordWaitingClicks(props);
    this.sweepTags(props);
    const recording = this.recordChanges(props);
    addSealing(this, props);
    this.checkDomains(props);
    addManagedDomains(this, props);
    const creating = addWebhooks(this, props);
    if (props.settings.alarmRecipients.length > 0) this.countGatewayKeys(props);
    const readers = [counting, recording, creating];
    watchDenials(this, props, [...readers, waiting]);
    watchConcurrency(this, props);
    addUsersAffected(this, props);
    addDashboard(this, props, { ...props, readers });
    addSavedQueries(this, props.stage, 'events');
  }

  private countClicks({ stage, settings, tables, bundleOf }: EventsStackProps): TableFunction {
    const count = new TableFunction(this, 'count-clicks', {
      settings,
      kind: 'event',
      tables,
      code: bundleOf('count-clicks'),
      description: 'Keeps clicks as rows, and adds them up for each link',
      tableActions: {
        'dynamodb:BatchGetItem': ['COUNT#*', 'SHARD#*'],
        'dynamodb:DeleteItem': ['CLICK#*'],
        'dynamodb:GetItem': ['SHARD#*'],
        'dynamodb:PutItem': ['FAILURE#*', 'TAIL#*'],
        'dynamodb:UpdateItem': ['COUNT#*', 'SHARD#*', 'TAILS#*'],
      },
      // 1,000 clicks on different links take some 2,000 calls, each of which has to be signed and parsed.
      memorySize: wholeProcessorMb,
    });
    addStreamReader(this, { stage, settings }, count, tables.Activity, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      // Larger batches mean fewer writes for links with many clicks. If all links are different, a batch takes some two
      // of the ten seconds that the function allows it (`tools/bench/counting.ts`).
      batchSize: 1_000,
      maxBatchingWindow: Duration.seconds(1),
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          // All clicks, whatever the settings.
          dynamodb: { Keys: { pk: { S: FilterRule.beginsWith('CLICK#') } } },
        }),
      ],
      // Only events of a mapping with a window name their shard, and a window allows only one batch of a shard at a
      // time. This is the longest window, because each window ends with an extra invocation:
      // https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html
      tumblingWindow: Duration.minutes(15),
      parallelizationFactor: 1,
      // Records that cannot be read or counted are put aside, so the function fails only if the table is busy. Then it
      // retries for as long as the stream keeps the records.
      retryAttempts: -1,
      // Halving a batch would cause more writes to the same throttled counter. The batch's other counters are updated
      // before the retry.
      bisectBatchOnError: false,
    });
    addAlarm(this, { stage, settings }, 'clicks-late', anHourLate(count));
    // All readers share one metric and one alarm, because more would cost more.
    const lines = linesWith(alarming.clickUnreadable, alarming.clicksUncountable);
    const putAside = countLines(stage, count.logGroup, 'ClicksPutAside', lines).metric({ statistic: 'Sum' });
    addAlarm(this, { stage, settings }, 'put-aside', { metric: putAside, threshold: 1 });
    return count;
  }

  private recordWaitingClicks({ stage, settings, tables, waitingClicks, bundleOf }: EventsStackProps): TableFunction {
    const record = new TableFunction(this, 'record-waiting-clicks', {
      settings,
      kind: 'event',
      tables,
      code: bundleOf('record-waiting-clicks'),
      description: 'Records clicks that waited in a queue, because the table was busy',
      tableActions: { 'dynamodb:PutItem': ['CLICK#*', 'FAILURE#*'] },
      // Each click is a call, which has to be signed and parsed.
      memorySize: wholeProcessorMb,
    });
    record.addToRolePolicy(
      new PolicyStatement({
        actions: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
        resources: [waitingClicks.queueArn],
      }),
    );
    const { event: reserved = waitingReaders } = settings.reservedConcurrency;
    record.addEventSourceMapping('waiting-clicks', {
      eventSourceArn: waitingClicks.queueArn,
      // A batch takes some two of the twenty seconds that the function allows it.
      batchSize: 1_000,
      maxBatchingWindow: Duration.seconds(1),
      // AWS requires at least two.
      maxConcurrency: Math.max(2, Math.min(reserved, waitingReaders)),
      reportBatchItemFailures: true,
    });
    countLines(stage, record.logGroup, 'ClicksPutAside', linesWith(alarming.clickUnreadable));
    return record;
  }

  private recordChanges({ stage, settings, tables, bundleOf }: EventsStackProps): TableFunction {
    const record = new TableFunction(this, 'record-changes', {
      settings,
      kind: 'event',
      tables,
      code: bundleOf('record-changes'),
      description:
        'Records changes of links, tags, templates, domains, keys and members in the history, and reports those of links to webhooks',
      tableActions: {
        ...(settings.historyDays > 0 && { 'dynamodb:PartiQLInsert': ['HISTORY#*'] }),
        'dynamodb:PutItem': ['DELIVERY#*', 'FAILURE#*', 'RECEIVER#*'],
        'dynamodb:Query': ['WORKSPACE#*'],
      },
      environment: {
        HISTORY_DAYS: String(settings.historyDays),
        SHORT_URL_ORIGIN: settings.shortUrlOrigin,
      },
    });
    addStreamReader(this, { stage, settings }, record, tables.Links, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      // A change may have to be reported to 20 webhooks, with two writes each. So 50 changes may take 2,000 writes, and
      // seconds.
      batchSize: 50,
      // A tag's item changes with each link that gets it, and a key's item up to once a minute. The filter cannot
      // exclude these records, so the window limits how often they invoke the function.
      maxBatchingWindow: Duration.seconds(2),
      filters: [
        // Webhooks are also notified of new links, and the history records new keys and members.
        FilterCriteria.filter({
          eventName: FilterRule.or('INSERT', 'MODIFY'),
          dynamodb: {
            Keys: {
              sk: {
                S:
                  settings.historyDays > 0
                    ? [
                        ...FilterRule.or('LINK' satisfies SortKey<'LINK'>, 'KEY' satisfies SortKey<'KEY'>),
                        ...FilterRule.beginsWith('MEMBER#' satisfies SortKey<'MEMBERS'>),
                      ]
                    : FilterRule.isEqual('LINK' satisfies SortKey<'LINK'>),
              },
            },
          },
        }),
        ...(settings.historyDays > 0
          ? [
              FilterCriteria.filter({
                eventName: FilterRule.isEqual('MODIFY'),
                dynamodb: {
                  Keys: {
                    sk: {
                      S: [
                        ...FilterRule.isEqual('DOMAIN' satisfies SortKey<'DOMAIN'>),
                        ...FilterRule.beginsWith('TAG#' satisfies SortKey<'TAGS'>),
                        ...FilterRule.beginsWith('TEMPLATE#' satisfies SortKey<'TEMPLATES'>),
                      ],
                    },
                  },
                },
              }),
            ]
          : []),
      ],
      parallelizationFactor: 1,
      // Unreadable records are put aside, so the function fails only if the table is busy. Then it retries for as long
      // as the stream keeps the records.
      retryAttempts: -1,
      // A batch that times out would time out again, and hold up all records after it. Finished work is kept.
      bisectBatchOnError: true,
    });
    addAlarm(this, { stage, settings }, 'changes-late', anHourLate(record));
    countLines(stage, record.logGroup, 'ClicksPutAside', linesWith(alarming.changeUnreadable));
    return record;
  }

  private checkDomains({ stage, settings, tables, domainTarget, servedNames, bundleOf }: EventsStackProps): void {
    const check = new TableFunction(this, 'check-domains', {
      settings,
      kind: 'event',
      tables,
      code: bundleOf('check-domains'),
      description: 'Checks whether domains still point here, logs failures, and corrects what domains record about webhooks',
      tableActions: {
        'dynamodb:BatchGetItem': [...(settings.managedDomains ? (['CERTIFICATE#*'] as const) : []), 'DOMAIN#*', 'WORKSPACE#*'],
        'dynamodb:GetItem': ['ROUND#*'],
        'dynamodb:PutItem': ['ROUND#*'],
        'dynamodb:UpdateItem': ['DOMAIN#*'],
      },
      queriesIndex: 'Links',
      environment: {
        DOMAIN_TARGET: domainTarget,
        DOMAIN_ACTIVATION: settings.domainActivation,
        SERVED_NAMES: servedNames.join(' '),
        ...(settings.managedDomains && { MANAGED_DOMAINS: managerName(stage) }),
      },
    });
    new Rule(this, 'check-schedule', {
      // A round starts once a day. If a run runs out of time, the next one continues an hour later.
      description: 'Checks the DNS records of domains',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new FunctionTarget(check)],
    });
    addAlarm(this, { stage, settings }, 'schedule-failed', aRunDropped(check));
    const failing = countLines(stage, check.logGroup, 'DomainsFailing', linesWith(alarming.domainFails)).metric({
      statistic: 'Sum',
    });
    addAlarm(this, { stage, settings }, 'domains-failing', { metric: failing, threshold: 1 });
  }

  /** AWS has no metric for the number of gateway keys. Only stages with recipients of alarms have this function. */
  private countGatewayKeys({ stage, settings, tables, bundleOf }: EventsStackProps): void {
    const count = new TableFunction(this, 'count-gateway-keys', {
      settings,
      kind: 'event',
      tables,
      code: bundleOf('count-gateway-keys'),
      description: "Counts the account's gateway keys, of which AWS allows 10,000",
      tableActions: {},
    });
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/permissions.html
    const resource = this.formatArn({ service: 'apigateway', account: '', resource: '/apikeys' });
    count.addToRolePolicy(new PolicyStatement({ actions: ['apigateway:GET'], resources: [resource] }));
    new Rule(this, 'count-gateway-keys-schedule', {
      description: "Counts the account's gateway keys",
      schedule: Schedule.rate(Duration.days(1)),
      targets: [new FunctionTarget(count)],
    });
    addAlarm(this, { stage, settings }, 'schedule-failed', aRunDropped(count));
    const few = countLines(stage, count.logGroup, 'FewGatewayKeysLeft', linesWith(alarming.fewGatewayKeysLeft));
    // The alarm stays on until the next day's count.
    const metric = few.metric({ statistic: 'Sum', period: Duration.days(1) });
    addAlarm(this, { stage, settings }, 'gateway-keys', { metric, threshold: 1 });
  }

  private sweepTags({ stage, settings, tables, bundleOf }: EventsStackProps): void {
    const sweep = new TableFunction(this, 'sweep', {
      settings,
      kind: 'event',
      tables,
      code: bundleOf('sweep'),
      description:
        'Removes deleted tags from their links, and erased clicks, and revokes keys of removed members, a page at a time',
      tableActions: {
        'dynamodb:BatchGetItem': ['KEY#*'],
        'dynamodb:DeleteItem': ['CLICK#*', 'ERASURE#*', 'MADE#*', 'TAG#*'],
        'dynamodb:GetItem': ['ERASURE#*', 'LINK#*', 'MADE#*', 'TAG#*'],
        'dynamodb:Query': ['CLICK#*', 'MADE#*', 'TAG#*'],
        'dynamodb:UpdateItem': ['COUNT#*', 'ERASURE#*', 'KEY#*', 'LINK#*', 'MADE#*', 'TAG#*', 'WORKSPACE#*'],
      },
    });
    const failedSweeps = new Queue(this, 'failed-sweeps', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(failedSweeps).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is itself a dead-letter queue; nothing consumes it that could fail again',
    });
    addStreamReader(this, { stage, settings }, sweep, tables.Links, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 1,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.or('INSERT', 'MODIFY'),
          dynamodb: { Keys: { sk: { S: FilterRule.isEqual('SWEEP' satisfies SortKey<'TAG' | 'ERASURE' | 'MADE'>) } } },
        }),
      ],
      // A page that keeps failing must not block later sweeps. The schedule below restarts its sweep.
      retryAttempts: 5,
      reportBatchItemFailures: true,
      onFailure: new SqsDlq(failedSweeps),
    });

    const failed = failedSweeps.metricNumberOfMessagesSent({ statistic: 'Sum' });
    addAlarm(this, { stage, settings }, 'sweeps-failed', { metric: failed, threshold: 1 });
    addAlarm(this, { stage, settings }, 'sweeps-late', anHourLate(sweep));

    const restart = new TableFunction(this, 'restart-sweeps', {
      settings,
      kind: 'event',
      tables,
      code: bundleOf('restart-sweeps'),
      description: 'Restarts sweeps that have stalled',
      tableActions: {
        'dynamodb:BatchGetItem': ['ERASURE#*', 'MADE#*', 'TAG#*'],
        'dynamodb:UpdateItem': ['ERASURE#*', 'MADE#*', 'TAG#*'],
      },
      queriesIndex: 'Links',
    });
    new Rule(this, 'restart-schedule', {
      description: 'Looks for stalled sweeps',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new FunctionTarget(restart)],
    });
    addAlarm(this, { stage, settings }, 'schedule-failed', aRunDropped(restart));
  }
}

/** How many readers may record waiting clicks at a time: as many as Lambda's pollers. */
const waitingReaders = 5;

/** Adds the alarm for calls that AWS denies these readers or other functions of the stage. */
function watchDenials(stack: Stack, watched: Watched, readers: readonly TableFunction[]): void {
  for (const reader of readers) countDenials(watched.stage, reader.logGroup);
  const denied = new Metric({ namespace: metricsOf(watched.stage), metricName: 'AccessDenied', statistic: 'Sum' });
  addAlarm(stack, watched, 'access-denied', { metric: denied, threshold: 1 });
}

/**
 * Watches the concurrency limit that all functions of the account share:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-concurrency.html#claimed-account-concurrency
 */
function watchConcurrency(stack: Stack, watched: Watched): void {
  const ofAccount = (metricName: string) =>
    new Metric({ namespace: 'AWS/Lambda', metricName, statistic: 'Maximum', ...minutely });
  const used = new MathExpression({
    expression: '100 * claimed / SERVICE_QUOTA(running)',
    usingMetrics: { claimed: ofAccount('ClaimedAccountConcurrency'), running: ofAccount('ConcurrentExecutions') },
    label: 'executions in percent of the quota',
    ...minutely,
  });
  addAlarm(stack, watched, 'concurrency', { metric: used, threshold: 80, evaluationPeriods: 5, datapointsToAlarm: 3 });
}
