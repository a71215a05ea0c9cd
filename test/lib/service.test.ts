import { GatewayResponseType } from '@aws-sdk/client-api-gateway';
import { Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../lambdas/core/errors.ts';
import { bulkChanges, bulkRequests, liftedImports, metadataRequests, type RateLimit } from '../../lambdas/core/limits.ts';
import { problems } from '../../lambdas/http/problems.ts';
import { routes, waysTo } from '../../lib/endpoints.ts';
import { localStage, type Stage } from '../../lib/stages/stages.ts';
import { everySetting } from '../../tools/judge/every-setting.ts';
import { tableIn } from '../support/stacks/policies.ts';
import { stacksOf } from '../support/stacks/stacks.ts';
import { ownStage, ownStageNames } from '../support/stacks/stages.ts';

let dev: ReturnType<typeof stacksOf>;
beforeAll(() => {
  dev = stacksOf(ownStage('dev'));
});

describe('The tables', () => {
  const [links, activity] = ['^links', '^activity'].map((id) => ({ Ref: Match.stringLikeRegexp(id) }));

  test('Both tables have the same keys and a time to live, and are billed by request.', () => {
    dev.data.resourceCountIs('AWS::DynamoDB::GlobalTable', 2);
    dev.data.allResourcesProperties('AWS::DynamoDB::GlobalTable', {
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
    dev.data.hasOutput('TableName', { Value: links });
    dev.data.hasOutput('ActivityTableName', { Value: activity });
  });

  test('Each table has one index of only keys; the stream of Links has both images, and that of Activity only new ones.', () => {
    const tables = Object.entries(dev.data.findResources('AWS::DynamoDB::GlobalTable')).map(([id, { Properties }]) => ({
      id: id.slice(0, -8),
      indexes: Properties.GlobalSecondaryIndexes,
      stream: Properties.StreamSpecification.StreamViewType,
    }));
    const indexes = [expect.objectContaining({ IndexName: 'gsi1', Projection: { ProjectionType: 'KEYS_ONLY' } })];
    expect(tables).toEqual([
      { id: 'links', indexes, stream: 'NEW_AND_OLD_IMAGES' },
      { id: 'activity', indexes, stream: 'NEW_IMAGE' },
    ]);
  });
});

test('Warm throughput of the tables and their indexes is a setting of the stage, and off by default.', () => {
  const warmthIn = ({ data }: ReturnType<typeof stacksOf>) =>
    Object.values(data.findResources('AWS::DynamoDB::GlobalTable')).map(({ Properties }) => [
      Properties.WarmThroughput,
      Properties.GlobalSecondaryIndexes[0].WarmThroughput,
    ]);
  expect(warmthIn(dev)).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
  const warmThroughput = {
    Links: { readUnitsPerSecond: 40_000, writeUnitsPerSecond: 8_000 },
    Activity: { readUnitsPerSecond: 12_000, index: { writeUnitsPerSecond: 9_000 } },
  };
  expect(warmthIn(stacksOf(ownStage('dev', { warmThroughput })))).toEqual([
    [{ ReadUnitsPerSecond: 40_000, WriteUnitsPerSecond: 8_000 }, undefined],
    [{ ReadUnitsPerSecond: 12_000 }, { WriteUnitsPerSecond: 9_000 }],
  ]);
});

/** The methods of endpoints; the others show the reference of the API, or call it. */
const endpointMethods = () =>
  Object.values(dev.api.findResources('AWS::ApiGateway::Method'))
    .map(({ Properties }) => Properties)
    .filter(({ Integration }) => !/"(site|mcp)[0-9A-F]{8}"/.test(JSON.stringify(Integration)));

describe('An endpoint', () => {
  test('Each endpoint is one function with its permissions in the environment, and each file has its endpoint.', () => {
    const functions = Object.values(dev.api.findResources('AWS::Lambda::Function')).map(({ Properties }) => ({
      description: Properties.Description,
      permission: Properties.Environment?.Variables?.PERMISSION,
    }));
    for (const { method, path, permission, alsoNeeds } of routes) {
      // An endpoint without permissions has the setting too: a function without it lets nobody in.
      const needed = [permission, alsoNeeds].filter(Boolean).join(' ');
      expect(functions).toContainEqual({ description: `${method} ${path}`, permission: needed });
    }
    // The authorizer, what serves the console and the reference of the API, and the Model Context Protocol.
    expect(functions).toHaveLength(routes.length + 3);
    expect(endpointMethods()).toHaveLength(routes.flatMap(waysTo).length);
  });

  test('Each endpoint is behind the authorizer, which checks the format of a key first and is cached for 60 seconds.', () => {
    for (const method of endpointMethods()) {
      expect(method).toMatchObject({ AuthorizationType: 'CUSTOM', AuthorizerId: expect.anything() });
    }
    dev.api.hasResourceProperties('AWS::ApiGateway::Authorizer', {
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
      IdentityValidationExpression: '^[Bb][Ee][Aa][Rr][Ee][Rr] +lk_[0-9A-Za-z]{36}$',
      AuthorizerResultTtlInSeconds: 60,
    });
  });
});

test('The usage plans limit each workspace to 100 requests and 10 of each costly request a second, and to its quotas of bulk requests, which one plan lifts.', () => {
  dev.api.hasResourceProperties('AWS::ApiGateway::RestApi', { ApiKeySourceType: 'AUTHORIZER' });
  const throttle = ({ quota, windowSeconds }: RateLimit) => ({ RateLimit: quota / windowSeconds, BurstLimit: quota });
  const [costly, changes] = [{ RateLimit: 10, BurstLimit: 100 }, throttle(bulkChanges)];
  const costlyMethods = [
    'links/GET',
    'links/{id}/stats/GET',
    'domains/{domain}/PATCH',
    'domains/{domain}/DELETE',
    'domains/{domain}/verify/POST',
  ];
  const plans = Object.values(dev.api.findResources('AWS::ApiGateway::UsagePlan')).map(({ Properties }) => Properties);
  const planWith = (imports: RateLimit) => ({
    Throttle: { RateLimit: 100, BurstLimit: 1_000 },
    ApiStages: [
      {
        Throttle: {
          ...Object.fromEntries(costlyMethods.map((method) => [`/api/v1/${method}`, costly])),
          '/api/v1/links/bulk/POST': throttle(imports),
          '/api/v1/links/bulk/PATCH': changes,
          '/api/v1/links/bulk/DELETE': changes,
          '/api/v1/links/bulk-delete/POST': changes,
          '/api/v1/metadata/GET': throttle(metadataRequests),
        },
      },
    ],
  });
  expect(plans).toMatchObject([planWith(bulkRequests), planWith({ ...bulkRequests, quota: liftedImports.perMinute })]);
  // They differ in nothing else.
  const others = plans.map(({ ApiStages: [{ Throttle }] }) => ({ ...Throttle, '/api/v1/links/bulk/POST': undefined }));
  expect(others[1]).toEqual(others[0]);
  // A method that needs no key counts towards no workspace's limit.
  for (const { ApiKeyRequired, HttpMethod } of endpointMethods()) expect(ApiKeyRequired, HttpMethod).toBe(true);
});

test('The rate limit of a workspace is a setting of the stage, and costly requests get a tenth of it, at least one.', () => {
  const planOf = (requestRate: number, requestBurst: number) => {
    const { api } = stacksOf(ownStage('dev', { requestRate, requestBurst }));
    const [plan] = Object.values(api.findResources('AWS::ApiGateway::UsagePlan'));
    return [plan?.Properties.Throttle, plan?.Properties.ApiStages[0].Throttle['/api/v1/links/GET']];
  };
  expect(planOf(500, 2_000)).toEqual([
    { RateLimit: 500, BurstLimit: 2_000 },
    { RateLimit: 50, BurstLimit: 200 },
  ]);
  expect(planOf(5, 4)).toEqual([
    { RateLimit: 5, BurstLimit: 4 },
    { RateLimit: 0.5, BurstLimit: 1 },
  ]);
});

test("The limits of bulk requests are the same in the table and in the gateway's response, and have one window.", () => {
  const { quota, windowSeconds } = bulkRequests;
  expect([bulkChanges.windowSeconds, metadataRequests.windowSeconds]).toEqual([windowSeconds, windowSeconds]);
  const throttled = dev.api.findResources('AWS::ApiGateway::GatewayResponse', { Properties: { ResponseType: 'THROTTLED' } });
  const [{ Properties: { ResponseParameters = {}, ResponseTemplates = {} } = {} } = {}] = Object.values(throttled);
  expect(ResponseParameters).toMatchObject({ 'gatewayresponse.header.Retry-After': `'${windowSeconds}'` });
  const { detail } = JSON.parse(ResponseTemplates['application/json']);
  expect(detail).toContain(
    `In any ${windowSeconds} seconds, a workspace may send ${quota} imports unless the operator allows more, ${bulkChanges.quota} bulk updates and deletions, and ${metadataRequests.quota} requests for metadata`,
  );
  // The response is the same for every limit of the plan, so it has no header that is true of only one.
  expect(Object.keys(ResponseParameters).filter((name) => /RateLimit/.test(name))).toEqual([]);
});

test('Every response of the gateway itself is a problem document with a code that the functions know.', () => {
  const responses = Object.values(dev.api.findResources('AWS::ApiGateway::GatewayResponse')).map(({ Properties }) => Properties);
  for (const { StatusCode, ResponseParameters, ResponseTemplates, ResponseType } of responses) {
    const { code, title, status, type, requestId } = JSON.parse(ResponseTemplates['application/json']);
    expect(problems, ResponseType).toHaveProperty(code, { status: Number(StatusCode), title });
    expect([type, status, requestId]).toEqual([`urn:problem:links:${code}`, Number(StatusCode), '$context.requestId']);
    expect(ResponseParameters).toMatchObject({ 'gatewayresponse.header.Content-Type': "'application/problem+json'" });
  }
});

test("Each type of gateway response, by the SDK's list, has its code.", () => {
  const responses = Object.values(dev.api.findResources('AWS::ApiGateway::GatewayResponse')).map(({ Properties }) => Properties);
  const codes = responses.map(({ ResponseType, ResponseTemplates }) => [
    ResponseType,
    JSON.parse(ResponseTemplates['application/json']).code,
  ]);
  const expected: Record<GatewayResponseType, ErrorCode> = {
    ACCESS_DENIED: 'forbidden',
    API_CONFIGURATION_ERROR: 'temporarily_unavailable',
    AUTHORIZER_CONFIGURATION_ERROR: 'temporarily_unavailable',
    AUTHORIZER_FAILURE: 'temporarily_unavailable',
    BAD_REQUEST_BODY: 'bad_request',
    BAD_REQUEST_PARAMETERS: 'bad_request',
    DEFAULT_4XX: 'not_found',
    DEFAULT_5XX: 'temporarily_unavailable',
    EXPIRED_TOKEN: 'not_found',
    INTEGRATION_FAILURE: 'temporarily_unavailable',
    INTEGRATION_TIMEOUT: 'temporarily_unavailable',
    INVALID_API_KEY: 'temporarily_unavailable',
    INVALID_SIGNATURE: 'not_found',
    MISSING_AUTHENTICATION_TOKEN: 'not_found',
    QUOTA_EXCEEDED: 'rate_limited',
    REQUEST_TOO_LARGE: 'request_too_large',
    RESOURCE_NOT_FOUND: 'not_found',
    THROTTLED: 'rate_limited',
    UNAUTHORIZED: 'unauthorized',
    UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
    WAF_FILTERED: 'forbidden',
  };
  // If AWS adds a type, it comes with the SDK and is missing here.
  expect(Object.keys(expected).sort()).toEqual(Object.values(GatewayResponseType).sort());
  expect(Object.fromEntries(codes)).toEqual(expected);
  expect(codes).toHaveLength(Object.keys(expected).length);
});

test('The sweep of a deleted tag, or of erased clicks, is retried five times and then reported to a queue, and stalled ones are restarted each hour.', () => {
  dev.events.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    FunctionName: { Ref: Match.stringLikeRegexp('^sweep') },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    MaximumRetryAttempts: 5,
    DestinationConfig: { OnFailure: Match.anyValue() },
  });
  dev.events.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'rate(1 hour)',
    Targets: [{ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^restartsweeps'), 'Arn'] } }],
  });
});

test('Each stream has two readers: Links for sweeps and for changes, Activity for counting and for webhooks. Each gets nothing else.', () => {
  const all = Object.values(dev.events.findResources('AWS::Lambda::EventSourceMapping')).map(({ Properties }) => Properties);
  // The queue of clicks has a reader, too.
  const mappings = all.filter(({ StartingPosition }) => StartingPosition);
  const readers = mappings.map(({ EventSourceArn, FunctionName, FilterCriteria: { Filters } }) => [
    tableIn(EventSourceArn),
    FunctionName.Ref.slice(0, -8),
    ...Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern).dynamodb.Keys),
  ]);
  expect(readers.sort()).toEqual([
    ['Activity', 'countclicks', { pk: { S: [{ prefix: 'CLICK#' }] } }],
    ['Activity', 'createdeliveries', { pk: { S: [{ prefix: 'CLICK#' }] } }, { sk: { S: [{ prefix: 'WAKE#' }] } }],
    [
      'Links',
      'recordchanges',
      { sk: { S: ['LINK', 'KEY', { prefix: 'MEMBER#' }] } },
      { sk: { S: ['DOMAIN', { prefix: 'TAG#' }, { prefix: 'TEMPLATE#' }] } },
    ],
    ['Links', 'sweep', { sk: { S: ['SWEEP'] } }],
  ]);
  for (const template of [dev.data, dev.api]) template.resourceCountIs('AWS::Lambda::EventSourceMapping', 0);
});

