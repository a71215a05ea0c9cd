import { Duration, Stack } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { alarming } from '../lambdas/core/alarms.ts';
import type { StageSettings } from './stages/settings.ts';
import type { Stage } from './stages/stages.ts';

/** The alarms of a stage, with their descriptions. docs/operate.md has a row of the same name for each. */
const reports = {
  'api-errors': 'the API fails at least 1 % of its requests',
  'api-faults': 'at least 1 % of the requests to the API fail because of defects in the service',
  'api-slow': 'requests to the API take more than 10 seconds',
  'authorizer-failures': 'at least 1 % of the checks of API keys fail, so callers get 503',
  'redirect-errors': 'the redirect fails at least 1 % of its visitors',
  'redirect-throttled': 'Lambda refuses to run the redirect, so visitors get errors',
  'redirect-slow': 'visitors wait for more than 2 seconds',
  'visits-refused': 'the gateway refuses at least 1 % of the visitors, so the redirect never sees them',
  'clicks-not-recorded': 'visitors were redirected, but their clicks could not be recorded and are not counted',
  'clicks-failing': 'the clicks of at least 1 % of the visitors could not be recorded',
  'access-denied': 'a policy denies a function a call; records that wait for a reader of a stream are lost after 24 hours',
  'clicks-waiting': 'clicks have waited for a busy table for an hour; after 20 hours they are lost',
  'clicks-late': 'clicks have waited for an hour to be counted; after 24 hours they are lost',
  'clicks-not-sealed': 'clicks are not moved into files, or the files of a month are not merged; the log says of which workspace',
  'put-aside': 'clicks or changes could not be read or counted, and were put aside',
  'changes-late': 'changes have waited for an hour to become history and webhooks; after 24 hours they are lost',
  'deliveries-late': 'clicks have waited for an hour to become webhooks; after 24 hours they are lost',
  'senders-failed': 'a sender of webhooks has failed three times',
  'senders-not-started': 'AWS refuses to start senders of webhooks',
  'receivers-behind':
    'webhooks for a URL have waited for a day, because they come faster than they are sent; after 14 days they are lost',
  'receivers-stopped': 'a URL has failed for three days or is gone, and gets no more webhooks',
  'sweeps-failed': 'a page of a sweep has failed six times: a deleted tag, erased clicks or keys of a removed member remain',
  'sweeps-late': 'a page of a sweep has waited for an hour: deleted tags, erased clicks or keys of removed members remain',
  'reader-silent': 'a reader of a stream has not read for an hour; after 24 hours, unread records are lost',
  'schedule-failed': 'a function that a schedule starts has failed three times in a row',
  'links-reported': 'a visitor has reported a link: see whether it does harm',
  'domains-failing': 'a domain no longer points here, its TXT record is gone, or no custom domain covers it; the log says which',
  'table-throttled': 'a table or its index throttles calls',
  'certificates-failing': 'a managed domain has no valid certificate, or one that is not renewed; the log says which',
  'domain-names': 'the account has 100 or more of the 120 custom domain names that AWS allows it in a region',
  'certificate-expires': 'the certificate of a custom domain expires within 30 days',
  'gateway-keys': 'the account has 9,000 of the 10,000 gateway keys that AWS allows; each workspace needs one',
  concurrency: 'the functions of the account use 80 % of its concurrent executions',
  'users-affected': 'visitors or callers of the API notice that something is wrong',
} as const;

export type AlarmName = keyof typeof reports;

/** The alarms that make `users-affected` go off: failures that visitors or callers of the API notice at that moment. */
const noticed = [
  'api-errors',
  'api-slow',
  'authorizer-failures',
  'redirect-errors',
  'redirect-throttled',
  'redirect-slow',
  'visits-refused',
] as const satisfies readonly AlarmName[];

