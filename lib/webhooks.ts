import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { alarming } from '../lambdas/domain/alarms.ts';
import { addAlarm, anHourLate, countLines, linesWith, metricsOf } from './alarms.ts';
import type { BundleOf } from './bundles.ts';
import type { Tables } from './data-stack.ts';
import { type Stage, type StageSettings, webhookRateOf } from './stages.ts';
import { TableFunction } from './table-function.ts';

type WebhooksProps = {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly tables: Tables;
  readonly bundleOf: BundleOf;
};

/**
 * The functions that deliver webhooks: the reader of Activity's stream, which creates deliveries; the sender, which it
 * invokes for each receiver; and the schedule, which is on only while a receiver is due.
 *
 * @returns the reader.
 */
export function addWebhooks(scope: Stack, { stage, settings, tables, bundleOf }: WebhooksProps): TableFunction {
  const sender = new TableFunction(scope, 'send-webhooks', {
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
    // A lease lasts 90 seconds, so it outlasts its holder.
    timeout: Duration.seconds(60),
    environment: {
      WEBHOOK_RATE: String(webhookRateOf(settings)),
      ...(settings.webhookLoopback && { WEBHOOK_LOOPBACK: 'allowed' }),
      ...(settings.dashboard && { METRICS: metricsOf(stage) }),
    },
  });
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

  // A fixed name, because the function that the rule starts switches the rule off: names from CloudFormation would depend
  // on each other.
  const scheduleName = `Links-${stage}-senders`;
  const forStarting = {
    SENDER_FUNCTION: sender.functionName,
    SENDER_SCHEDULE: scheduleName,
    WEBHOOK_SENDERS: String(settings.webhookSenders),
  };
  const mayInvokeSender = new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [sender.functionArn] });
  const maySwitch = (...actions: string[]) =>
    new PolicyStatement({
      actions: actions.map((action) => `events:${action}`),
      resources: [scope.formatArn({ service: 'events', resource: 'rule', resourceName: scheduleName })],
    });

  const create = new TableFunction(scope, 'create-deliveries', {
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
    environment: { ...forStarting, SHORT_URL_ORIGIN: settings.shortUrlOrigin },
  });
  create.addToRolePolicy(mayInvokeSender);
  create.addToRolePolicy(maySwitch('EnableRule'));
  create.addEventSource(
    new DynamoEventSource(tables.Activity, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // Clicks of one moment make one run of a sender.
      maxBatchingWindow: Duration.seconds(1),
      filters: [
        // Only clicks that somebody wants to know of have the attribute.
        FilterCriteria.filter({
          eventName: FilterRule.isEqual('INSERT'),
          dynamodb: {
            Keys: { pk: { S: FilterRule.beginsWith('CLICK#') } },
            NewImage: { hooked: { BOOL: [true] } },
          },
        }),
        FilterCriteria.filter({
          eventName: FilterRule.or('INSERT', 'MODIFY'),
          dynamodb: { Keys: { sk: { S: FilterRule.beginsWith('WAKE#') } } },
        }),
      ],
      // Only a busy store can fail, because records that nobody can read are put aside.
      retryAttempts: -1,
      // A batch that takes too long would take too long again: 100 clicks on a link with 25 URLs are 5,000 writes.
      bisectBatchOnError: true,
    }),
  );
  addAlarm(scope, { stage, settings }, 'deliveries-late', anHourLate(create));
  countLines(stage, create, 'ClicksPutAside', linesWith(alarming.clickUnreadable));
  const stopped = countLines(stage, sender, 'ReceiversStopped', linesWith(alarming.receiverStopped)).metric({ statistic: 'Sum' });
  addAlarm(scope, { stage, settings }, 'receivers-stopped', { metric: stopped, threshold: 1 });
  const failed = failedSenders.metricNumberOfMessagesSent({ statistic: 'Sum' });
  addAlarm(scope, { stage, settings }, 'senders-failed', { metric: failed, threshold: 1 });

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
    environment: forStarting,
  });
  start.addToRolePolicy(mayInvokeSender);
  start.addToRolePolicy(maySwitch('DisableRule', 'EnableRule'));
  new Rule(scope, 'sender-schedule', {
    ruleName: scheduleName,
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
  return create;
}