test.for<[string, Stage]>([
  ...ownStageNames.map((name): [string, Stage] => [name, ownStage(name)]),
  ['local', localStage(3000)],
  ['dev, with all settings,', ownStage('dev', everySetting)],
])('No stream of the stage %s has more than two readers.', ([, stage]) => {
  const read = stacksOf(stage)
    .all.flatMap((template) => Object.values(template.findResources('AWS::Lambda::EventSourceMapping')))
    .filter(({ Properties }) => Properties.StartingPosition)
    .map(({ Properties }) => JSON.stringify(Properties.EventSourceArn));
  const readers = [...Map.groupBy(read, (stream) => stream).values()].map(({ length }) => length);
  expect(readers).toHaveLength(2);
  expect(Math.max(...readers)).toBeLessThanOrEqual(2);
});

test('Changes are recorded in batches, without a limit of retries; of new items, only links are recorded.', () => {
  const mappings = dev.events.findResources('AWS::Lambda::EventSourceMapping', {
    Properties: { FunctionName: { Ref: Match.stringLikeRegexp('^recordchanges') } },
  });
  const { Properties = {} } = Object.values(mappings)[0] ?? {};
  const names = Properties.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern).eventName);
  expect(names).toEqual([['INSERT', 'MODIFY'], ['MODIFY']]);
  expect(Properties).toMatchObject({
    BatchSize: 50,
    MaximumBatchingWindowInSeconds: 2,
    ParallelizationFactor: 1,
    StartingPosition: 'TRIM_HORIZON',
    MaximumRetryAttempts: -1,
  });
  expect(Properties).not.toHaveProperty('MaximumRecordAgeInSeconds');
});

