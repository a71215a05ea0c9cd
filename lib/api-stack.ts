import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
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
import type { StageName, StageSettings } from './stages.ts';
import { TableFunction } from './table-function.ts';

export type ApiStackProps = StackProps & {
  readonly stage: StageName;
  readonly settings: StageSettings;
  readonly table: ITableV2;
  /** From a function's name to the folder of its bundle. */
  readonly bundleOf: (name: string) => string;
};

/** The REST API: authorizer, one function an endpoint, and the usage plan that throttles bulk requests. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, { stage, settings, table, bundleOf, ...props }: ApiStackProps) {
    super(scope, id, props);

    const authorizer = new TokenAuthorizer(this, 'authorizer', {
      handler: new TableFunction(this, 'authorize', {
        settings,
        table,
        code: bundleOf('authorize'),
        description: 'Turns a bearer key into its workspace and permissions',
        tableActions: ['dynamodb:GetItem'],
        leadingKeys: ['KEY#*'],
      }),
      // The key's shape: what does not have it is refused by the gateway, with no function run. RFC 7235: the scheme's case is free.
      validationRegex: '^[Bb][Ee][Aa][Rr][Ee][Rr] +lk_[0-9A-Za-z]{36}$',
      resultsCacheTtl: Duration.seconds(60),
    });

    const api = new RestApi(this, 'api', {
      restApiName: `links-${stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      // The authorizer names the workspace's gateway key, which is what the usage plan counts by.
      apiKeySourceType: ApiKeySourceType.AUTHORIZER,
      cloudWatchRole: false,
      deployOptions: { stageName: stage, tracingEnabled: true },
    });
    addGatewayResponses(api);

    const throttled: Method[] = [];
    for (const route of routes) {
      const handler = new TableFunction(this, route.name, {
        settings,
        table,
        code: bundleOf(route.name),
        description: `${route.method} ${route.path}`,
        tableActions: route.tableActions,
        environment: {
          PERMISSION: route.permission,
          MAX_LINKS_PER_IMPORT: String(settings.maxLinksPerImport),
          SHORT_URL_ORIGIN: settings.shortUrlOrigin,
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

    new CfnOutput(this, 'ApiUrl', { value: api.url });
    new CfnOutput(this, 'UsagePlanId', { value: plan.usagePlanId });
  }
}
