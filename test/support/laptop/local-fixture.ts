import { join } from 'node:path';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  ApiKeySourceType,
  LambdaIntegration,
  type MethodOptions,
  ResponseType,
  RestApi,
  TokenAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AttributeType, ProjectionType, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { Code, type EventSourceMappingOptions, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, type DynamoEventSourceProps, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { startService } from '../../../local/service.ts';
import { withValidation } from '../stacks/with-validation.ts';

/** A test's changes of the app. */
export type FixtureOptions = {
  /** The streams' consumers: by the file to which each writes what it receives, its mapping, and which table it reads. */
  readonly consumers?: Readonly<
    Record<string, Partial<DynamoEventSourceProps & EventSourceMappingOptions> & { readonly reads?: 'table' | 'other' }>
  >;
  readonly binaryMediaTypes?: string[];
  readonly sortKey?: string;
  readonly indexes?: readonly string[];
  /** Changes the stacks before synthesis, for what the constructs do not allow. */
  readonly change?: (stacks: { data: Stack; api: Stack; events: Stack }) => void;
};

/** The event that the fixture's `echo` returns. */
export async function eventIn(response: Response) {
  const { event } = (await response.json()) as { event: APIGatewayProxyEvent };
  return {
    ...event,
    requestContext: event.requestContext as Omit<typeof event.requestContext, 'authorizer'> & { authorizer?: Strings },
  };
}
type Strings = Record<string, string>;

/**
 * Synthesises a small app with resources of every type that the local host runs, but nothing of the product.
 *
 * @returns the `cdk.out` folder.
 */
export function synthFixture(outdir: string, options: FixtureOptions = {}): string {
  const app = new App({ outdir, context: { '@aws-cdk/core:newStyleStackSynthesis': true } });
  const data = new Stack(app, 'Fixture-Data');
  const api = new Stack(app, 'Fixture-Api');
  const events = new Stack(app, 'Fixture-Events');

  const table = new TableV2(data, 'table', {
    partitionKey: { name: 'who', type: AttributeType.STRING },
    sortKey: { name: options.sortKey ?? 'when', type: AttributeType.NUMBER },
    globalSecondaryIndexes: (options.indexes ?? ['by-colour']).map((indexName) => ({
      indexName,
      partitionKey: { name: 'colour', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    })),
    dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    timeToLiveAttribute: 'until',
  });
  const other = new TableV2(data, 'other', {
    partitionKey: { name: 'who', type: AttributeType.STRING },
    sortKey: { name: 'when', type: AttributeType.NUMBER },
    dynamoStream: StreamViewType.NEW_IMAGE,
    timeToLiveAttribute: 'end',
  });
  new CfnOutput(data, 'OtherTableName', { value: other.tableName });
  new CfnOutput(data, 'TableName', { value: table.tableName, exportName: 'fixture-table-name' });

  const newFunction = (
    stack: Stack,
    name: string,
    exported: string,
    environment: Record<string, string> = {},
    timeout = Duration.seconds(2),
  ) =>
    new LambdaFunction(stack, name, {
      code: Code.fromAsset(join(import.meta.dirname, 'local-handlers')),
      handler: `index.${exported}`,
      runtime: Runtime.NODEJS_24_X,
      timeout,
      memorySize: 128,
      environment: { TABLE_NAME: table.tableName, ...environment },
    });

  addApi(api, newFunction, options);
  newFunction(api, 'patient', 'behave', {}, Duration.minutes(1));
  new HttpApi(api, 'http', { defaultIntegration: new HttpLambdaIntegration('visitor', newFunction(api, 'visitor', 'visitor')) });

  for (const [file, { reads, ...mapping }] of Object.entries(options.consumers ?? {})) {
    const name = file.split('/').at(-1) ?? file;
    newFunction(events, name, 'consume', { WRITTEN_DOWN: file }).addEventSource(
      new DynamoEventSource(reads === 'other' ? other : table, {
        startingPosition: 'TRIM_HORIZON' as DynamoEventSourceProps['startingPosition'],
        reportBatchItemFailures: true,
        onFailure: new SqsDlq(new Queue(events, `${name}-failed`)),
        ...mapping,
      }),
    );
  }
  new Rule(events, 'rule', {
    schedule: Schedule.rate(Duration.minutes(5)),
    targets: [new FunctionTarget(newFunction(events, 'scheduled', 'echo'))],
  });
  options.change?.({ data, api, events });
  withValidation(false, () => app.synth());
  return outdir;
}

function addApi(
  stack: Stack,
  newFunction: (stack: Stack, name: string, exported: string) => LambdaFunction,
  options: FixtureOptions,
) {
  const api = new RestApi(stack, 'api', {
    apiKeySourceType: ApiKeySourceType.AUTHORIZER,
    deployOptions: { stageName: 'try', variables: { flavour: 'mild' } },
    ...(options.binaryMediaTypes && { binaryMediaTypes: options.binaryMediaTypes }),
  });
  const authorizer = new TokenAuthorizer(stack, 'authorizer', {
    handler: newFunction(stack, 'authorize', 'authorize'),
    validationRegex: '^Token [a-z]+(-\\w+)?$',
    resultsCacheTtl: Duration.seconds(1),
  });
  const guarded: MethodOptions = { authorizer };
  const echo = newFunction(stack, 'echo', 'echo');
  const behave = newFunction(stack, 'behave', 'behave');
  newFunction(stack, 'environment', 'environment');

  api.root.resourceForPath('/open').addMethod('ANY', new LambdaIntegration(echo));
  api.root.resourceForPath('/things').addMethod('GET', new LambdaIntegration(echo), guarded);
  api.root.resourceForPath('/things/fixed').addMethod('GET', new LambdaIntegration(echo));
  api.root.resourceForPath('/things/{id}').addMethod('GET', new LambdaIntegration(echo), guarded);
  api.root.resourceForPath('/things/{id}').addMethod('DELETE', new LambdaIntegration(echo), guarded);
  api.root.resourceForPath('/open/{id}/parts/{part}').addMethod('GET', new LambdaIntegration(echo));
  api.root.resourceForPath('/files/{path+}').addMethod('GET', new LambdaIntegration(echo));
  api.root.resourceForPath('/behave').addMethod('POST', new LambdaIntegration(behave));
  api.root.resourceForPath('/guarded').addMethod('POST', new LambdaIntegration(behave), guarded);
  api.root.resourceForPath('/impatient').addMethod('POST', new LambdaIntegration(behave, { timeout: Duration.millis(200) }));
  const limited = api.root.resourceForPath('/limited').addMethod('POST', new LambdaIntegration(echo), {
    ...guarded,
    apiKeyRequired: true,
  });
  const plan = api.addUsagePlan('plan');
  plan.addApiStage({
    stage: api.deploymentStage,
    throttle: [{ method: limited, throttle: { rateLimit: 0.001, burstLimit: 3 } }],
  });

  api.addGatewayResponse('unauthorized', {
    type: ResponseType.UNAUTHORIZED,
    statusCode: '418',
    responseHeaders: { 'Content-Type': "'text/x-own'", 'X-Request': 'context.requestId' },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: one of the two forms of the gateway's variables.
    templates: { 'application/json': '$context.error.responseType ${context.requestId}, $context.nothing$context.path.' },
  });
  api.addGatewayResponse('default', {
    type: ResponseType.DEFAULT_5XX,
    templates: { 'application/json': '{"own":$context.error.messageString}' },
  });
}

/** Starts the fixture on its own port. The caller must stop it. */
export async function startFixture(outdir: string, options: Partial<Parameters<typeof startService>[0]> = {}) {
  const lines: string[] = [];
  const service = await startService({ outdir, inMemory: true, log: (line) => lines.push(line), ...options });
  const send = (path: string, { headers, ...init }: RequestInit & { token?: string } = {}) =>
    fetch(service.baseUrl + path, { ...init, headers: { ...headers, ...(init.token && { Authorization: init.token }) } });
  return { ...service, tableName: service.output('TableName'), lines, port: Number(new URL(service.baseUrl).port), send };
}
