import { Agent } from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServiceError } from '../../../../lambdas/runtime/failed-calls.ts';
import { isAmbiguous } from '../../../../lambdas/store/table/client.ts';
import { regionalEndpoint } from '../../../../lambdas/store/table/lean-transport.ts';
import type { Input, Operation, Output } from '../../../../lambdas/store/table/operations.ts';
import { authorization } from '../../../../lambdas/store/table/signature.ts';
import { runs } from '../../../support/run/proof.ts';
import { attributes, item } from '../../../support/store/attributes.ts';
import { answering, type FakeDynamoDb, type Received, startFakeDynamoDb } from '../../../support/store/fake-dynamodb.ts';
import {
  BatchExecuteStatement,
  BatchGetItem,
  DeleteItem,
  GetItem,
  PutItem,
  Query,
  send,
  TransactWriteItems,
  UpdateItem,
} from '../../../support/store/lean-transport.ts';

const environment = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'a secret',
  AWS_SESSION_TOKEN: 'a/session+token==',
};
const plenty = { timeLeft: 60_000 };

let sdk: typeof import('../../../../lambdas/store/table/sdk-transport.ts');
let fake: FakeDynamoDb;
beforeAll(async () => {
  fake = await startFakeDynamoDb();
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: fake.endpoint });
  sdk = await import('../../../../lambdas/store/table/sdk-transport.ts');
});
beforeEach(() => {
  fakeTimers();
  fake.react(answering(200));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: fake.endpoint });
});
afterAll(() => fake.stop());

/** Names of tables, attributes and so on. The SDK loses `__proto__`, and refuses some requests with `constructor`. */
const name = fc
  .oneof(fc.string({ minLength: 1, maxLength: 9 }), fc.constantFrom('toString', '*', '1', 'pk'))
  .filter((one) => one !== '__proto__' && one !== 'constructor');
const flag = fc.boolean();
const filled = item.filter((one) => Object.values(one).some((value) => value !== undefined));
const names = fc.dictionary(
  name.map((one) => `#${one}`),
  name,
  { minKeys: 1, maxKeys: 3, noNullPrototype: true },
);
const total = fc.constant('TOTAL' as const);
const condition = {
  ConditionExpression: name,
  ExpressionAttributeNames: names,
  ExpressionAttributeValues: filled,
  ReturnValuesOnConditionCheckFailure: fc.constant('ALL_OLD' as const),
};
/** A record with these fields, in this order or the opposite one; the first of them are required. */
const record = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }, required: readonly (keyof T & string)[]) =>
  fc
    .tuple(fc.record(fields, { requiredKeys: required as never, noNullPrototype: true }), flag)
    .map(([made, isReversed]) => (isReversed ? Object.fromEntries(Object.entries(made).reverse()) : made));
const written = { TableName: name, ReturnValues: fc.constant('ALL_NEW'), ReturnConsumedCapacity: total, ...condition };
const parts = [
  record({ Key: item, TableName: name, ...condition }, ['Key', 'TableName', 'ConditionExpression']).map((ConditionCheck) => ({
    ConditionCheck,
  })),
  record({ Key: item, TableName: name, ...condition }, ['Key', 'TableName']).map((Delete) => ({ Delete })),
  record({ Item: item, TableName: name, ...condition }, ['Item', 'TableName']).map((Put) => ({ Put })),
  record({ Key: item, UpdateExpression: name, TableName: name, ...condition }, ['Key', 'TableName']).map((Update) => ({
    Update,
  })),
];

