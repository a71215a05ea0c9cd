import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Buckets } from './buckets.ts';
import { FunctionError } from './functions/worker-thread.ts';
import type { ManagedDomains } from './managed-domains.ts';

/** The calls that functions make to AWS services other than DynamoDB. */
export type AwsCalls = {
  /** @throws Error if there is no such function */
  readonly invokeLater: (functionName: string, payload: string) => void;
  /** @throws Error if there is no such rule */
  readonly setRuleEnabled: (rule: string, isEnabled: boolean) => void;
  /** Runs a function and waits for it. @throws Error if there is no such function; FunctionError if it fails */
  readonly invoke?: (functionName: string, payload: string) => Promise<string>;
  /** The secrets of Secrets Manager, by their ARNs. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Puts a message into a queue of SQS, by its URL. @throws Error if there is no such queue */
  readonly sendMessage?: (queueUrl: string, body: string) => { readonly messageId: string; readonly md5OfBody: string };
  /** ACM, and the custom domain names of API Gateway, if the service uses them. */
  readonly forDomains?: ManagedDomains | undefined;
  /** S3, if the service uses it. */
  readonly buckets?: Buckets | undefined;
};

export type AwsApi = {
  /** For any AWS SDK, with any credentials. */
  readonly endpoint: string;
  /** Starts to answer calls. Until then they fail with `ServiceUnavailableException`. */
  serve(calls: AwsCalls): void;
  stop(): Promise<void>;
};

const invoking = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;
const switching = new Map([
  ['AWSEvents.EnableRule', true],
  ['AWSEvents.DisableRule', false],
]);

const unreadable = 'InvalidRequestContentException';
const unreadableBecause = (message: string) => Object.assign(new Error(message), { name: unreadable });

/** Reads a part of a call. @throws Error with the name `unreadable` */
function read<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unreadableBecause((error as Error).message);
  }
}

/**
 * Answers the few calls that functions make to other AWS services: Lambda's `Invoke`
 * (https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html), EventBridge's `EnableRule` and `DisableRule`
 * (https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_EnableRule.html), Secrets Manager's `GetSecretValue`
 * (https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html), SQS's `SendMessage`
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html), and what
 * `managed-domains.ts` and `buckets.ts` answer. Everything else is refused.
 */
export async function startAwsApi(): Promise<AwsApi> {
  let calls: AwsCalls | undefined;
  const server = createServer(async (request, response) => {
    if (calls?.buckets && isForS3(request)) return calls.buckets.answer(request, response);
    const body = (await Array.fromAsync(request.setEncoding('utf8')).catch(() => [])).join('');
    try {
      if (calls) await respond(request, body, response, calls);
      else send(response, 503, { __type: 'ServiceUnavailableException', message: 'the service is starting' });
    } catch (error) {
      const { name, message } = error as Error;
      if (name === unreadable) send(response, 400, { __type: unreadable, message });
      else send(response, 404, { __type: 'ResourceNotFoundException', message });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (given) => {
      calls = given;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Whether a call is signed for S3:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
const isForS3 = ({ headers }: IncomingMessage): boolean =>
  /^AWS4-HMAC-SHA256 Credential=[^,]*\/s3\/aws4_request,/.test(headers.authorization ?? '');

async function respond(
  { method = '', url = '', headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
  calls: AwsCalls,
): Promise<void> {
  const target = String(headers['x-amz-target'] ?? '');
  const answer = await calls.forDomains?.answer({ method, url, target, body });
  if (answer === 'lost') return void response.destroy();
  if (answer) return send(response, answer.status, answer.body);
  const [, functionName] = invoking.exec(url) ?? [];
  const isEnabled = switching.get(target);
  if (method === 'POST' && functionName !== undefined && headers['x-amz-invocation-type'] === 'Event') {
    const payload = body || '{}';
    read(() => JSON.parse(payload));
    calls.invokeLater(
      read(() => decodeURIComponent(functionName)),
      payload,
    );
    send(response, 202);
  } else if (method === 'POST' && functionName !== undefined && calls.invoke && isWaitedFor(headers)) {
    const payload = body || '{}';
    read(() => JSON.parse(payload));
    const name = read(() => decodeURIComponent(functionName));
    const { failed, result } = await outcomeOf(calls.invoke(name, payload));
    response.writeHead(200, { 'Content-Type': 'application/json', ...(failed && { 'X-Amz-Function-Error': 'Unhandled' }) });
    response.end(result);
  } else if (method === 'POST' && isEnabled !== undefined) {
    const { Name } = read(() => ({ ...JSON.parse(body) }));
    if (typeof Name !== 'string') throw unreadableBecause('Name is missing');
    calls.setRuleEnabled(Name, isEnabled);
    send(response, 200, {});
  } else if (method === 'POST' && target === 'secretsmanager.GetSecretValue') {
    const { SecretId } = read(() => ({ ...JSON.parse(body) }));
    const secret = new Map(Object.entries(calls.secrets ?? {})).get(SecretId);
    if (secret === undefined) throw new Error('there is no such secret');
    send(response, 200, { ARN: SecretId, SecretString: secret });
  } else if (method === 'POST' && target === 'AmazonSQS.SendMessage' && calls.sendMessage) {
    const { QueueUrl, MessageBody, ...more } = read(() => ({ ...JSON.parse(body) }));
    if (typeof QueueUrl !== 'string' || typeof MessageBody !== 'string')
      throw unreadableBecause('QueueUrl or MessageBody is missing');
    if (Object.keys(more).length > 0) throw unreadableBecause(`the local host does not support ${Object.keys(more)} of messages`);
    const { messageId: MessageId, md5OfBody: MD5OfMessageBody } = calls.sendMessage(QueueUrl, MessageBody);
    send(response, 200, { MessageId, MD5OfMessageBody });
  } else send(response, 400, { __type: 'UnknownOperationException', message: 'the local host does not support this call' });
}

/** Invocations are synchronous by default. */
const isWaitedFor = ({ 'x-amz-invocation-type': type = 'RequestResponse' }: IncomingMessage['headers']) =>
  type === 'RequestResponse';

/** The result of a function, or Lambda's response if it fails. @throws other errors unchanged */
async function outcomeOf(running: Promise<string>): Promise<{ failed: boolean; result: string }> {
  try {
    return { failed: false, result: await running };
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    const { errorType, message: errorMessage } = error;
    return { failed: true, result: JSON.stringify({ errorType, errorMessage }) };
  }
}

function send(response: ServerResponse, status: number, body?: object): void {
  const text = body ? JSON.stringify(body) : '';
  response.writeHead(status, {
    'Content-Type': 'application/x-amz-json-1.1',
    ...(body && '__type' in body && { 'x-amzn-ErrorType': String(body.__type) }),
  });
  response.end(text);
}
