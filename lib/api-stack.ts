import { dirname } from 'node:path';
import { ArnFormat, Stage as Assembly, CfnOutput, Duration, Size, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { ApiKeySourceType, AuthorizationType, EndpointType, RestApi, TokenAuthorizer } from 'aws-cdk-lib/aws-apigateway';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { alarming } from '../lambdas/core/alarms.ts';
import {
  addAlarm,
  countDenials,
  countLines,
  failing,
  linesWith,
  metricsOf,
  minutely,
  type Watched,
  watchCertificate,
} from './alarms.ts';
import type { BundleOf } from './bundles.ts';
import { addDuckDb } from './clicks/duckdb.ts';
import { addApiDomain, harden } from './custom-domains.ts';
import type { Tables } from './data-stack.ts';
import { bothOf, type EndpointSetting, permissionSetting, type Route, routes, type TableActions, waysTo } from './endpoints.ts';
import { addGatewayResponses } from './gateway/gateway-responses.ts';
import { addInvokers } from './gateway/invoker.ts';
import { addMcp } from './gateway/mcp.ts';
import { oneAtATime } from './gateway/one-at-a-time.ts';
import { addUsagePlans, type Throttled } from './gateway/request-rates.ts';
import { mostOfNewAccountsMb } from './memory.ts';
import { addWebAcl, throttlePublic } from './outer-limits.ts';
import { liveAliasOf, rollOut } from './rollout.ts';
import { addSavedQueries } from './saved-queries.ts';
import { addSignIn, signInThrottles } from './sign-in.ts';
import { addSite, sitePaths, withFiles } from './site/site.ts';
import { uniqueClicksInEnvironment } from './stages/environment.ts';
import { managerName } from './stages/function-names.ts';
import type { StageSettings } from './stages/settings.ts';
import type { Stage } from './stages/stages.ts';
import { addLogGroup, TableFunction } from './table-function.ts';

export type ApiStackProps = StackProps & {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly tables: Tables;
  /** The bucket with the files of clicks. */
  readonly clicks: IBucket;
  /** The name that workspaces point their domains to. */
  readonly domainTarget: string;
  /** The names that the redirect serves. */
  readonly servedNames: readonly string[];
  /** Returns the folder of a function's bundle. */
  readonly bundleOf: BundleOf;
};

/**
 * The REST API: the authorizer, one function for each endpoint, and the usage plan that limits each workspace's rates.
 */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, { stage, settings, tables, clicks, bundleOf, ...props }: ApiStackProps) {
    super(scope, id, props);
    const functions: FunctionsProps = { settings, tables, bundleOf };

    const authorize = addAuthorize(this, functions);
    const live = liveAliasOf(authorize);
    const authorizer = addAuthorizer(this, live);
    const api = addApi(this, { stage, settings });
    const logGroup = addEndpointLogs(this, { stage, settings });
    const invoking = addInvokers(this);
    const throttled = addEndpoints(
      api,
      { stage, ...functions },
      {
        authorizer,
        logGroup,
        invoking,
        environment: environmentOf({ stage, settings }, props),
        asking: whatAskingTakes(this, clicks, bundleOf),
      },
    );
    if (settings.mcp) {
      const method = addMcp(api, invoking(addMcpFunction(api, { stage, settings }, functions, logGroup)), authorizer);
      throttled.push({ method, limit: 'costly' });
    }
    const shown = sitePaths(settings);
    if (shown.length > 0) addSite(api, shown, invoking(addSiteFunction(this, functions, logGroup)));
    addSignIn(api, { settings, tables, logGroup, code: bundleOf('sign-in') }, invoking);
    oneAtATime(api, 'AWS::ApiGateway::GatewayResponse', 'AWS::ApiGateway::Resource', 'AWS::ApiGateway::Method');

    addUsagePlans(api, throttled, settings);

    rollOut(live, settings, watchApi(this, { stage, settings }, { api, authorize }));
    addSavedQueries(this, stage, 'API');
    const url = addOwnDomain(api, { stage, settings });
    new CfnOutput(this, 'ApiUrl', { value: url, description: 'The base URL, which api/v1/ follows' });
  }
}

type FunctionsProps = Pick<ApiStackProps, 'settings' | 'tables' | 'bundleOf'>;

