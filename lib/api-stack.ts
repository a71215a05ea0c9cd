import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  RestApi,
  type ThrottlingPerMethod,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { bulkRequests } from '../lambdas/domain/limits.ts';
import type { BundleOf } from './bundles.ts';
import { type EndpointSetting, routes } from './endpoints.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import type { Stage, StageSettings } from './stages.ts';
import { TableFunction } from './table-function.ts';

export type ApiStackProps = StackProps & {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly table: ITableV2;
  /** What workspaces point their domains at. */
  readonly domainTarget: string;
  /** From a function's name to the folder of its bundle. */
  readonly bundleOf: BundleOf;
};

/** The REST API: authorizer, one function an endpoint, and the usage plan that holds each workspace to its rates. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, { stage, settings, table, domainTarget, bundleOf, ...props }: ApiStackProps) {
    super(scope, id, props);

    const authorizer = new TokenAuthorizer(this, 'authorizer', {
      handler: new TableFunction(this, 'authorize', {
        settings,
        kind: 'authorizer',
        table,
        code: bundleOf('authorize'),
        description: 'Turns a bearer key into its workspace and permissions',
        tableActions: { 'dynamodb:GetItem': ['KEY#*'], 'dynamodb:UpdateItem': ['KEY#*'] },
        // It writes down when a key was used: it could neither widen one nor bring a revoked one back.
        updatedAttributes: ['lastUsedAt'],
      }),
      // The key's shape: what does not have it is refused by the gateway, with no function run. RFC 7235: the scheme's case is free.
      validationRegex: '^[Bb][Ee][Aa][Rr][Ee][Rr] +lk_[0-9A-Za-z]{36}$',
      resultsCacheTtl: Duration.seconds(60),
    });

    const api = new RestApi(this, 'api', {
      // A label, that need not be unique: https://www.pulumi.com/registry/packages/aws/api-docs/apigateway/getrestapi/
      restApiName: `links-${stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      // The authorizer names the workspace's gateway key, which is what the usage plan counts by.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: false,
      deployOptions: { stageName: stage, tracingEnabled: true },
    });
    // `ApiUrl` below says the same under a name that does not change.
    api.node.tryRemoveChild('Endpoint');
    addGatewayResponses(api);
    acknowledgeFindings(api);

    const environment: Record<EndpointSetting, string> = {
      DOMAIN_ACTIVATION: settings.domainActivation,
      DOMAIN_TARGET: domainTarget,
      MAX_LINKS_PER_IMPORT: String(settings.maxLinksPerImport),
      SHORT_URL_ORIGIN: settings.shortUrlOrigin,
    };
    const throttled: ThrottlingPerMethod[] = [];
    const throttles = throttlesOf(settings);
    for (const route of routes) {
      const handler = new TableFunction(this, route.name, {
        settings,
        kind: 'endpoint',
        table,
        code: bundleOf(route.name),
        description: `${route.method} ${route.path}`,
        tableActions: route.tableActions,
        queriesIndex: route.queriesIndex ?? false,
        environment: {
          PERMISSION: route.permission,
          ...Object.fromEntries(route.environment.map((name) => [name, environment[name]])),
        },
        ...(route.memorySize && { memorySize: route.memorySize }),
      });
      const method = api.root
        .resourceForPath(route.path)
        .addMethod(route.method, new LambdaIntegration(handler, { allowTestInvoke: false }), {
          authorizer,
          authorizationType: AuthorizationType.CUSTOM,
          // The usage plan counts nothing else. The authorizer names the key: a client sends none.
          apiKeyRequired: true,
        });
      if (route.throttled) throttled.push({ method, throttle: throttles[route.throttled] });
    }

    const plan = api.addUsagePlan('workspace-plan', {
      description: `What a workspace may send; AWS enforces it as best it can, and the table exactly that bulk requests are ${bulkRequests.quota} a minute`,
      throttle: throttles.all,
    });
    plan.addApiStage({ stage: api.deploymentStage, throttle: throttled });

    new CfnOutput(this, 'ApiUrl', { value: api.url, description: 'What comes before api/v1/' });
    new CfnOutput(this, 'UsagePlanId', { value: plan.usagePlanId, description: 'Where a workspace gets its gateway key' });
  }
}

/** What a workspace may send: of everything, and of what has a limit of its own. */
function throttlesOf({ requestRate, requestBurst }: StageSettings) {
  return {
    all: { rateLimit: requestRate, burstLimit: requestBurst },
    list: { rateLimit: requestRate / 10, burstLimit: Math.max(1, Math.floor(requestBurst / 10)) },
    bulk: { rateLimit: bulkRequests.quota / bulkRequests.windowSeconds, burstLimit: bulkRequests.quota },
  };
}

/** Findings of cdk-nag that are as they are meant to be; docs/decisions.md says more. */
function acknowledgeFindings(api: RestApi): void {
  const account = 'needs a role that is one setting of the whole account and region, not of this service';
  Validations.of(api).acknowledge(
    { id: 'AwsSolutions-APIG1', reason: `Access logging ${account}; each function logs its requests` },
    {
      id: 'AwsSolutions-APIG2',
      reason: 'The functions validate, and say each broken rule; the gateway would say one, in its words',
    },
    {
      id: 'AwsSolutions-APIG3',
      reason: 'A web ACL is billed by the month and its rules are for the operator to choose: it can be joined to the stage',
    },
    { id: 'AwsSolutions-APIG6', reason: `Execution logging ${account}, and it would log what callers send` },
    {
      id: 'AwsSolutions-COG4',
      reason: 'Callers are programs with API keys, which the authorizer of each method checks; there are no users',
    },
  );
}
