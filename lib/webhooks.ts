import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { alarming } from '../lambdas/core/alarms.ts';
import type { SortKey } from '../lambdas/store/table/tables.ts';
import { addAlarm, anHourLate, aRunDropped, countDenials, countLines, linesWith, metricsOf } from './alarms.ts';
import type { BundleOf } from './bundles.ts';
import type { Tables } from './data-stack.ts';
import type { StageSettings } from './stages/settings.ts';
import type { Stage } from './stages/stages.ts';
import { addStreamReader } from './stream-reader.ts';
import { TableFunction } from './table-function.ts';

type WebhooksProps = {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly tables: Tables;
  readonly bundleOf: BundleOf;
};

/**
 * Adds the functions that deliver webhooks:
 *
 * 1. A click, or a change's request for a sender, is written to Activity. Its stream invokes `create-deliveries`, which
 *    writes a delivery for each webhook, marks the receivers as due, switches the schedule on, and invokes senders.
 * 2. `send-webhooks` takes the lease of a due receiver, and sends its deliveries. If it fails three times, its event
 *    goes to a queue, and an alarm goes off.
 * 3. Deliveries that were not sent stay due. Each minute, the schedule runs `start-senders`, which invokes senders for
 *    them, and switches the schedule off once nothing is due. An hourly check switches it on if that was missed.
 *
 * @returns the reader of Activity's stream, `create-deliveries`.
 */
export function addWebhooks(scope: Stack, props: WebhooksProps): TableFunction {
  const sender = addSender(scope, props);
  const failedSenders = addFailedSenders(scope, sender);
  const starting = startingOf(scope, props, sender);
  const reader = addReader(scope, props, starting);
  const starter = addSchedule(scope, props, starting);
  watch(scope, props, { reader, sender, failedSenders, starter });
  return reader;
}

/** The function that sends due deliveries of some receivers. It is invoked asynchronously. */
const addSender = (scope: Stack, { stage, settings, tables, bundleOf }: WebhooksProps): TableFunction =>
  new TableFunction(scope, 'send-webhooks', {
    settings,
    kind: 'event',
    tables,
    code: bundleOf('send-webhooks'),
    description: 'Sends what is due for URLs that receive webhooks',
    tableActions: {
      'dynamodb:BatchGetItem': ['DELIVERY#*'],
      'dynamodb:DeleteItem': ['DUE#*', 'RECEIVER#*'],
      'dynamodb:GetItem': ['RECEIVER#*', 'SECRET#*'],
      'dynamodb:PutItem': ['DUE#*', 'RECEIVER#*'],
      'dynamodb:Query': ['RECEIVER#*'],
      'dynamodb:UpdateItem': ['DELIVERY#*', 'RECEIVER#*'],
    },
    memorySize: 256,
    // A lease lasts 90 seconds, longer than its holder can run.
    timeout: Duration.seconds(60),
    environment: {
      WEBHOOK_RATE: String(settings.webhookRate),
      ...(settings.webhookLoopback && { WEBHOOK_LOOPBACK: 'allowed' }),
      ...(settings.dashboard && { METRICS: metricsOf(stage) }),
    },
  });

/** The queue of events for which a sender has failed three times. */
function addFailedSenders(scope: Stack, sender: TableFunction): Queue {
  const failedSenders = new Queue(scope, 'failed-senders', {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
  Validations.of(failedSenders).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: 'It is itself a dead-letter queue; nothing consumes it that could fail again',
  });
  sender.configureAsyncInvoke({ retryAttempts: 2, maxEventAge: Duration.hours(6), onFailure: new SqsDestination(failedSenders) });
  return failedSenders;
}

/** What a function needs to start senders and to switch their schedule. */
type Starting = {
  readonly scheduleName: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly invokeSender: PolicyStatement;
  readonly switchSchedule: (...actions: ('EnableRule' | 'DisableRule')[]) => PolicyStatement;
};

function startingOf(scope: Stack, { stage, settings }: WebhooksProps, sender: TableFunction): Starting {
  // A fixed name, because the rule starts the function that switches the rule off. Generated names would make each
  // depend on the other.
  const scheduleName = `Links-${stage}-senders`;
  return {
    scheduleName,
    environment: {
      SENDER_FUNCTION: sender.functionName,
      SENDER_SCHEDULE: scheduleName,
      WEBHOOK_SENDERS: String(settings.webhookSenders),
    },
    invokeSender: new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [sender.functionArn] }),
    switchSchedule: (...actions) =>
      new PolicyStatement({
        actions: actions.map((action) => `events:${action}`),
        resources: [scope.formatArn({ service: 'events', resource: 'rule', resourceName: scheduleName })],
      }),
  };
}