/**
 * The alarms that make CloudFormation undo an update of any stack, because they show within minutes what a new version
 * breaks. Each is a rate of failed visits or of the service's own faults. So neither one lost click nor a workspace
 * whose own conflicting requests get 503 undoes an update. The alarms for slowness take a quarter of an hour.
 * CloudFormation allows five alarms at most:
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-rollback-triggers.html
 */
export const undoing = [
  'api-faults',
  'authorizer-failures',
  'redirect-errors',
  'clicks-failing',
] as const satisfies readonly AlarmName[];

type When = Pick<AlarmProps, 'metric' | 'threshold'> &
  Partial<Pick<AlarmProps, 'comparisonOperator' | 'evaluationPeriods' | 'datapointsToAlarm' | 'treatMissingData'>> & {
    /** Distinguishes several alarms of the stage with the same name. */
    readonly of?: string;
  };

/** The stage that alarms are for. */
export type Watched = { readonly stage: Stage['name']; readonly settings: StageSettings };

/**
 * Adds an alarm if the stage has recipients of alarms. Otherwise it adds nothing, because each alarm costs money. By
 * default, the alarm goes off if the metric reaches the threshold in one period, and is silent without data. So an
 * unused stage raises no alarms.
 */
export function addAlarm(scope: Construct, watched: Watched, name: AlarmName, { of, ...when }: When): Alarm | undefined {
  const topics = topicsOf(scope, watched);
  if (!topics.length) return undefined;
  const alarm = new Alarm(scope, `${of ? `${name}-${of}` : name}-alarm`, {
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    ...when,
    alarmName: alarmNameOf(watched, name, of),
    alarmDescription: describe(watched, name, of),
  });
  for (const topic of topics) alarm.addAlarmAction(new SnsAction(topic));
  return alarm;
}

/**
 * Adds the alarm that goes off with any of the alarms in `noticed`, and also reports when it is over. It refers to them
 * by name, because exports of their stacks would depend on settings. Their stacks must be deployed first.
 */
export function addUsersAffected(scope: Construct, watched: Watched): void {
  const topics = topicsOf(scope, watched);
  if (!topics.length) return;
  const alarm = new CompositeAlarm(scope, 'users-affected-alarm', {
    compositeAlarmName: alarmNameOf(watched, 'users-affected'),
    alarmDescription: describe(watched, 'users-affected'),
    alarmRule: { renderAlarmRule: () => noticed.map((one) => `ALARM("${alarmNameOf(watched, one)}")`).join(' OR ') },
  });
  for (const topic of topics) {
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  }
}

/**
 * Adds the alarm for the certificate of a custom domain. ACM renews its own certificates 60 days before they expire, if
 * it can: https://docs.aws.amazon.com/acm/latest/userguide/managed-renewal.html
 */
export function watchCertificate(scope: Construct, watched: Watched, name: string, certificate: ICertificate): void {
  const of = name.replace('*', 'wildcard');
  addAlarm(scope, watched, 'certificate-expires', {
    of,
    metric: certificate.metricDaysToExpiry(),
    threshold: 30,
    comparisonOperator: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
  });
}

/**
 * Adds the topic that sends emails, if the stage has an address. Other stacks refer to it by name.
 *
 * Its policy replaces AWS's default, which lets the whole account publish. So it names each publisher:
 * https://docs.aws.amazon.com/sns/latest/dg/sns-access-policy-use-cases.html
 */
export function addAlarmTopic(stack: Stack, { stage, settings }: Watched): Topic | undefined {
  const { alarmEmail } = settings;
  if (alarmEmail === undefined) return undefined;
  const topic = new Topic(stack, 'alarms', { topicName: topicName(stage), enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
    }),
  );
  topic.addSubscription(new EmailSubscription(alarmEmail));
  return topic;
}

const topicName = (stage: Stage['name']) => `Links-${stage}-alarms`;

/** The name of an alarm in the account. */
export const alarmNameOf = ({ stage }: Pick<Watched, 'stage'>, name: AlarmName, of?: string): string =>
  [`Links-${stage}`, name, ...(of ? [of] : [])].join('-');