/** Requests for each operation, with every field that the store sends. */
const inputs: Record<Operation, fc.Arbitrary<object>> = {
  BatchExecuteStatement: record(
    {
      Statements: fc.array(fc.record({ Statement: name, Parameters: fc.array(attributes, { minLength: 1, maxLength: 3 }) }), {
        maxLength: 3,
      }),
      ReturnConsumedCapacity: total,
    },
    ['Statements'],
  ),
  BatchGetItem: record(
    {
      RequestItems: fc.dictionary(name, record({ Keys: fc.array(item, { maxLength: 3 }), ConsistentRead: flag }, ['Keys']), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      ReturnConsumedCapacity: total,
    },
    ['RequestItems'],
  ),
  DeleteItem: record({ Key: item, ...written }, ['TableName', 'Key']),
  GetItem: record({ TableName: name, Key: item, ConsistentRead: flag, ReturnConsumedCapacity: total }, ['TableName', 'Key']),
  PutItem: record({ Item: item, ...written }, ['TableName', 'Item']),
  Query: record(
    {
      TableName: name,
      IndexName: name,
      Limit: fc.integer({ min: 1, max: 1_000 }),
      ConsistentRead: flag,
      ScanIndexForward: flag,
      ExclusiveStartKey: item,
      ReturnConsumedCapacity: total,
      KeyConditionExpression: name,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: filled,
    },
    ['TableName'],
  ),
  TransactWriteItems: record(
    { TransactItems: fc.array(fc.oneof(...parts), { maxLength: 4 }), ReturnConsumedCapacity: total, ClientRequestToken: name },
    ['TransactItems', 'ClientRequestToken'],
  ),
  UpdateItem: record({ Key: item, UpdateExpression: name, ...written }, ['TableName', 'Key']),
};
const all = Object.keys(inputs) as Operation[];

const operations = { BatchExecuteStatement, BatchGetItem, DeleteItem, GetItem, PutItem, Query, TransactWriteItems, UpdateItem };

/** The same request with both transports. */
const lean = <O extends Operation>(operation: O, input: unknown, options = plenty): Promise<Output<O>> =>
  send(operations[operation] as never, input as never, options) as Promise<Output<O>>;
const bySdk = <O extends Operation>(operation: O, input: unknown, options = plenty): Promise<Output<O>> =>
  sdk.send(sdk[operation] as never, input as never, options) as Promise<Output<O>>;

/** The parts that must be equal, and the scope of the signature. */
const essence = ({ method, url, headers, body }: Received) => ({
  method,
  url,
  body,
  scope: headers.authorization?.match(/^AWS4-HMAC-SHA256 Credential=[^,]+/)?.[0],
  headers: ['host', 'content-type', 'content-length', 'x-amz-date', 'x-amz-security-token', 'x-amz-target'].map(
    (one) => headers[one],
  ),
});

/** Our function's signature of a request's signed headers. */
function signedAgain({ headers, body, method = '', url = '' }: Received): string {
  const signed = headers.authorization?.match(/SignedHeaders=([^,]+)/)?.[1]?.split(';') ?? [];
  const sorted = Object.fromEntries(signed.map((one) => [one, String(headers[one])]));
  const credentials = { accessKeyId: environment.AWS_ACCESS_KEY_ID, secretAccessKey: environment.AWS_SECRET_ACCESS_KEY };
  const scope = { amzDate: String(headers['x-amz-date']), region: environment.AWS_REGION, service: 'dynamodb' };
  return authorization({ method, path: url, headers: sorted, body }, credentials, scope);
}

describe('A request', () => {
  test.for(all)(
    '%s is sent as the SDK sends it, byte for byte, and both have the signature that we compute.',
    async (operation) => {
      vi.spyOn(Date, 'now').mockReturnValue(1_900_000_000_123);
      await fc.assert(
        fc.asyncProperty(inputs[operation], async (input) => {
          await bySdk(operation, input);
          await lean(operation, input);
          const [expected, sent, ...more] = fake.received();
          if (!expected || !sent) throw new Error('a request is missing');
          expect(more).toEqual([]);
          expect(essence(sent)).toEqual(essence(expected));
          expect(sent.headers.authorization).toBe(signedAgain(sent));
          expect(expected.headers.authorization).toBe(signedAgain(expected));
        }),
        { numRuns: runs(40) },
      );
    },
  );

  test('Without a session token, none is sent, and credentials and region are the present ones.', async () => {
    await lean('GetItem', { TableName: 'table', Key: {} });
    delete process.env.AWS_SESSION_TOKEN;
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'NEXT', AWS_REGION: 'us-east-1' });
    await lean('GetItem', { TableName: 'table', Key: {} });
    const [before, after] = fake.received().map(({ headers }) => [headers['x-amz-security-token'], headers.authorization]);
    expect(before).toEqual([
      environment.AWS_SESSION_TOKEN,
      expect.stringMatching(/=AKIDEXAMPLE\/.{8}\/eu-central-1\/.*x-amz-security-token/),
    ]);
    expect(after).toEqual([
      undefined,
      expect.stringMatching(/=NEXT\/.{8}\/us-east-1\/dynamodb\/aws4_request, SignedHeaders=[a-z;-]*date;x-amz-target,/),
    ]);
  });

  test('A field that the transport does not know is refused instead of left out.', async () => {
    for (const operation of all)
      await expect(lean(operation, { TableName: 'table', Segment: 1 })).rejects.toThrow(/does not know/);
    expect(fake.received()).toEqual([]);
  });
});

