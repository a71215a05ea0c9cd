import { cpSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Stage as Assembly, CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { HttpApi, HttpNoneAuthorizer, IpAddressType } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { alarming } from '../lambdas/core/alarms.ts';
import {
  addAlarm,
  aRunDropped,
  countLines,
  failing,
  linesWith,
  metricsOf,
  minutely,
  type Watched,
  watchCertificate,
} from './alarms.ts';
import type { BundleOf } from './bundles.ts';
import { countryTableOf } from './countries/country-table.ts';
import { addHttpDomain, servedNamesOf } from './custom-domains.ts';
import type { Tables } from './data-stack.ts';
import { oneAtATime } from './gateway/one-at-a-time.ts';
import { throttleRedirect } from './outer-limits.ts';
import { liveAliasOf, rollOut } from './rollout.ts';
import { addSavedQueries } from './saved-queries.ts';
import { countryFromInEnvironment, uniqueClicksInEnvironment } from './stages/environment.ts';
import type { StageSettings } from './stages/settings.ts';
import type { Stage } from './stages/stages.ts';
import { TableFunction } from './table-function.ts';
import { expiryAttribute } from './tables.ts';

const project = join(import.meta.dirname, '..');

/** The output with the name of the function that makes the secrets for unique clicks, for deployments. */
export const daySecretsOutput = 'DaySecretsFunction';

export type RedirectStackProps = StackProps & {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly tables: Tables;
  /** The queue of clicks that the table throttles. */
  readonly waitingClicks: IQueue;
  readonly bundleOf: BundleOf;
};

/** The redirect: an HTTP API under the stage's short domains that sends all requests to one function. */
export class RedirectStack extends Stack {
  /** AWS's own name for the API. It doesn't depend on settings, so that other stacks can import it. */
  readonly ownName: string;
  readonly apiId: string;
  /** The names that the redirect serves. */
  readonly servedNames: readonly string[];

  constructor(scope: Construct, id: string, { stage, settings, tables, waitingClicks, bundleOf, ...props }: RedirectStackProps) {
    super(scope, id, props);

    const secrets = settings.uniqueClicks === 'daily' ? this.addDaySecrets({ stage, settings, tables, bundleOf }) : undefined;
    const handler = new TableFunction(this, 'redirect', {
      kind: 'redirect',
      settings,
      tables: { ...tables, ...(secrets && { Secrets: secrets }) },
      code: withCountries(bundleOf('redirect'), settings, Assembly.of(this)?.outdir),
      description: 'Answers the visitors of short links',
      // More memory costs more, and only makes starts faster: docs/decisions/0042.
      memorySize: 512,
      environment: {
        SHORT_URL_ORIGIN: settings.shortUrlOrigin,
        WAITING_CLICKS_QUEUE: waitingClicks.queueUrl,
        ...countryFromInEnvironment(settings),
        ...(settings.dashboard && { METRICS: metricsOf(stage) }),
        ...uniqueClicksInEnvironment(settings),
        ...(settings.linkReports && { LINK_REPORTS: 'on' }),
      },
      tableActions: {
        'dynamodb:BatchGetItem': ['LINK#*'],
        'dynamodb:GetItem': ['BLOCKLIST#*', 'CAP#*', ...(secrets ? (['DAYSECRET#*'] as const) : []), 'DOMAIN#*', 'LINK#*'],
        'dynamodb:PutItem': ['CLICK#*'],
        // It may update reports, but neither list nor delete them.
        'dynamodb:UpdateItem': ['ATTEMPTS#*', 'CAP#*', ...(settings.linkReports ? (['REPORT#*', 'REPORTER#*'] as const) : [])],
      },
    });
    handler.addToRolePolicy(new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [waitingClicks.queueArn] }));
    const live = liveAliasOf(handler);
    const { shortDomains } = settings;
    const isOn = settings.awsEndpoints.redirect;
    const api = new HttpApi(this, 'api', {
      apiName: `links-${stage}-redirect`,
      defaultIntegration: new HttpLambdaIntegration('redirect-integration', live),
      defaultAuthorizer: new HttpNoneAuthorizer(),
      disableExecuteApiEndpoint: !isOn,
      ipAddressType: IpAddressType.DUAL_STACK,
    });

    throttleRedirect(api, settings);
    Validations.of(api).acknowledge(
      { id: 'AwsSolutions-APIG1', reason: "Access logs would store visitors' IP addresses, which the service does not need" },
      {
        id: 'AwsSolutions-APIG4',
        reason: 'Short links are public; the function itself asks for the password of a protected one',
      },
    );

    rollOut(live, settings, watchRedirect(this, { stage, settings }, { api, handler }));

    addSavedQueries(this, stage, 'redirect');
    const watched = new Set<string>();
    for (const domain of shortDomains) {
      const certificate = addHttpDomain(api, domain);
      // Several domains may share a certificate of the operator's.
      const key = domain.certificateArn ?? domain.name;
      if (!watched.has(key)) watchCertificate(this, { stage, settings }, domain.name, certificate);
      watched.add(key);
    }
    oneAtATime(this, 'AWS::ApiGatewayV2::DomainName');
    this.apiId = api.apiId;
    this.ownName = `${api.apiId}.execute-api.${this.region}.${this.urlSuffix}`;
    // Exported even if no stack imports it: this stack is deployed before the others, and an export must not disappear
    // while a deployed stack still imports it.
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference-importvalue.html
    this.exportValue(api.apiId);
    if (isOn) new CfnOutput(this, 'RedirectUrl', { value: api.apiEndpoint });
    this.servedNames = servedNamesOf({ name: stage, settings }, this.ownName);
    new CfnOutput(this, 'ServedNames', {
      value: this.servedNames.join(' '),
      description: 'The names under which the redirect answers, for the admin command',
    });
  }

  /**
   * Adds the table of the secrets for hashes of visitors, and the schedule that makes and deletes them. The table is in
   * this stack so that no export depends on a setting. It has no stream, no backups and no protection, because deleted
   * secrets must be gone for good.
   */
  private addDaySecrets({
    stage,
    settings,
    tables,
    bundleOf,
  }: Omit<RedirectStackProps, keyof StackProps | 'waitingClicks'>): TableV2 {
    const secrets = new TableV2(this, 'secrets', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billing: Billing.onDemand(),
      timeToLiveAttribute: expiryAttribute,
      removalPolicy: RemovalPolicy.DESTROY,
      // A recovery would bring back secrets that were deleted to make visitors anonymous.
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: false },
    });
    const rotate = new TableFunction(this, 'rotate-day-secrets', {
      settings,
      kind: 'event',
      tables: { ...tables, Secrets: secrets },
      code: bundleOf('rotate-day-secrets'),
      description: 'Makes the secrets under which visitors are hashed, a day ahead, and deletes them after their day',
      tableActions: { 'dynamodb:DeleteItem': ['DAYSECRET#*'], 'dynamodb:PutItem': ['DAYSECRET#*'] },
    });
    new Rule(this, 'rotate-schedule', {
      description: 'Makes and deletes the secrets of days',
      schedule: Schedule.rate(Duration.hours(1)),
      targets: [new FunctionTarget(rotate)],
    });
    addAlarm(this, { stage, settings }, 'schedule-failed', aRunDropped(rotate));
    new CfnOutput(this, daySecretsOutput, {
      value: rotate.functionName,
      description: 'Makes the secrets for unique clicks. A deployment runs it once, because the schedule begins an hour later',
    });
    return secrets;
  }
}