test('Only the reference of the API and the console can be read without a key, and only on stages that have them.', () => {
  const publicIn = (docs: boolean, console: boolean) => {
    const { api } = stacksOf(ownStage('dev', { docs, console }));
    const methods = Object.values(api.findResources('AWS::ApiGateway::Method', { Properties: { AuthorizationType: 'NONE' } }));
    return methods.map(({ Properties }) => [
      Properties.HttpMethod,
      // The root has no resource of its own.
      api.toJSON().Resources[Properties.ResourceId.Ref]?.Properties.PathPart ?? '/',
    ]);
  };
  const reference = [
    ['GET', 'docs'],
    ['GET', 'openapi.json'],
    ['GET', 'scalar.js'],
  ];
  const shown = [
    ['GET', '/'],
    ['GET', 'console'],
    ['GET', '{proxy+}'],
  ];
  expect(publicIn(true, false).toSorted()).toEqual(reference);
  expect(publicIn(false, true).toSorted()).toEqual(shown);
  expect(publicIn(true, true).toSorted()).toEqual([...reference, ...shown].toSorted());
  expect(publicIn(false, false)).toEqual([]);
});

test('A batch that becomes too many deliveries for one run is halved and retried, as often as that takes.', () => {
  for (const reader of ['recordchanges', 'createdeliveries']) {
    dev.events.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: Match.stringLikeRegexp(`^${reader}`) },
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: -1,
    });
  }
});

