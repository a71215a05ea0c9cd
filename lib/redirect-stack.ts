import { cpSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Stage as Assembly, CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { ApiMapping, DomainName, HttpApi, HttpNoneAuthorizer, SecurityPolicy } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ComparisonOperator, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Construct } from 'constructs';
import { alarming } from '../lambdas/domain/alarms.ts';
import { addAlarm, countLines, linesWith, metricsOf, minutely, type Watched } from './alarms.ts';
import type { BundleOf } from './bundles.ts';
import { countryTableOf } from './country-table.ts';
import type { Tables } from './data-stack.ts';
import { throttleRedirect } from './outer-limits.ts';
import { liveAliasOf, rollOut } from './rollout.ts';
import { addSavedQueries } from './saved-queries.ts';
import { countryFromInEnvironment, type ShortDomain, type Stage, type StageSettings } from './stages.ts';
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

  constructor(scope: Construct, id: string, { stage, settings, tables, bundleOf, ...props }: RedirectStackProps) {
    super(scope, id, props);

    const handler = new TableFunction(this, 'redirect', {
      kind: 'redirect',
      settings,
      tables,
      code: withCountries(bundleOf('redirect'), settings, Assembly.of(this)?.outdir),
      description: 'Answers the visitors of short links',
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
    const { shortDomains = [] } = settings;
    const api = new HttpApi(this, 'api', {
      apiName: `links-${stage}-redirect`,
      defaultIntegration: new HttpLambdaIntegration('redirect-integration', live),
      defaultAuthorizer: new HttpNoneAuthorizer(),
      // AWS's own name for the API isn't a short domain. It stays enabled only if there is no other name for the API.
      disableExecuteApiEndpoint: shortDomains.length > 0,
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
    for (const domain of shortDomains) new ServedDomain(this, domain.name, { domain, api });
    this.apiId = api.apiId;
    this.ownName = `${api.apiId}.execute-api.${this.region}.${this.urlSuffix}`;
    // Exported even if no stack imports it at the moment. This stack is deployed before the others, and an export must
    // not disappear while a deployed stack still imports it.
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference-importvalue.html
    this.exportValue(api.apiId);
    if (!shortDomains.length) new CfnOutput(this, 'RedirectUrl', { value: api.apiEndpoint });
  }
}

/**
 * What visitors notice, what they do not, and how long the certificates of the short domains last.
 *
 * @returns the alarms that undo a deployment.
 */
function watchRedirect(stack: Stack, watched: Watched, { api, handler }: { api: HttpApi; handler: TableFunction }) {
  // The function answers errors itself, so Lambda's own count misses them. At a few visits a minute, one error is no rate.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
  const failed = new MathExpression({
    expression: 'IF(errors >= 2, 100 * errors / visits, 0)',
    usingMetrics: {
      errors: api.metricServerError({ statistic: 'Sum', ...minutely }),
      visits: api.metricCount({ statistic: 'SampleCount', ...minutely }),
    },
    label: 'errors in percent of visits',
    ...minutely,
  });
  const errors = addAlarm(stack, watched, 'redirect-errors', {
    metric: failed,
    threshold: 1,
    evaluationPeriods: 5,
    datapointsToAlarm: 2,
  });
  addAlarm(stack, watched, 'redirect-throttled', { metric: handler.metricThrottles({ statistic: 'Sum' }), threshold: 1 });
  const latency = api.metricLatency({ statistic: 'p99' });
  addAlarm(stack, watched, 'redirect-slow', { metric: latency, threshold: 2_000, evaluationPeriods: 3 });

  // Visitors who were redirected although their click could not be recorded.
  const notRecorded = countLines(watched.stage, handler, 'ClicksNotRecorded', linesWith(alarming.clickNotRecorded));
  const lost = addAlarm(stack, watched, 'clicks-not-recorded', {
    metric: notRecorded.metric({ statistic: 'Sum' }),
    threshold: 1,
  });

  // ACM renews its own certificates 60 days before, if it can: https://docs.aws.amazon.com/acm/latest/userguide/managed-renewal.html
  const domains = Map.groupBy(watched.settings.shortDomains ?? [], ({ certificateArn }) => certificateArn);
  for (const [arn, [domain]] of domains) {
    const of = domain?.name.replace('*', 'wildcard');
    const certificate = Certificate.fromCertificateArn(stack, `certificate-of-${of}`, arn);
    addAlarm(stack, watched, 'certificate-expires', {
      ...(of && { of }),
      metric: certificate.metricDaysToExpiry(),
      threshold: 30,
      comparisonOperator: ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
    });
  }
  return [errors, lost];
}

/**
 * The folder of the redirect's package: its bundle, with a table of countries if the stage has files for one. Other stages
 * may have the same bundle, so the table goes to a copy.
 */
function withCountries(bundle: string, { countryFrom }: StageSettings, outdir = dirname(bundle)): string {
  if (countryFrom === 'off' || !('files' in countryFrom)) return bundle;
  const table = countryTableOf(countryFrom.files.map((file) => resolve(project, file)));
  const folder = join(outdir, 'redirect-with-countries');
  cpSync(bundle, folder, { recursive: true });
  writeFileSync(join(folder, 'countries.bin'), table);
  return folder;
}

/**
 * A short domain of the API, with its DNS record. If its zone isn't in Route 53, an output says what to point it at.
 */
class ServedDomain extends Construct {
  constructor(scope: Construct, id: string, { domain, api }: { domain: ShortDomain; api: HttpApi }) {
    super(scope, id);
    const { name, certificateArn, hostedZoneId } = domain;
    const domainName = new DomainName(this, 'name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'certificate', certificateArn),
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    new ApiMapping(this, 'mapping', { api, domainName });

    const { regionalDomainName, regionalHostedZoneId } = domainName;
    if (hostedZoneId) {
      new ARecord(this, 'record', {
        // With the trailing dot, the name is absolute, and nothing is appended.
        recordName: `${name}.`,
        zone: HostedZone.fromHostedZoneAttributes(this, 'zone', { hostedZoneId, zoneName: name }),
        target: RecordTarget.fromAlias(new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId)),
      });
    } else {
      const description = `The target for the CNAME or alias record of ${name}`;
      new CfnOutput(this, 'DnsTarget', { description, value: regionalDomainName });
    }
  }
}