/** The function that checks the key of each request. */
const addAuthorize = (stack: Stack, { settings, tables, bundleOf }: FunctionsProps): TableFunction =>
  new TableFunction(stack, 'authorize', {
    settings,
    kind: 'authorizer',
    tables,
    code: bundleOf('authorize'),
    description: 'Resolves a bearer key to its workspace and permissions',
    tableActions: {
      'dynamodb:BatchGetItem': ['MEMBERS#*', 'SIGNIN#*'],
      'dynamodb:GetItem': ['KEY#*'],
      'dynamodb:UpdateItem': ['KEY#*'],
    },
    // It records when a key was used, but must not be able to extend a key's permissions or restore a revoked key.
    updatedAttributes: ['lastUsedAt'],
  });

const addAuthorizer = (stack: Stack, handler: Alias): TokenAuthorizer =>
  new TokenAuthorizer(stack, 'authorizer', {
    handler,
    // The shape of a key. The gateway refuses anything else without running a function. The scheme is
    // case-insensitive (RFC 9110, section 11.1).
    validationRegex: '^[Bb][Ee][Aa][Rr][Ee][Rr] +lk_[0-9A-Za-z]{36}$',
    resultsCacheTtl: Duration.seconds(60),
  });

/** The gateway itself, without any method. */
function addApi(stack: Stack, { stage, settings }: Watched): RestApi {
  const throttle = settings.stageThrottle.api;
  const api = new RestApi(stack, 'api', {
    // A label that need not be unique: https://www.pulumi.com/registry/packages/aws/api-docs/apigateway/getrestapi/
    restApiName: `links-${stage}`,
    endpointTypes: [EndpointType.REGIONAL],
    // The authorizer returns the workspace's gateway key, and the usage plan counts requests by that.
    apiKeySourceType: ApiKeySourceType.AUTHORIZER,
    // For PNG images. Nothing else is affected: bodies of requests are JSON, and other responses are texts, which the
    // gateway passes on as they are
    // (https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings.html).
    binaryMediaTypes: ['image/png'],
    // Lists, and the scripts of the console and of /docs, are larger; most links are smaller, and lose no time.
    minCompressionSize: Size.kibibytes(10),
    cloudWatchRole: false,
    disableExecuteApiEndpoint: !settings.awsEndpoints.api,
    deployOptions: {
      stageName: stage,
      tracingEnabled: settings.tracing !== 'off',
      ...(throttle && { throttlingRateLimit: throttle.rate, throttlingBurstLimit: throttle.burst }),
      methodOptions: { ...throttlePublic(sitePaths(settings)), ...signInThrottles(settings) },
    },
  });
  // The output `ApiUrl` has the same value under a stable name.
  api.node.tryRemoveChild('Endpoint');
  harden(api);
  addGatewayResponses(api);
  acknowledgeFindings(api, settings);
  addWebAcl(api, { stage, settings });
  return api;
}

type Environment = Readonly<Record<EndpointSetting, string | undefined>>;

/** Everything that endpoints may read from their environment. Undefined means not set. */
const environmentOf = (
  { stage, settings }: Watched,
  { domainTarget, servedNames }: Pick<ApiStackProps, 'domainTarget' | 'servedNames'>,
): Environment => ({
  CLICK_DAYS: String(settings.clickDays),
  COUNTRIES: settings.countryFrom === 'off' ? undefined : 'known',
  DOMAIN_ACTIVATION: settings.domainActivation,
  DOMAIN_TARGET: domainTarget,
  HISTORY_DAYS: String(settings.historyDays),
  MANAGED_DOMAINS: settings.managedDomains ? managerName(stage) : undefined,
  MAX_LINKS_PER_IMPORT: String(settings.maxLinksPerImport),
  METRICS: settings.dashboard ? metricsOf(stage) : undefined,
  REQUEST_BURST: String(settings.requestBurst),
  REQUEST_RATE: String(settings.requestRate),
  SERVED_NAMES: servedNames.join(' '),
  SHORT_URL_ORIGIN: settings.shortUrlOrigin,
  UNIQUE_CLICKS: uniqueClicksInEnvironment(settings).UNIQUE_CLICKS,
  WEBHOOK_LOOPBACK: settings.webhookLoopback ? 'allowed' : undefined,
});

type EndpointsProps = {
  readonly authorizer: TokenAuthorizer;
  readonly logGroup: LogGroup;
  readonly invoking: ReturnType<typeof addInvokers>;
  readonly environment: Environment;
  readonly asking: ReturnType<typeof whatAskingTakes>;
};

/** The metric of requests that fail because of a defect in the service, not because a table or a server is busy. */
const apiFaults = 'ApiFaults';