const describe = ({ stage }: Watched, name: AlarmName, of?: string): string =>
  `Links-${stage}: ${reports[name]}${of ? ` (${of})` : ''}. See docs/operate.md#${name}`;

/** The topics to notify, imported once for each stack. A literal ARN needs no export. */
export function topicsOf(scope: Construct, { stage, settings }: Watched): ITopic[] {
  const stack = Stack.of(scope);
  const arnOf = (recipient: string) =>
    recipient === settings.alarmEmail ? stack.formatArn({ service: 'sns', resource: topicName(stage) }) : recipient;
  return settings.alarmRecipients.map((recipient, index) => {
    const id = `told-${index}`;
    return (stack.node.tryFindChild(id) as ITopic | undefined) ?? Topic.fromTopicArn(stack, id, arnOf(recipient));
  });
}

/** An alarm for a stream reader whose records have waited for one of the 24 hours for which the stream keeps them. */
export const anHourLate = (reader: LambdaFunction): When => ({
  metric: reader.metric('IteratorAge', { statistic: 'Maximum' }),
  threshold: Duration.hours(1).toMilliseconds(),
});

/**
 * An alarm for a scheduled function if a run and both retries failed, or it never began. Lambda then drops the event:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html#async-invocation-metrics
 */
export const aRunDropped = (scheduled: LambdaFunction): When => ({
  of: scheduled.node.id,
  metric: scheduled.metric('AsyncEventsDropped', { statistic: 'Sum' }),
  threshold: 1,
});

/** A period of one minute, for failures that users notice at once. */
export const minutely = { period: Duration.minutes(1) };

/** A line of advice if production, or a cell of it, has no recipients of alarms; otherwise undefined. */
export const adviceFor = ({ name, settings }: Stage): string | undefined =>
  /^prod(-|$)/.test(name) && !settings.alarmRecipients.length
    ? `${name} has no alarms, so nobody is notified of failures: set alarmEmail or alarmTopicArn in stages/${name}.json`
    : undefined;

/** An alarm for failures that last: in two of five minutes, 1 % or more of the calls fail, and at least two of them. */
export const failing = (failed: IMetric, all: IMetric): When => ({
  // With few calls per minute, a single failure would exceed 1 %.
  metric: new MathExpression({
    expression: 'IF(failed >= 2, 100 * failed / all, 0)',
    usingMetrics: { failed, all },
    label: 'failures in percent',
    ...minutely,
  }),
  threshold: 1,
  evaluationPeriods: 5,
  datapointsToAlarm: 2,
});

/** The namespace of the stage's own metrics. */
export const metricsOf = (stage: Stage['name']): string => `Links/${stage}`;

/** Counts log lines in a metric of the stage. The metric costs nothing as long as there are no such lines. */
export const countLines = (
  stage: Stage['name'],
  logGroup: ILogGroup,
  metricName: string,
  filterPattern: IFilterPattern,
): MetricFilter =>
  new MetricFilter(logGroup.stack, `${logGroup.node.id}-${metricName}`, {
    logGroup,
    filterPattern,
    metricNamespace: metricsOf(stage),
    metricName,
  });

/**
 * Matches the log lines with one of these messages. A logged object is under `message`:
 * https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/LogPatch.js
 */
export const linesWith = (...messages: [string, ...string[]]) =>
  FilterPattern.any(...messages.map((message) => FilterPattern.stringValue('$.message.message', '=', message)));

/**
 * Counts the calls that AWS denies the functions of a log, for the alarm `access-denied`. Retries of a denied call fail
 * until somebody changes a policy. So one denial is an alarm.
 */
export const countDenials = (stage: Stage['name'], logGroup: ILogGroup): MetricFilter =>
  countLines(stage, logGroup, 'AccessDenied', linesWith(alarming.accessDenied));