test('Without a history, the function that records changes gets only links, for webhooks, and cannot write the history.', () => {
  const { events } = stacksOf(ownStage('dev', { historyDays: 0 }));
  const mappings = events.findResources('AWS::Lambda::EventSourceMapping', {
    Properties: { FunctionName: { Ref: Match.stringLikeRegexp('^recordchanges') } },
  });
  const filters = Object.values(mappings).flatMap(({ Properties }) => Properties.FilterCriteria.Filters);
  expect(filters.map(({ Pattern }) => JSON.parse(Pattern).dynamodb.Keys)).toEqual([{ sk: { S: ['LINK'] } }]);
  expect(JSON.stringify(events.toJSON())).not.toContain('HISTORY#');
});

test('Clicks are counted from events that name their shard, one batch per shard at a time, without a limit of retries.', () => {
  const mappings = dev.events.findResources('AWS::Lambda::EventSourceMapping', {
    Properties: { FunctionName: { Ref: Match.stringLikeRegexp('^countclicks') } },
  });
  const { Properties = {} } = Object.values(mappings)[0] ?? {};
  expect(JSON.parse(Properties.FilterCriteria.Filters[0].Pattern).eventName).toEqual(['INSERT']);
  expect(Properties).toMatchObject({
    // Without a window an event does not name its shard.
    TumblingWindowInSeconds: 900,
    ParallelizationFactor: 1,
    StartingPosition: 'TRIM_HORIZON',
    MaximumRetryAttempts: -1,
    BisectBatchOnFunctionError: false,
  });
  expect(Properties).not.toHaveProperty('MaximumRecordAgeInSeconds');
});

test('A rate of webhooks may be a fraction.', () => {
  const { events } = stacksOf(ownStage('dev', { webhookRate: 0.5 }));
  events.hasResourceProperties('AWS::Lambda::Function', { Environment: { Variables: { WEBHOOK_RATE: '0.5' } } });
});
