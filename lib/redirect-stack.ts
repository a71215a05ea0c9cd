import { cpSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Stage as Assembly, CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { HttpApi, HttpNoneAuthorizer, IpAddressType } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { alarming } from '../lambdas/core/alarms.ts';
import { addAlarm, countLines, failing, linesWith, metricsOf, minutely, type Watched, watchCertificate } from './alarms.ts';
import type { BundleOf } from './bundles.ts';
import { countryTableOf } from './country-table.ts';
import { addHttpDomain } from './custom-domains.ts';
import type { Tables } from './data-stack.ts';
import { oneAtATime } from './gateway/one-at-a-time.ts';
import { throttleRedirect } from './outer-limits.ts';
import { liveAliasOf, rollOut } from './rollout.ts';
import { addSavedQueries } from './saved-queries.ts';
import {
  awsEndpointIsOn,
  countryFromInEnvironment,
  customDomainsOf,
  type Stage,
  type StageSettings,
  servedNamesOf,
} from './stages.ts';
import { TableFunction } from './table-function.ts';

const project = join(import.meta.dirname, '..');

export type RedirectStackProps = StackProps & {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly tables: Tables;
  readonly bundleOf: BundleOf;
};

/** The redirect: an HTTP API under the stage's short domains that sends all requests to one function. */
export class RedirectStack extends Stack {
  /** AWS's own name for the API. It doesn't depend on settings, so that other stacks can import it. */
  readonly ownName: string;
  readonly apiId: string;
  /** The names under which the redirect answers. */
  readonly servedNames: readonly string[];

  constructor(scope: Construct, id: string, { stage, settings, tables, bundleOf, ...props }: RedirectStackProps) {
    super(scope, id, props);

    const handler = new TableFunction(this, 'redirect', {
      kind: 'redirect',
      settings,
      tables,
      code: withCountries(bundleOf('redirect'), settings, Assembly.of(this)?.outdir),
      description: 'Answers the visitors of short links',
      // More costs more, and makes only starts faster: docs/decisions/0042.
      memorySize: 512,
      environment: {
        SHORT_URL_ORIGIN: settings.shortUrlOrigin,
        CLICK_DAYS: String(settings.clickDays),
        ...countryFromInEnvironment(settings),
        ...(settings.dashboard && { METRICS: metricsOf(stage) }),
      },
      tableActions: {
        'dynamodb:GetItem': ['BLOCKLIST#*', 'CAP#*', 'DOMAIN#*', 'LINK#*'],
        'dynamodb:PutItem': ['CLICK#*'],
        'dynamodb:UpdateItem': ['ATTEMPTS#*', 'CAP#*'],
      },
    });
    const live = liveAliasOf(handler);
    const { shortDomains } = customDomainsOf(settings);
    const isOn = awsEndpointIsOn(settings, 'redirect');
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
    for (const domain of shortDomains) addHttpDomain(api, domain);
    oneAtATime(this, 'AWS::ApiGatewayV2::DomainName');
    this.apiId = api.apiId;
    this.ownName = `${api.apiId}.execute-api.${this.region}.${this.urlSuffix}`;
    // Exported even if no stack imports it at the moment. This stack is deployed before the others, and an export must
    // not disappear while a deployed stack still imports it.
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference-importvalue.html
    this.exportValue(api.apiId);
    if (isOn) new CfnOutput(this, 'RedirectUrl', { value: api.apiEndpoint });
    this.servedNames = servedNamesOf({ name: stage, settings }, this.ownName);
    new CfnOutput(this, 'ServedNames', {
      value: this.servedNames.join(' '),
      description: 'The names under which the redirect answers, for the admin command',
    });
  }
}

/**
 * Adds the alarms about visits, about lost clicks, and about the certificates of the short domains.
 *
 * @returns the alarms that undo a deployment.
 */
function watchRedirect(stack: Stack, watched: Watched, { api, handler }: { api: HttpApi; handler: TableFunction }) {
  // The function answers errors itself, so Lambda's own count misses them.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
  const visits = api.metricCount({ statistic: 'SampleCount', ...minutely });
  const failed = api.metricServerError({ statistic: 'Sum', ...minutely });
  const errors = addAlarm(stack, watched, 'redirect-errors', failing(failed, visits));
  addAlarm(stack, watched, 'redirect-throttled', { metric: handler.metricThrottles({ statistic: 'Sum' }), threshold: 1 });
  const latency = api.metricLatency({ statistic: 'p99' });
  addAlarm(stack, watched, 'redirect-slow', { metric: latency, threshold: 2_000, evaluationPeriods: 3 });

  // What is neither an invocation nor an error, the gateway refused by itself, such as with 429. A missing number of
  // invocations is 0, so that the alarm goes off if it refuses everyone. The newest number may only be late, so one period is
  // not enough: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
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
  const lost = notRecorded.metric({ statistic: 'Sum', ...minutely });
  const losing = addAlarm(stack, watched, 'clicks-failing', failing(lost, visits));

  const domains = Map.groupBy(watched.settings.shortDomains ?? [], ({ certificateArn }) => certificateArn);
  for (const [domain] of domains.values()) if (domain) watchCertificate(stack, watched, domain);
  return [errors, losing];
}

/**
 * The folder of the redirect's package: its bundle, with a table of countries if the stage has files for one. The table goes
 * to a copy of the bundle, which other stages may share.
 */
function withCountries(bundle: string, { countryFrom }: StageSettings, outdir = dirname(bundle)): string {
  if (countryFrom === 'off' || !('files' in countryFrom)) return bundle;
  const table = countryTableOf(countryFrom.files.map((file) => resolve(project, file)));
  const folder = join(outdir, 'redirect-with-countries');
  cpSync(bundle, folder, { recursive: true });
  writeFileSync(join(folder, 'countries.bin'), table);
  return folder;
}