/** An endpoint logs every error. If it can't even do that, Lambda's own report of the invocation shows the failure. */
const faultLines = FilterPattern.any(
  linesWith(alarming.unexpectedError, alarming.clicksNotRead),
  FilterPattern.all(
    FilterPattern.stringValue('$.type', '=', 'platform.report'),
    FilterPattern.stringValue('$.record.status', '!=', 'success'),
  ),
);

/** The log group of all endpoints. Its streams have the names of their functions. */
function addEndpointLogs(stack: Stack, { stage, settings }: Watched): LogGroup {
  const logGroup = addLogGroup(stack, 'endpoint-logs', settings);
  countLines(stage, logGroup, apiFaults, faultLines);
  countDenials(stage, logGroup);
  return logGroup;
}

/** The table actions of a route's function on a stage. */
const actionsOf = ({ tableActions, ifManaged }: Route, { managedDomains }: StageSettings): TableActions =>
  managedDomains && ifManaged ? bothOf(tableActions, ifManaged.tableActions) : tableActions;

/**
 * The means of a function that asks about clicks: DuckDB, which takes a gigabyte of memory, and disk space for its
 * spilled data and for 1 GB of cached files.
 */
const whatAskingTakes = (stack: Stack, bucket: IBucket, bundleOf: BundleOf) => ({
  kind: 'statistics' as const,
  clickFiles: { bucket, actions: ['get', 'list'] as const },
  layers: [addDuckDb(stack, bundleOf('duckdb'))],
  memorySize: mostOfNewAccountsMb,
  ephemeralStorageSize: Size.gibibytes(2),
});

/** The actions of a function that keeps rankings. */
const ofRankings = ['get-ranking', 'put-ranking'] as const;

/** Adds the function and the methods of each route. @returns the methods with a throttle of their own. */
function addEndpoints(
  api: RestApi,
  { stage, settings, tables, bundleOf }: FunctionsProps & Watched,
  { authorizer, logGroup, invoking, environment, asking }: EndpointsProps,
): Throttled[] {
  const throttled: Throttled[] = [];
  for (const route of routes) {
    const handler = new TableFunction(api.stack, route.name, {
      settings,
      kind: 'endpoint',
      tables,
      code: bundleOf(route.name),
      description: `${route.method} ${route.path}`,
      tableActions: actionsOf(route, settings),
      queriesIndex: route.queriesIndex,
      environment: {
        PERMISSION: permissionSetting(route),
        ...Object.fromEntries(route.environment.flatMap((name) => (environment[name] ? [[name, environment[name]]] : []))),
      },
      logGroup,
      ...(route.memorySize && { memorySize: route.memorySize }),
      ...(route.asksAboutClicks && asking),
      ...(route.keepsRankings && {
        clickFiles: { ...asking.clickFiles, actions: [...asking.clickFiles.actions, ...ofRankings] },
      }),
    });
    if (settings.managedDomains && route.ifManaged?.invokes) {
      const manager = api.stack.formatArn({
        service: 'lambda',
        resource: 'function',
        resourceName: managerName(stage),
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      });
      handler.addToRolePolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [manager] }));
    }
    const integration = invoking(handler);
    for (const way of waysTo(route)) {
      const method = api.root.resourceForPath(way.path).addMethod(way.method, integration, {
        authorizer,
        authorizationType: AuthorizationType.CUSTOM,
        // The usage plan counts only methods with this flag. The authorizer returns the key; clients don't send it.
        apiKeyRequired: true,
      });
      if (route.throttled) throttled.push({ method, limit: route.throttled });
    }
  }
  return throttled;
}

/** The function that serves the console and the reference of the API. */
function addSiteFunction(stack: Stack, { settings, tables, bundleOf }: FunctionsProps, logGroup: LogGroup): TableFunction {
  const bundles = { site: bundleOf('site'), console: bundleOf('console') };
  return new TableFunction(stack, 'site', {
    settings,
    kind: 'endpoint',
    tables,
    code: withFiles(bundles, Assembly.of(stack)?.outdir ?? dirname(bundles.site)),
    description: 'GET /console and /docs: the console, and the reference of the API',
    tableActions: {},
    // Whether the console offers to sign in with the provider.
    ...(settings.signIn && { environment: { SIGN_IN_OFFERED: 'yes' } }),
    logGroup,
  });
}

/** The function for the Model Context Protocol. It calls the API with the caller's key, and uses no table. */
const addMcpFunction = (api: RestApi, watched: Watched, { settings, tables, bundleOf }: FunctionsProps, logGroup: LogGroup) =>
  new TableFunction(api.stack, 'mcp', {
    settings,
    kind: 'endpoint',
    tables,
    code: bundleOf('mcp'),
    description: 'POST /mcp: the Model Context Protocol',
    tableActions: {},
    environment: { API_URL: urlForFunctions(api, watched) },
    logGroup,
  });