test.for([
  'us-east-1',
  'eu-central-1',
  'ap-southeast-5',
  'mx-central-1',
  'cn-north-1',
  'cn-northwest-1',
  'us-gov-west-1',
  'eusc-de-east-1',
  'us-iso-east-1',
  'us-isob-west-1',
  'eu-isoe-west-1',
  'us-isof-south-1',
])("The address of DynamoDB in %s is the SDK's.", (Region) => {
  const { url } = sdk.client.config.endpointProvider({ Region, UseFIPS: false, UseDualStack: false });
  expect(`${regionalEndpoint(Region)}/`).toBe(url.href);
});

test("Without another address, requests go to the region's DynamoDB, over TLS and on port 443.", async () => {
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const connect = vi.spyOn(tls as { connect: (options: object) => net.Socket }, 'connect');
  connect.mockImplementation(() => net.connect({ host: '127.0.0.1', port: Number(new URL(fake.endpoint).port) }));
  expect(await lean('PutItem', { TableName: 'table', Item: { pk: 'a' } })).toEqual({});
  const host = 'dynamodb.eu-central-1.amazonaws.com';
  expect(connect.mock.calls).toEqual([[expect.objectContaining({ host, servername: host, port: 443 })]]);
  expect(fake.received().map(({ headers }) => headers.host)).toEqual([host]);
});

/** Stops only the transports' own timers, which would end a request on a busy machine. */
const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

/** The parts of a failure that a caller can see. */
async function failure(work: Promise<unknown>) {
  const error = (await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )) as ServiceError & { Item?: unknown; CancellationReasons?: unknown };
  const { name, $metadata, Item, CancellationReasons } = error;
  return { name, status: $metadata?.httpStatusCode, Item, CancellationReasons, isAmbiguous: isAmbiguous(error) };
}

const put = { TableName: 'table', Item: { pk: 'a', sk: 'b' } };
const both = async () => ({ lean: await failure(lean('PutItem', put)), sdk: await failure(bySdk('PutItem', put)) });

describe('An error', () => {
  const body = (type: string, more: object = {}) =>
    JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no', ...more });
  const wire = { pk: { S: 'a' }, n: { N: '1' }, set: { SS: ['a'] } };
  const cancelled = {
    CancellationReasons: [
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Item: wire, Message: 'no' },
      { Code: 'TransactionConflict' },
    ],
  };

  test.for([
    ...[
      'ConditionalCheckFailedException',
      'InvalidSignatureException',
      'LimitExceededException',
      'ProvisionedThroughputExceededException',
      'RequestLimitExceeded',
      'ResourceNotFoundException',
      'ThrottlingException',
      'TransactionConflictException',
      'TransactionInProgressException',
      'ValidationException',
      'SomethingNew',
    ].map((type) => [type, 400, body(type), type] as const),
    [
      'a failed condition with its item',
      400,
      body('ConditionalCheckFailedException', { Item: wire }),
      'ConditionalCheckFailedException',
    ],
    ['a cancelled transaction', 400, body('TransactionCanceledException', cancelled), 'TransactionCanceledException'],
    ['a fault', 500, body('InternalServerError'), 'InternalServerError'],
    ['a fault without a namespace', 503, '{"__type":"ServiceUnavailable","Message":"no"}', 'ServiceUnavailable'],
    ['a type with an address', 400, '{"__type":"Throttling:http://internal.amazon.com/","message":"no"}', 'Throttling'],
    ['a code', 400, '{"code":"SlowDown"}', 'SlowDown'],
    ['no type', 500, '{}', 'Unknown'],
    ['no body', 503, '', 'Unknown'],
    ["a proxy's page", 502, '<html>Bad Gateway</html>', 'SyntaxError'],
    ['a refusal by a proxy', 403, 'no', 'SyntaxError'],
    ['a success that is not JSON', 200, '<html>', 'SyntaxError'],
    ['half a document', 200, '{"Attributes":{"pk"', 'SyntaxError'],
    ['a redirect', 302, '{}', 'Unknown'],
  ] as const)('With %s, both transports throw the same error.', async ([, status, text, expected]) => {
    fake.react(answering(status, text));
    const thrown = await both();
    expect(thrown.lean).toEqual(thrown.sdk);
    expect(thrown.lean).toMatchObject({ name: expected, status });
  });

  test("If the body has no type of error, the header's is used.", async () => {
    fake.react(answering(400, '{}', { 'x-amzn-errortype': 'AccessDeniedException:http://internal.amazon.com/' }));
    const thrown = await both();
    expect(thrown.lean).toEqual(thrown.sdk);
    expect(thrown.lean.name).toBe('AccessDeniedException');
  });
});

