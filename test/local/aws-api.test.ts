import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AwsApi, startAwsApi } from '../../local/aws-api.ts';
import { FunctionError } from '../../local/functions/worker-thread.ts';

let api: AwsApi;
let invoked: string[];
let switched: string[];
beforeEach(async () => {
  api = await startAwsApi();
  invoked = [];
  switched = [];
});
afterEach(() => api.stop());

const serve = () =>
  api.serve({
    invokeLater: (name, payload) => {
      if (name === 'unknown') throw new Error('no function "unknown"');
      invoked.push(`${name} ${payload}`);
    },
    setRuleEnabled: (rule, isEnabled) => {
      if (rule === 'unknown') throw new Error('no rule "unknown"');
      switched.push(`${rule} ${isEnabled}`);
    },
  });

type Call = {
  readonly path?: string;
  readonly method?: string;
  readonly target?: string;
  readonly type?: string;
  readonly body?: string;
};

/** What a call is answered with: its status, the name of the error in the body and in the header, and the body. */
async function call({ path = '/', method = 'POST', target, type, body }: Call) {
  const response = await fetch(`${api.endpoint}${path}`, {
    method,
    headers: { ...(target && { 'X-Amz-Target': target }), ...(type && { 'X-Amz-Invocation-Type': type }) },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const content = text === '' ? {} : JSON.parse(text);
  expect(response.headers.get('x-amzn-errortype')).toBe(content.__type ?? null);
  return { status: response.status, error: content.__type, message: content.message };
}

const path = '/2015-03-31/functions/sender/invocations';

test('A function is invoked asynchronously, with the payload or an empty one, by its name or its ARN.', async () => {
  serve();
  const arn = 'arn:aws:lambda:us-east-1:123456789012:function:sender';
  const answers = [
    await call({ path, type: 'Event', body: '{"a":"ü"}' }),
    await call({ path: path.replace('sender', encodeURIComponent(arn)), type: 'Event' }),
  ];
  expect(answers).toEqual(Array(2).fill({ status: 202 }));
  expect(invoked).toEqual(['sender {"a":"ü"}', `${arn} {}`]);
});

/** Also runs functions and waits for them. */
const serveWaiting = () =>
  api.serve({
    invokeLater: () => undefined,
    setRuleEnabled: () => undefined,
    invoke: async (name, payload) => {
      if (name === 'unknown') throw new Error('no function "unknown"');
      if (name === 'failing') throw new FunctionError('TypeError', 'x is not a function');
      invoked.push(`${name} ${payload}`);
      return '{"done":"ü"}';
    },
  });

/** The answer to an invocation: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html */
async function invoke(name: string, body?: string, type?: string) {
  const response = await fetch(`${api.endpoint}${path.replace('sender', name)}`, {
    method: 'POST',
    headers: type === undefined ? {} : { 'X-Amz-Invocation-Type': type },
    ...(body !== undefined && { body }),
  });
  return [response.status, response.headers.get('X-Amz-Function-Error'), await response.json()];
}

test.for([undefined, 'RequestResponse'])(
  'A synchronous invocation (%s) gets the payload or an empty one, and its result is the answer.',
  async (type) => {
    serveWaiting();
    expect(await invoke('sender', '{"a":"ü"}', type)).toEqual([200, null, { done: 'ü' }]);
    expect(await invoke('sender', undefined, type)).toEqual([200, null, { done: 'ü' }]);
    expect(invoked).toEqual(['sender {"a":"ü"}', 'sender {}']);
  },
);

test('A synchronous invocation that fails is answered with 200 and the error, as on AWS.', async () => {
  serveWaiting();
  const error = { errorType: 'TypeError', errorMessage: 'x is not a function' };
  expect(await invoke('failing')).toEqual([200, 'Unhandled', error]);
});

test.for<[string, string, string | undefined, string | undefined, number, string]>([
  ['an unknown function', 'unknown', undefined, undefined, 404, 'ResourceNotFoundException'],
  ['a payload that is not JSON', 'sender', '{', undefined, 400, 'InvalidRequestContentException'],
  ['a dry run', 'sender', '{}', 'DryRun', 400, 'UnknownOperationException'],
])('A synchronous invocation refuses %s, and nothing is run.', async ([, name, body, type, status, error]) => {
  serveWaiting();
  expect(await invoke(name, body, type)).toEqual([status, null, expect.objectContaining({ __type: error })]);
  expect(invoked).toEqual([]);
});

test('A schedule can be switched on and off.', async () => {
  serve();
  const body = '{"Name":"senders"}';
  for (const target of ['AWSEvents.EnableRule', 'AWSEvents.DisableRule']) expect((await call({ target, body })).status).toBe(200);
  expect(switched).toEqual(['senders true', 'senders false']);
});

test('A secret is read by its ARN, and by nothing else.', async () => {
  const ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:one';
  api.serve({ invokeLater: () => undefined, setRuleEnabled: () => undefined, secrets: { [ARN]: 's3cret' } });
  const get = async (SecretId: unknown) => {
    const headers = { 'X-Amz-Target': 'secretsmanager.GetSecretValue' };
    const response = await fetch(api.endpoint, { method: 'POST', headers, body: JSON.stringify({ SecretId }) });
    return [response.status, await response.json()];
  };
  expect(await get(ARN)).toEqual([200, { ARN, SecretString: 's3cret' }]);
  for (const wrong of [`${ARN}x`, 'toString', ['one'], undefined])
    expect(await get(wrong)).toEqual([404, { __type: 'ResourceNotFoundException', message: 'there is no such secret' }]);
});

test('A message is put into a queue unchanged. One with parameters that the stand-in lacks is refused.', async () => {
  const sent: string[] = [];
  api.serve({
    invokeLater: () => undefined,
    setRuleEnabled: () => undefined,
    sendMessage: (url, body) => {
      if (url === 'unknown') throw new Error('no queue "unknown"');
      sent.push(`${url} ${body}`);
      return { messageId: '1', md5OfBody: '2' };
    },
  });
  const send = async (message: object) => {
    const headers = { 'X-Amz-Target': 'AmazonSQS.SendMessage' };
    const response = await fetch(api.endpoint, { method: 'POST', headers, body: JSON.stringify(message) });
    return [response.status, await response.json()];
  };
  const message = { QueueUrl: 'https://sqs/1/queue', MessageBody: 'größe' };
  expect(await send(message)).toEqual([200, { MessageId: '1', MD5OfMessageBody: '2' }]);
  expect(await send({ ...message, QueueUrl: 'unknown' })).toMatchObject([404, { __type: 'ResourceNotFoundException' }]);
  for (const wrong of [{ ...message, DelaySeconds: 10 }, { QueueUrl: 'unknown' }, { MessageBody: '' }])
    expect(await send(wrong)).toMatchObject([400, { __type: 'InvalidRequestContentException' }]);
  expect(sent).toEqual(['https://sqs/1/queue größe']);
});

describe('A call is refused, with the name of the error:', () => {
  const enable = 'AWSEvents.EnableRule';
  test.for<[string, Call, number, string]>([
    ['an unknown function', { path: path.replace('sender', 'unknown'), type: 'Event' }, 404, 'ResourceNotFoundException'],
    ['an unknown rule', { target: enable, body: '{"Name":"unknown"}' }, 404, 'ResourceNotFoundException'],
    ['an invocation that waits for the result', { path, type: 'RequestResponse' }, 400, 'UnknownOperationException'],
    ['an invocation without a type', { path }, 400, 'UnknownOperationException'],
    ['a version of a function', { path: `${path}?Qualifier=1`, type: 'Event' }, 400, 'UnknownOperationException'],
    ['another method', { path, type: 'Event', method: 'GET' }, 400, 'UnknownOperationException'],
    ['a switch by GET', { target: enable, method: 'GET' }, 400, 'UnknownOperationException'],
    ['another call of EventBridge', { target: 'AWSEvents.PutRule', body: '{}' }, 400, 'UnknownOperationException'],
    ['a name that every object has', { target: 'toString', body: '{}' }, 400, 'UnknownOperationException'],
    ['another service', { path: '/2015-03-31/functions', method: 'GET' }, 400, 'UnknownOperationException'],
    ['a payload that is not JSON', { path, type: 'Event', body: '{' }, 400, 'InvalidRequestContentException'],
    ['a name that is not encoded', { path: path.replace('sender', '%'), type: 'Event' }, 400, 'InvalidRequestContentException'],
    ['a body that is not JSON', { target: enable, body: 'Name=senders' }, 400, 'InvalidRequestContentException'],
    ['no body', { target: enable }, 400, 'InvalidRequestContentException'],
    ['a body without a name', { target: enable, body: '{"EventBusName":"default"}' }, 400, 'InvalidRequestContentException'],
    ['a body that is not an object', { target: enable, body: 'null' }, 400, 'InvalidRequestContentException'],
  ])('%s, and nothing happens.', async ([, request, status, error]) => {
    serve();
    expect(await call(request)).toEqual({ status, error, message: expect.stringMatching(/./) });
    expect([invoked, switched]).toEqual([[], []]);
  });
});

test('While the service is starting, a call is refused as if it were busy.', async () => {
  const { status, error } = await call({ path, type: 'Event' });
  expect([status, error]).toEqual([503, 'ServiceUnavailableException']);
  serve();
  expect((await call({ path, type: 'Event' })).status).toBe(202);
});