/**
 * Adds the alarms for visits, lost clicks and reports of links.
 *
 * @returns the alarms that undo a deployment.
 */
function watchRedirect(stack: Stack, watched: Watched, { api, handler }: { api: HttpApi; handler: TableFunction }) {
  // The function responds to errors itself, so Lambda's error count misses them.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
  const visits = api.metricCount({ statistic: 'SampleCount', ...minutely });
  const failed = api.metricServerError({ statistic: 'Sum', ...minutely });
  const errors = addAlarm(stack, watched, 'redirect-errors', failing(failed, visits));
  addAlarm(stack, watched, 'redirect-throttled', { metric: handler.metricThrottles({ statistic: 'Sum' }), threshold: 1 });
  const latency = api.metricLatency({ statistic: 'p99' });
  addAlarm(stack, watched, 'redirect-slow', { metric: latency, threshold: 2_000, evaluationPeriods: 3 });

  // Visits without an invocation or an error were refused by the gateway, such as with 429. Missing invocations are
  // treated as 0, so that the alarm goes off if it refuses everyone. The newest number may only be late, so one period
  // is not enough: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
  const refused = new MathExpression({
    expression: 'IF(visits - FILL(answered, 0) - errors >= 10, 100 * (visits - FILL(answered, 0) - errors) / visits, 0)',
    usingMetrics: {
      visits: api.metricCount({ statistic: 'SampleCount' }),
      answered: handler.metricInvocations({ statistic: 'Sum' }),
      errors: api.metricServerError({ statistic: 'Sum' }),
    },
    label: 'visits that the gateway refused, in percent',
  });
  addAlarm(stack, watched, 'visits-refused', { metric: refused, threshold: 1, evaluationPeriods: 3, datapointsToAlarm: 2 });

  // Visitors who were redirected although their click could not be recorded.
  const notRecorded = countLines(watched.stage, handler.logGroup, 'ClicksNotRecorded', linesWith(alarming.clickNotRecorded));
  addAlarm(stack, watched, 'clicks-not-recorded', { metric: notRecorded.metric({ statistic: 'Sum' }), threshold: 1 });
  if (watched.settings.linkReports) {
    const reported = countLines(watched.stage, handler.logGroup, 'LinksReported', linesWith(alarming.linkReported));
    addAlarm(stack, watched, 'links-reported', { metric: reported.metric({ statistic: 'Sum' }), threshold: 1 });
  }
  const lost = notRecorded.metric({ statistic: 'Sum', ...minutely });
  const losing = addAlarm(stack, watched, 'clicks-failing', failing(lost, visits));
  return [errors, losing];
}

/**
 * The folder of the redirect's package: its bundle, with a table of countries if the stage has files for one. The table
 * is added to a copy, because other stages may share the bundle.
 */
function withCountries(bundle: string, { countryFrom }: StageSettings, outdir = dirname(bundle)): string {
  if (countryFrom === 'off' || !('files' in countryFrom)) return bundle;
  const table = countryTableOf(countryFrom.files.map((file) => resolve(project, file)));
  const folder = join(outdir, 'redirect-with-countries');
  cpSync(bundle, folder, { recursive: true });
  writeFileSync(join(folder, 'countries.bin'), table);
  return folder;
}