describe('A broken connection', () => {
  const half = { 'content-length': '9' };
  const reactions: readonly (readonly [string, Parameters<FakeDynamoDb['react']>[0], sdkName: string])[] = [
    ['before a response', (response) => response.destroy(), 'TimeoutError'],
    [
      'after the headers',
      (response) => {
        response.writeHead(200, half).flushHeaders();
        setImmediate(() => response.destroy());
      },
      'Error',
    ],
    ['in the middle of a body', (response) => response.writeHead(200, half).write('{"Att', () => response.destroy()), 'Error'],
    ['between two chunks', (response) => response.write('{"Att', () => response.destroy()), 'Error'],
  ];

  test.for(reactions)(
    'A connection that breaks %s has an unknown outcome, with both transports.',
    async ([, reaction, sdkName]) => {
      // The break is detected at once, without a timer.
      fakeTimers();
      fake.react(reaction);
      const thrown = await both();
      expect([thrown.lean.isAmbiguous, thrown.sdk.isAmbiguous]).toEqual([true, true]);
      // The SDK adds the status of the response that had begun to the socket's error; no caller uses either.
      expect([thrown.lean.name, thrown.sdk.name]).toEqual(['TimeoutError', sdkName]);
      // The next request uses another connection.
      fake.react(answering(200));
      expect(await lean('PutItem', put)).toEqual({});
    },
  );

  test('A response that is not HTTP has an unknown outcome, and the next request uses another connection.', async () => {
    fake.react((response) => response.socket?.end('SSH-2.0\r\n\r\n'));
    expect(await failure(lean('PutItem', put))).toMatchObject({ isAmbiguous: true, status: undefined });
    fake.react(answering(200));
    expect(await lean('PutItem', put)).toEqual({});
  });

  test('If no server listens on the port, the outcome is reported as unknown.', async () => {
    const gone = await startFakeDynamoDb();
    await gone.stop();
    process.env.AWS_ENDPOINT_URL_DYNAMODB = gone.endpoint;
    expect(await failure(lean('PutItem', put))).toMatchObject({ isAmbiguous: true });
  });
});