/** The reader of Activity's stream, which creates deliveries and starts senders. */
function addReader(scope: Stack, { stage, settings, tables, bundleOf }: WebhooksProps, starting: Starting): TableFunction {
  const reader = new TableFunction(scope, 'create-deliveries', {
    settings,
    kind: 'event',
    tables,
    code: bundleOf('create-deliveries'),
    description: 'Creates the deliveries of webhooks, and starts senders',
    tableActions: {
      'dynamodb:BatchGetItem': ['LINK#*'],
      'dynamodb:GetItem': ['DUE#*', 'SECRET#*'],
      'dynamodb:PutItem': ['DELIVERY#*', 'DUE#*', 'FAILURE#*', 'RECEIVER#*'],
      'dynamodb:Query': ['WORKSPACE#*'],
    },
    environment: { ...starting.environment, SHORT_URL_ORIGIN: settings.shortUrlOrigin },
  });
  reader.addToRolePolicy(starting.invokeSender);
  reader.addToRolePolicy(starting.switchSchedule('EnableRule'));
  addStreamReader(scope, { stage, settings }, reader, tables.Activity, {
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    // So that simultaneous clicks start only one sender.
    maxBatchingWindow: Duration.seconds(1),
    filters: [
      // Only clicks for webhooks have the attribute.
      FilterCriteria.filter({
        eventName: FilterRule.isEqual('INSERT'),
        dynamodb: {
          Keys: { pk: { S: FilterRule.beginsWith('CLICK#') } },
          NewImage: { hooked: { BOOL: [true] } },
        },
      }),
      FilterCriteria.filter({
        eventName: FilterRule.or('INSERT', 'MODIFY'),
        dynamodb: { Keys: { sk: { S: FilterRule.beginsWith('WAKE#' satisfies SortKey<'RECEIVER'>) } } },
      }),
    ],
    // Unreadable records are put aside, so the function fails only if the table is busy. Then it retries for as long as
    // the stream keeps the records.
    retryAttempts: -1,
    // A batch that times out would time out again: 100 clicks on a link with 25 URLs are 5,000 writes.
    bisectBatchOnError: true,
  });
  return reader;
}

type Watching = {
  readonly reader: TableFunction;
  readonly sender: TableFunction;
  readonly failedSenders: Queue;
  readonly starter: TableFunction;
};

/** The alarms and metrics of webhooks. */
function watch(scope: Stack, { stage, settings }: WebhooksProps, { reader, sender, failedSenders, starter }: Watching): void {
  addAlarm(scope, { stage, settings }, 'deliveries-late', anHourLate(reader));
  countLines(stage, reader.logGroup, 'ClicksPutAside', linesWith(alarming.clickUnreadable));
  const behind = countLines(stage, sender.logGroup, 'ReceiversBehind', linesWith(alarming.receiverBehind)).metric({
    statistic: 'Sum',
  });
  addAlarm(scope, { stage, settings }, 'receivers-behind', { metric: behind, threshold: 1 });
  const stopped = countLines(stage, sender.logGroup, 'ReceiversStopped', linesWith(alarming.receiverStopped)).metric({
    statistic: 'Sum',
  });
  addAlarm(scope, { stage, settings }, 'receivers-stopped', { metric: stopped, threshold: 1 });
  const failed = failedSenders.metricNumberOfMessagesSent({ statistic: 'Sum' });
  addAlarm(scope, { stage, settings }, 'senders-failed', { metric: failed, threshold: 1 });
  // Both functions that start senders share one metric. After a single failure, the schedule retries a minute later.
  const metric = countLines(stage, reader.logGroup, 'SendersNotStarted', linesWith(alarming.senderNotStarted)).metric({
    statistic: 'Sum',
  });
  countLines(stage, starter.logGroup, 'SendersNotStarted', linesWith(alarming.senderNotStarted));
  countDenials(stage, starter.logGroup);
  addAlarm(scope, { stage, settings }, 'senders-not-started', {
    metric,
    threshold: 1,
    evaluationPeriods: 3,
    datapointsToAlarm: 2,
  });
}

/** The function that starts senders of due receivers, and its two schedules. */
function addSchedule(scope: Stack, { stage, settings, tables, bundleOf }: WebhooksProps, starting: Starting): TableFunction {
  const start = new TableFunction(scope, 'start-senders', {
    settings,
    kind: 'event',
    tables,
    code: bundleOf('start-senders'),
    description: 'Starts senders of webhooks that are due, while any is',
    tableActions: {
      'dynamodb:BatchGetItem': ['RECEIVER#*'],
      'dynamodb:GetItem': ['DUE#*'],
      'dynamodb:PutItem': ['DUE#*'],
      'dynamodb:Query': ['DUE#*'],
    },
    environment: starting.environment,
  });
  start.addToRolePolicy(starting.invokeSender);
  start.addToRolePolicy(starting.switchSchedule('DisableRule', 'EnableRule'));
  new Rule(scope, 'sender-schedule', {
    ruleName: starting.scheduleName,
    description: 'Starts senders of webhooks. The functions switch it on and off',
    enabled: false,
    schedule: Schedule.rate(Duration.minutes(1)),
    targets: [new FunctionTarget(start)],
  });
  new Rule(scope, 'sender-schedule-check', {
    description: 'Switches the schedule of senders on if that was missed',
    schedule: Schedule.rate(Duration.hours(1)),
    targets: [new FunctionTarget(start, { event: RuleTargetInput.fromObject({ isHourly: true }) })],
  });
  addAlarm(scope, { stage, settings }, 'schedule-failed', aRunDropped(start));
  return start;
}
