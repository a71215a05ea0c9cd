import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, test } from 'vitest';
import { problems } from '../../lambdas/http/problems.ts';
import { routes } from '../../lib/routes.ts';
import { addService } from '../../lib/service.ts';
import { stageNames } from '../../lib/stages.ts';

const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
let synthesised = 0;

/** The templates of a stage. */
function templatesOf(stage: string) {
  const app = new App({ context: { ...context, stage }, outdir: join(tmpdir(), `links-synth-${process.pid}-${synthesised++}`) });
  addService(app);
  const stackOf = (name: string) => app.node.findChild(`Links-${stage}-${name}`) as Stack;
  const [data, api, events] = ['Data', 'Api', 'Events'].map((name) => Template.fromStack(stackOf(name)));
  if (!data || !api || !events) throw new Error('a stack is missing');
  return { app, data, api, events, stackOf };
}

let prod: ReturnType<typeof templatesOf>;
let dev: ReturnType<typeof templatesOf>;
beforeAll(() => {
  prod = templatesOf('prod');
  dev = templatesOf('dev');
});

test.for([undefined, '', 'production', 'toString'])('the stage %j is an error of one line that names the stages', (stage) => {
  const app = new App({ context: { ...context, stage } });
  const line = new RegExp(`^[^\\n]*${stageNames.join(', ')}[^\\n]*$`);
  expect(() => addService(app)).toThrow(line);
});

describe('the table', () => {
  test('has its keys, one index of keys alone, a stream with both images and a time to live', () => {
    dev.data.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [{ IndexName: 'gsi1', Projection: { ProjectionType: 'KEYS_ONLY' } }],
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  });

  test('is kept on stages that keep data, in every way, and thrown away on others', () => {
    const tableOf = ({ data }: typeof prod) => Object.values(data.findResources('AWS::DynamoDB::GlobalTable'))[0];
    const replica = (protectedToo: boolean) => ({
      Replicas: [
        {
          DeletionProtectionEnabled: protectedToo,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: protectedToo },
        },
      ],
    });
    expect(tableOf(prod)).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain', Properties: replica(true) });
    expect(tableOf(dev)).toMatchObject({ DeletionPolicy: 'Delete', Properties: replica(false) });
    expect([prod.stackOf('Data').terminationProtection, dev.stackOf('Data').terminationProtection]).toEqual([true, false]);
  });
});

describe('each endpoint', () => {
  test('is one function, named after its file, with its permission in the environment, and nothing else is served', () => {
    const functions = Object.values(dev.api.findResources('AWS::Lambda::Function')).map(({ Properties }) => ({
      description: Properties.Description,
      permission: Properties.Environment.Variables.PERMISSION,
    }));
    for (const { method, path, permission } of routes) {
      expect(functions).toContainEqual({ description: `${method} ${path}`, permission });
    }
    expect(functions).toHaveLength(routes.length + 1);
    dev.api.resourceCountIs('AWS::ApiGateway::Method', routes.length);
    const files = readdirSync('lambdas/endpoints').map((file) => file.replace(/\.ts$/, ''));
    expect(files.sort()).toEqual(routes.map(({ name }) => name).sort());
  });

  test('is behind the authorizer, which looks at the shape of a key first and is remembered for 60 seconds', () => {
    dev.api.allResourcesProperties('AWS::ApiGateway::Method', {
      AuthorizationType: 'CUSTOM',
      AuthorizerId: Match.anyValue(),
    });
    dev.api.hasResourceProperties('AWS::ApiGateway::Authorizer', {
      Type: 'TOKEN',
      IdentitySource: 'method.request.header.Authorization',
      IdentityValidationExpression: '^[Bb][Ee][Aa][Rr][Ee][Rr] +lk_[0-9A-Za-z]{36}$',
      AuthorizerResultTtlInSeconds: 60,
    });
  });

  test('runs on Node 24 on arm64 with limits, JSON logs that end, and traces', () => {
    for (const template of [dev.api, dev.events]) {
      template.allResourcesProperties('AWS::Lambda::Function', {
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Timeout: 25,
        LoggingConfig: { LogFormat: 'JSON', LogGroup: Match.anyValue() },
        TracingConfig: { Mode: 'Active' },
      });
      template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 7 });
    }
  });
});

test('the usage plan throttles bulk requests to 3 a minute by the key that the authorizer names, and no others', () => {
  dev.api.hasResourceProperties('AWS::ApiGateway::RestApi', { ApiKeySourceType: 'AUTHORIZER' });
  dev.api.hasResourceProperties('AWS::ApiGateway::UsagePlan', {
    ApiStages: [{ Throttle: { '/api/v1/links/bulk/POST': { RateLimit: 0.05, BurstLimit: 3 } } }],
  });
  const methods = Object.values(dev.api.findResources('AWS::ApiGateway::Method')).map(({ Properties }) => Properties);
  expect(methods.filter(({ ApiKeyRequired }) => ApiKeyRequired)).toHaveLength(1);
});