/**
 * The URL at which functions reach the API: AWS's own name while that is on, because a custom name may not be in the
 * DNS yet. It is part of their environment, because a request's host comes from the client, who must not choose where
 * keys are sent. The stage's name is written out, because the gateway's stage depends on its methods, and these on the
 * functions.
 */
function urlForFunctions(api: RestApi, { stage, settings }: Watched): string {
  const { apiDomain, awsEndpoints } = settings;
  if (apiDomain && !awsEndpoints.api) return `https://${apiDomain.name}/`;
  const { region, urlSuffix } = api.stack;
  return `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stage}/`;
}

/**
 * Adds the API's custom domain if the stage has one, with the alarm for its certificate.
 *
 * @returns the API's base URL.
 */
function addOwnDomain(api: RestApi, { stage, settings }: Watched): string {
  const { apiDomain, shortDomains } = settings;
  if (!apiDomain) return api.url;
  const certificate = addApiDomain(api, apiDomain);
  // The redirect's stack watches the certificates of short domains.
  const isWatched = shortDomains.some(({ certificateArn: arn }) => arn !== undefined && arn === apiDomain.certificateArn);
  if (!isWatched) watchCertificate(api.stack, { stage, settings }, apiDomain.name, certificate);
  return `https://${apiDomain.name}/`;
}

/**
 * Adds the alarms for failures that callers of the API notice.
 *
 * @returns the alarms that undo a deployment of the authorizer. Their metrics refer to the API by its name, because the
 *   gateway's stage depends on the methods, these on the authorizer, and this on the alarms.
 */
function watchApi(stack: Stack, watched: Watched, { api, authorize }: { api: RestApi; authorize: TableFunction }) {
  // The average is the rate of errors:
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html
  const failed = api.metricServerError({ statistic: 'Average', ...minutely });
  addAlarm(stack, watched, 'api-errors', {
    metric: failed,
    threshold: 0.01,
    evaluationPeriods: 5,
    datapointsToAlarm: 3,
  });
  const faults = new Metric({ namespace: metricsOf(watched.stage), metricName: apiFaults, statistic: 'Sum', ...minutely });
  const requests = api.metricCount({ statistic: 'SampleCount', ...minutely });
  const faulty = addAlarm(stack, watched, 'api-faults', failing(faults, requests));
  // An import of 1,000 links takes seconds.
  const latency = api.metricLatency({ statistic: 'p99' });
  addAlarm(stack, watched, 'api-slow', { metric: latency, threshold: 10_000, evaluationPeriods: 3 });
  // Refused keys are errors to Lambda, so its error count is useless. Its reports show what the function could not log:
  // https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report
  const reported = (status: string) =>
    FilterPattern.all(
      FilterPattern.stringValue('$.type', '=', 'platform.report'),
      FilterPattern.stringValue('$.record.status', '=', status),
    );
  const lines = FilterPattern.any(linesWith(alarming.keyNotChecked), reported('timeout'), reported('failure'));
  const failures = countLines(watched.stage, authorize.logGroup, 'AuthorizerFailures', lines).metric({
    statistic: 'Sum',
    ...minutely,
  });
  const checks = authorize.metricInvocations({ statistic: 'Sum', ...minutely });
  const unchecked = addAlarm(stack, watched, 'authorizer-failures', failing(failures, checks));
  return [faulty, unchecked];
}

/** Accepts findings of cdk-nag that are intended, each with its reason (docs/decisions/0028 and 0029). */
function acknowledgeFindings(api: RestApi, { webAcl }: StageSettings): void {
  if (!webAcl) {
    const reason = 'A web ACL is billed by the month, so it is a setting of the stage, webAcl';
    Validations.of(api).acknowledge({ id: 'AwsSolutions-APIG3', reason });
  }
  const account = 'needs a role that is a setting of the whole account and region, not of this service';
  Validations.of(api).acknowledge(
    { id: 'AwsSolutions-APIG1', reason: `Access logging ${account}; each function logs its requests` },
    {
      id: 'AwsSolutions-APIG2',
      reason: 'The functions validate requests and report every broken rule; the gateway would report only one',
    },
    { id: 'AwsSolutions-APIG6', reason: `Execution logging ${account}, and would log request data` },
    {
      id: 'AwsSolutions-COG4',
      reason:
        'The authorizer of each method checks an API key; people sign in with a provider of the operator, and get such keys',
    },
  );
}
