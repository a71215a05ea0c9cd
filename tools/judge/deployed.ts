import {
  APIGatewayClient,
  CreateUsagePlanCommand,
  GetApiKeysCommand,
  GetGatewayResponsesCommand,
  GetResourcesCommand,
  GetUsagePlanCommand,
} from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { DescribeTableCommand, DescribeTimeToLiveCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetEventSourceMappingCommand, GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type Emulator, region } from './emulator.ts';
import type { Trials } from './steps.ts';
import type { Template } from './templates.ts';

// biome-ignore lint/suspicious/noExplicitAny: templates and responses of emulators have no types.
type Json = any;

const clientOf = ({ url }: Emulator) => ({
  endpoint: url,
  region,
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
});

const typeOf = (template: Template, type: string) =>
  Object.entries(template.Resources).filter(([, resource]) => resource.Type === type) as [string, { Properties: Json }][];

/** Asserts that what was deployed matches the template. @throws Error that names the difference. */
function expectSame(name: string, found: unknown, expected: unknown): void {
  const [is, should] = [found, expected].map((value) => JSON.stringify(sorted(value)));
  if (is !== should) throw new Error(`${name}: ${cut(is)} instead of ${cut(should)}`);
}

const cut = (text = 'nothing') => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

/** The value with sorted keys of objects, without undefined ones. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sorted(one)]));
}

/** The names that the emulator gave to the resources of a stack, by their ids in the template. */
export async function physicalNames(emulator: Emulator, stack: string): Promise<Record<string, string>> {
  const client = new CloudFormationClient(clientOf(emulator));
  const names: Record<string, string> = {};
  let NextToken: string | undefined;
  do {
    const page: Json = await client.send(new ListStackResourcesCommand({ StackName: stack, NextToken }));
    for (const { LogicalResourceId, PhysicalResourceId, ResourceStatus } of page.StackResourceSummaries ?? [])
      if (ResourceStatus === 'CREATE_COMPLETE') names[LogicalResourceId] = PhysicalResourceId;
    NextToken = page.NextToken;
  } while (NextToken);
  return names;
}