test('the limit is one and the same in the table, in the plan and in what the gateway says of it', async () => {
  Object.assign(process.env, { TABLE_NAME: 'none', AWS_REGION: 'eu-central-1' });
  const { bulkLimit } = await import('../../lambdas/store/bulk-limit.ts');
  const { quota, windowSeconds } = bulkLimit;
  dev.api.hasResourceProperties('AWS::ApiGateway::UsagePlan', {
    ApiStages: [{ Throttle: { '/api/v1/links/bulk/POST': { RateLimit: quota / windowSeconds, BurstLimit: quota } } }],
  });
  dev.api.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
    ResponseType: 'THROTTLED',
    ResponseParameters: {
      'gatewayresponse.header.Retry-After': `'${windowSeconds}'`,
      'gatewayresponse.header.RateLimit': `'"bulk";r=0;t=${windowSeconds}'`,
      'gatewayresponse.header.RateLimit-Policy': `'"bulk";q=${quota};w=${windowSeconds}'`,
    },
  });
});

test('every answer of the gateway itself is a problem document of a code that the functions know', () => {
  const responses = Object.values(dev.api.findResources('AWS::ApiGateway::GatewayResponse')).map(({ Properties }) => Properties);
  for (const { StatusCode, ResponseParameters, ResponseTemplates, ResponseType } of responses) {
    const { code, title, status, type, requestId } = JSON.parse(ResponseTemplates['application/json']);
    expect(problems, ResponseType).toHaveProperty(code, { status: Number(StatusCode), title });
    expect([type, status, requestId]).toEqual([`urn:problem:links:${code}`, Number(StatusCode), '$context.requestId']);
    expect(ResponseParameters).toMatchObject({ 'gatewayresponse.header.Content-Type': "'application/problem+json'" });
  }
  const statusOf = (type: string) => responses.find(({ ResponseType }) => ResponseType === type)?.StatusCode;
  const expected = {
    UNAUTHORIZED: '401',
    MISSING_AUTHENTICATION_TOKEN: '404',
    INVALID_SIGNATURE: '404',
    THROTTLED: '429',
    REQUEST_TOO_LARGE: '413',
    AUTHORIZER_FAILURE: '503',
    INTEGRATION_FAILURE: '503',
    INTEGRATION_TIMEOUT: '503',
    DEFAULT_5XX: '503',
  };
  expect(Object.fromEntries(Object.keys(expected).map((type) => [type, statusOf(type)]))).toEqual(expected);
});

describe('the permissions of a function', () => {
  const writing = ['DeleteItem', 'PartiQLInsert', 'PutItem', 'UpdateItem'].map((action) => `dynamodb:${action}`);

  /** A function's table actions, by its description. */
  const actionsOf = ({ api, events }: typeof dev) =>
    [api, events].flatMap((template) => {
      const policies = Object.values(template.findResources('AWS::IAM::Policy')).map(({ Properties }) => Properties);
      return Object.values(template.findResources('AWS::Lambda::Function')).map(({ Properties }) => {
        const role = Properties.Role['Fn::GetAtt'][0];
        const statements = policies
          .filter(({ Roles }) => Roles.some(({ Ref }: { Ref: string }) => Ref === role))
          .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
          .filter(({ Action }) =>
            [Action].flat().some((action: string) => /^dynamodb:(?!.*(Stream|Records|Shard))/.test(action)),
          );
        return { name: String(Properties.Description), statements };
      });
    });

  test('never include a scan or a wildcard', () => {
    for (const { statements } of actionsOf(dev)) {
      for (const { Action, Resource } of statements) {
        expect([Action].flat()).not.toContain('dynamodb:Scan');
        expect([Action, Resource].flat().filter((one) => typeof one === 'string' && one.includes('*'))).toEqual([]);
      }
    }
  });

  test('of one that reads do not let it write', () => {
    const readers = routes.filter(({ method }) => method === 'GET').map(({ method, path }) => `${method} ${path}`);
    const reading = actionsOf(dev).filter(({ name }) => readers.includes(name));
    expect(reading).toHaveLength(readers.length);
    for (const { statements } of reading) {
      expect(statements.flatMap(({ Action }) => Action).filter((action: string) => writing.includes(action))).toEqual([]);
    }
  });

  test('of the authorizer let it read keys alone', () => {
    const authorizer = actionsOf(dev).find(({ name }) => name.startsWith('Turns a bearer key'));
    expect(authorizer?.statements).toMatchObject([
      { Action: 'dynamodb:GetItem', Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] } } },
    ]);
  });
});

test('a deleted tag is swept by the stream, and by a schedule where that stalled', () => {
  dev.events.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    MaximumRetryAttempts: 5,
    DestinationConfig: { OnFailure: Match.anyValue() },
  });
  dev.events.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 hour)' });
});

test('two stages fit into one account: nothing has a name of its own', () => {
  const named = ({ data, api, events }: typeof dev) =>
    [data, api, events].flatMap((template) =>
      Object.values(
        template.toJSON().Resources as Record<string, { Type: string; Properties?: Record<string, unknown> }>,
      ).flatMap(({ Type, Properties = {} }) =>
        ['TableName', 'FunctionName', 'RoleName', 'QueueName', 'LogGroupName', 'UsagePlanName', 'PolicyName']
          .filter((name) => typeof Properties[name] === 'string' && !(Type === 'AWS::IAM::Policy'))
          .map((name) => `${Type} ${name}`),
      ),
    );
  expect(named(dev)).toEqual([]);
});

test('the templates pass the validator of CloudFormation', { timeout: 120_000 }, () => {
  expect(() => dev.app.synth()).not.toThrow();
  expect(() => prod.app.synth()).not.toThrow();
});
