import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  AuthorizationType,
  EndpointType,
  LambdaIntegration,
  type Method,
  RestApi,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { addGatewayResponses } from './gateway-responses.ts';
import { routes } from './routes.ts';
import type { Stage, StageSettings } from './stages.ts';
import { TableFunction } from './table-function.ts';

export type ApiStackProps = StackProps & {
  readonly stage: Stage['name'];
  readonly settings: StageSettings;
  readonly table: ITableV2;
  /** What workspaces point their domains at. */
  readonly domainTarget: string;
  /** From a function's name to the folder of its bundle. */
  readonly bundleOf: (name: string) => string;
};

/** The REST API: authorizer, one function an endpoint, and the usage plan that throttles bulk requests. */
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

    const throttled: Method[] = [];
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
          MAX_LINKS_PER_IMPORT: String(settings.maxLinksPerImport),
          SHORT_URL_ORIGIN: settings.shortUrlOrigin,
          ...(route.path.startsWith('/api/v1/domains') && {
            DOMAIN_TARGET: domainTarget,
            DOMAIN_ACTIVATION: settings.domainActivation,
          }),
        },
        ...(route.memorySize && { memorySize: route.memorySize }),
      });
      const method = api.root
        .resourceForPath(route.path)
        .addMethod(route.method, new LambdaIntegration(handler, { allowTestInvoke: false }), {
          authorizer,
          authorizationType: AuthorizationType.CUSTOM,
          // Only these are counted by the usage plan, so that a missing gateway key never stands in the way of the others.
          apiKeyRequired: route.throttled ?? false,
        });
      if (route.throttled) throttled.push(method);
    }

    const plan = api.addUsagePlan('bulk-plan', {
      description: 'At most 3 bulk requests a minute and workspace; AWS enforces it as best it can, the table exactly',
    });
    plan.addApiStage({
      stage: api.deploymentStage,
      throttle: throttled.map((method) => ({ method, throttle: { rateLimit: 0.05, burstLimit: 3 } })),
    });

    new CfnOutput(this, 'ApiUrl', { value: api.url, description: 'What comes before api/v1/' });
    new CfnOutput(this, 'UsagePlanId', { value: plan.usagePlanId, description: 'Where a workspace gets its gateway key' });
  }
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