/** The outputs of a stack, by name. */
export async function outputsOf(emulator: Emulator, stack: string): Promise<Record<string, string>> {
  const client = new CloudFormationClient(clientOf(emulator));
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stack }));
  return Object.fromEntries((Stacks?.[0]?.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
}

/**
 * Creates a stack with one resource, and deletes it.
 *
 * @throws Error if the emulator refuses the resource or does not make it.
 */
export async function tryResource(
  emulator: Emulator,
  resource: { readonly Type: string; readonly Properties: object },
): Promise<void> {
  const client = new CloudFormationClient(clientOf(emulator));
  const StackName = `judge-${resource.Type.replaceAll(':', '')}`;
  await client.send(new CreateStackCommand({ StackName, TemplateBody: JSON.stringify({ Resources: { probe: resource } }) }));
  const { probe } = await physicalNames(emulator, StackName);
  await client.send(new DeleteStackCommand({ StackName }));
  if (probe === undefined) throw new Error('it is not created');
}

/** Makes the usage plan of a template without CloudFormation. @returns its id. */
export async function makeUsagePlan(emulator: Emulator, template: Template): Promise<string | undefined> {
  const client = new APIGatewayClient(clientOf(emulator));
  const [[, { Properties: plan }] = ['', { Properties: {} as Json }]] = typeOf(template, 'AWS::ApiGateway::UsagePlan');
  const throttle = { burstLimit: plan.Throttle?.BurstLimit, rateLimit: plan.Throttle?.RateLimit };
  return (await client.send(new CreateUsagePlanCommand({ name: plan.UsagePlanName ?? 'judge', throttle }))).id;
}

/** The values of the gateway's keys. */
export async function gatewayKeysOf(emulator: Emulator): Promise<readonly string[]> {
  const client = new APIGatewayClient(clientOf(emulator));
  const { items = [] } = await client.send(new GetApiKeysCommand({ includeValues: true, limit: 500 }));
  return items.map(({ value = '' }) => value);
}

/** Checks that the tables have the keys, indexes, streams and expiry of the template. */
export async function checkTables({ step }: Trials, emulator: Emulator, template: Template, names: Record<string, string>) {
  const client = new DynamoDBClient(clientOf(emulator));
  const tables = [...typeOf(template, 'AWS::DynamoDB::GlobalTable'), ...typeOf(template, 'AWS::DynamoDB::Table')];
  await step('tables', async () => {
    for (const [id, { Properties: wanted }] of tables) {
      const { Table: table } = await client.send(new DescribeTableCommand({ TableName: names[id] }));
      const keysOf = (keys: Json) => keys?.map(({ AttributeName, KeyType }: Json) => [AttributeName, KeyType]);
      const indexesOf = (indexes: Json) =>
        indexes?.map(({ IndexName, KeySchema, Projection }: Json) => [IndexName, keysOf(KeySchema), Projection?.ProjectionType]);
      expectSame(`keys of ${id}`, keysOf(table?.KeySchema), keysOf(wanted.KeySchema));
      expectSame(`indexes of ${id}`, indexesOf(table?.GlobalSecondaryIndexes), indexesOf(wanted.GlobalSecondaryIndexes));
      expectSame(`stream of ${id}`, table?.StreamSpecification?.StreamViewType, wanted.StreamSpecification.StreamViewType);
      expectSame(`billing of ${id}`, table?.BillingModeSummary?.BillingMode, wanted.BillingMode);
    }
    return `${tables.length} tables: keys, indexes, streams, billing`;
  });
  await step('expiry', async () => {
    for (const [id, { Properties: wanted }] of tables) {
      const { TimeToLiveDescription: expiry } = await client.send(new DescribeTimeToLiveCommand({ TableName: names[id] }));
      expectSame(`expiry of ${id}`, expiry?.AttributeName, wanted.TimeToLiveSpecification.AttributeName);
    }
    return undefined;
  });
}

/** Checks that the REST API has the methods, responses and limits of the template. */
export async function checkApi({ step }: Trials, emulator: Emulator, template: Template, names: Record<string, string>) {
  const client = new APIGatewayClient(clientOf(emulator));
  const [apiName = ''] = typeOf(template, 'AWS::ApiGateway::RestApi').map(([id]) => id);
  const restApiId = names[apiName];
  await step('methods', async () => {
    const paths = Object.fromEntries(typeOf(template, 'AWS::ApiGateway::Resource'));
    const pathOf = (reference: Json): string => {
      const { ParentId, PathPart } = paths[reference?.Ref]?.Properties ?? {};
      return PathPart === undefined ? '' : `${pathOf(ParentId)}/${PathPart}`;
    };
    const line = (path: string, method: Json) =>
      [method.httpMethod, path || '/', method.authorizationType, method.apiKeyRequired ? 'with a key' : 'without a key'].join(
        ' ',
      );
    const wanted = typeOf(template, 'AWS::ApiGateway::Method').map(([, { Properties: method }]) =>
      line(pathOf(method.ResourceId), {
        httpMethod: method.HttpMethod,
        authorizationType: method.AuthorizationType,
        apiKeyRequired: method.ApiKeyRequired,
      }),
    );
    const found: string[] = [];
    let position: string | undefined;
    do {
      const page: Json = await client.send(new GetResourcesCommand({ restApiId, embed: ['methods'], limit: 500, position }));
      for (const { path, resourceMethods } of page.items)
        for (const [httpMethod, method] of Object.entries<Json>(resourceMethods ?? {}))
          found.push(line(path, { ...method, httpMethod }));
      position = page.position;
    } while (position);
    const missing = wanted.filter((one) => !found.includes(one));
    if (missing.length > 0) throw new Error(`${missing.length} of ${wanted.length} are missing, such as ${missing[0]}`);
    return `${wanted.length} methods: path, verb, authorizer, key`;
  });
  await step('gateway responses', async () => {
    const { items = [] } = await client.send(new GetGatewayResponsesCommand({ restApiId, limit: 500 }));
    const wanted = typeOf(template, 'AWS::ApiGateway::GatewayResponse');
    if (wanted.length === 0) throw new Error('it has none');
    for (const [, { Properties: response }] of wanted) {
      const found = items.find(({ responseType }) => responseType === response.ResponseType);
      expectSame(`body of ${response.ResponseType}`, found?.responseTemplates, response.ResponseTemplates);
    }
    return `${wanted.length} responses: bodies`;
  });
  const [[id = '', { Properties: plan }] = ['', { Properties: {} as Json }]] = typeOf(template, 'AWS::ApiGateway::UsagePlan');
  const limits = (throttle: Json) =>
    throttle && { burst: throttle.BurstLimit ?? throttle.burstLimit, rate: throttle.RateLimit ?? throttle.rateLimit };
  const foundPlan = () => client.send(new GetUsagePlanCommand({ usagePlanId: names[id] }));
  await step('usage plan', async () => {
    expectSame('limits', limits((await foundPlan()).throttle), limits(plan.Throttle));
    return undefined;
  });
  await step('limits of methods', async () => {
    const methodsOf = (stage: Json) =>
      Object.entries<Json>(stage?.Throttle ?? stage?.throttle ?? {})
        .map(([method, throttle]) => [method, limits(throttle)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
    const wanted = methodsOf(plan.ApiStages?.[0]);
    expectSame('limits', methodsOf((await foundPlan()).apiStages?.[0]), wanted);
    return `${wanted.length} methods`;
  });
}

/** Checks that each function has the runtime, sizes and settings of the template, and each stream its readers. */
export async function checkFunctions({ step }: Trials, emulator: Emulator, template: Template, names: Record<string, string>) {
  const client = new LambdaClient(clientOf(emulator));
  const functions = typeOf(template, 'AWS::Lambda::Function');
  const readers = typeOf(template, 'AWS::Lambda::EventSourceMapping');
  await step('functions', async () => {
    for (const [id, { Properties: wanted }] of functions) {
      const found = await client.send(new GetFunctionConfigurationCommand({ FunctionName: names[id] }));
      for (const property of ['Runtime', 'MemorySize', 'Timeout', 'Handler'] as const)
        expectSame(`${property} of ${id}`, found[property], wanted[property]);
      const variablesOf = (environment: Json) => Object.keys(environment?.Variables ?? {}).sort();
      expectSame(`variables of ${id}`, variablesOf(found.Environment), variablesOf(wanted.Environment));
    }
    return `${functions.length} functions: runtime, memory, timeout, handler, names of variables`;
  });
  await step('architecture', async () => {
    for (const [id, { Properties: wanted }] of functions) {
      const { Architectures } = await client.send(new GetFunctionConfigurationCommand({ FunctionName: names[id] }));
      expectSame(`architecture of ${id}`, Architectures, wanted.Architectures);
    }
    return undefined;
  });
  await step('readers of streams', async () => {
    for (const [id, { Properties: wanted }] of readers) {
      const found = await client.send(new GetEventSourceMappingCommand({ UUID: names[id] }));
      for (const property of ['StartingPosition', 'BatchSize', 'MaximumBatchingWindowInSeconds', 'FilterCriteria'] as const)
        if (property in wanted) expectSame(`${property} of ${id}`, found[property], wanted[property]);
    }
    return `${readers.length} readers: position, batch, window of a batch, filters`;
  });
  await step('tumbling windows', async () => {
    const windowed = readers.filter(([, { Properties: wanted }]) => wanted.TumblingWindowInSeconds !== undefined);
    for (const [id, { Properties: wanted }] of windowed) {
      const { TumblingWindowInSeconds } = await client.send(new GetEventSourceMappingCommand({ UUID: names[id] }));
      expectSame(`TumblingWindowInSeconds of ${id}`, TumblingWindowInSeconds, wanted.TumblingWindowInSeconds);
    }
    return undefined;
  });
}