describe('Time', () => {
  test.for([
    ['no response at all', () => {}],
    ['headers without a body', (response) => response.writeHead(200, { 'content-length': '2' }).flushHeaders()],
    ['half a body', (response) => response.writeHead(200, { 'content-length': '2' }).write('{')],
  ] as [string, Parameters<FakeDynamoDb['react']>[0]][])(
    'A request with %s ends after 2 seconds, or at the deadline.',
    async ([, reaction]) => {
      for (const [timeLeft, name, end] of [
        [60_000, 'TimeoutError', 2_000],
        [700, 'AbortError', 700],
      ] as const) {
        fakeTimers();
        const { promise: reached, resolve } = Promise.withResolvers<void>();
        fake.react((response, request) => {
          reaction(response, request);
          setImmediate(resolve);
        });
        let isOver = false;
        const result = failure(lean('PutItem', put, { timeLeft })).finally(() => {
          isOver = true;
        });
        await reached;
        await vi.advanceTimersByTimeAsync(end - 1);
        expect(isOver).toBe(false);
        await vi.advanceTimersByTimeAsync(1);
        expect(await result).toMatchObject({ name, isAmbiguous: true });
        expect(vi.getTimerCount()).toBe(0);
        vi.useRealTimers();
      }
    },
  );

  test('A connection that is not established after 1 second ends the request.', async () => {
    fakeTimers();
    vi.spyOn(
      Agent.prototype as { createConnection?: unknown } as { createConnection: () => net.Socket },
      'createConnection',
    ).mockImplementation(() => Object.assign(new net.Socket(), { connecting: true }));
    // An address without an open connection.
    process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://localhost:1';
    let isOver = false;
    const result = failure(lean('PutItem', put)).finally(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject({ name: 'TimeoutError', isAmbiguous: true });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('A success leaves no timer behind.', async () => {
    fakeTimers();
    expect(await lean('PutItem', put)).toEqual({});
    expect(vi.getTimerCount()).toBe(0);
  });

  test.for([-3_600_000, -10_000, 10_000, 3_600_000])(
    'A clock that is off by %i ms is corrected by the first response, as by the SDK.',
    async (skew) => {
      vi.spyOn(Date, 'now').mockReturnValue(1_900_000_000_123);
      for (const transport of [lean, bySdk]) {
        fake.react((response) => {
          const headers = { date: new Date(Date.now() - skew).toUTCString() };
          const refusal = JSON.stringify({ __type: 'InvalidSignatureException', message: 'Signature expired' });
          response.writeHead(400, headers).end(refusal);
        });
        for (let attempt = 0; attempt < 2; attempt++)
          expect((await failure(transport('PutItem', put))).name).toBe('InvalidSignatureException');
        const [, second] = fake.received();
        const signedAt = Date.parse(String(second?.headers['x-amz-date']).replace(/^(....)(..)(..)T(..)(..)/, '$1-$2-$3T$4:$5:'));
        // The header has whole seconds.
        expect(Math.abs(signedAt - (Date.now() - skew))).toBeLessThan(2_000);
      }
    },
  );
});

test('Responses are read as the SDK reads them.', async () => {
  const plain = await lean('PutItem', put);
  expect(plain).toEqual({});
  const wire = {
    pk: { S: 'é😀' },
    n: { N: '0.5' },
    list: { L: [{ BOOL: true }, { NULL: true }] },
    map: { M: { set: { SS: ['a'] } } },
  };
  const answers: Partial<Record<Operation, object>> = {
    GetItem: { Item: wire, ConsumedCapacity: { TableName: 'table', CapacityUnits: 0.5 } },
    UpdateItem: { Attributes: wire },
    Query: { Items: [wire, {}], Count: 2, ScannedCount: 2, LastEvaluatedKey: { pk: { S: 'a' } } },
    BatchGetItem: {
      Responses: { table: [wire] },
      UnprocessedKeys: { table: { Keys: [{ pk: { S: 'a' } }], ConsistentRead: true } },
    },
    BatchExecuteStatement: {
      Responses: [{ TableName: 'table' }, { Error: { Code: 'DuplicateItem', Message: 'no', Item: wire } }],
    },
    TransactWriteItems: {},
  };
  const some: Partial<Record<Operation, Input<Operation>>> = {
    Query: { TableName: 'table' },
    BatchGetItem: { RequestItems: {} },
    BatchExecuteStatement: { Statements: [] },
    TransactWriteItems: { TransactItems: [] },
  };
  for (const [operation, answer] of Object.entries(answers) as [Operation, object][]) {
    fake.react(answering(200, JSON.stringify(answer)));
    const input = some[operation] ?? { TableName: 'table', Key: {} };
    const { $metadata: _, ...expected } = (await bySdk(operation, input)) as Output<Operation> & { $metadata: unknown };
    expect(await lean(operation, input)).toEqual(expected);
    // `toEqual` would not distinguish an undefined field from an absent one.
    expect(JSON.parse(JSON.stringify(await lean(operation, input)))).toStrictEqual(JSON.parse(JSON.stringify(expected)));
  }
});
