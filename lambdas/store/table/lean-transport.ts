import type { IncomingHttpHeaders, request } from 'node:http';
import type { ServiceError } from '../../runtime/failed-calls.ts';
import { optionalSetting, setting } from '../../runtime/settings.ts';
import { adjustClock, tableTime } from './clock.ts';
import { type KeptConnections, keptConnections } from './kept-connections.ts';
import { errorFields, type Kind, read, written } from './lean-operations.ts';
import { connectionTimeout, type Input, type Operation, type Options, type Output, requestTimeout } from './operations.ts';
import { authorization } from './signature.ts';

/**
 * Sends requests to DynamoDB without the SDK, for functions whose start visitors wait for, and for one that makes very
 * many calls. It sends the same bytes as the SDK, except for headers that DynamoDB doesn't need.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.LowLevelAPI.html
 */

export { BatchGetItem, DeleteItem, GetItem, type Kind, PutItem, UpdateItem } from './lean-operations.ts';

/** The domains of the partitions whose regions do not belong to `amazonaws.com`, by the beginnings of their regions. */
const domains: Readonly<Record<string, string>> = {
  'cn-': 'amazonaws.com.cn',
  'eusc-': 'amazonaws.eu',
  'us-iso-': 'c2s.ic.gov',
  'us-isob-': 'sc2s.sgov.gov',
  'eu-isoe-': 'cloud.adc-e.uk',
  'us-isof-': 'csp.hci.ic.gov',
};

/** The address of DynamoDB in a region. */
export function regionalEndpoint(region: string): string {
  const [, domain] = Object.entries(domains).find(([start]) => region.startsWith(start)) ?? [];
  return `https://dynamodb.${region}.${domain ?? 'amazonaws.com'}`;
}

/** Node's client for an address. */
const clientFor = (address: string | undefined) =>
  process.getBuiltinModule(address?.startsWith('http:') ? 'node:http' : 'node:https');

// Loaded here, because Lambda gives a function more processor time while it starts than in its first call. TLS is most
// of the cost of loading this module, and a laptop doesn't need it. On AWS, the setting is missing.
clientFor(optionalSetting('AWS_ENDPOINT_URL_DYNAMODB'));

/** Where to send requests, and over which connections. */
type Endpoint = {
  readonly address: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly request: typeof request;
  readonly connections: KeptConnections;
};

let latest: Endpoint | undefined;

function endpointAt(address: string): Endpoint {
  if (latest?.address === address) return latest;
  const { host, hostname: bracketed, port, pathname } = new URL(address);
  if (pathname !== '/') throw new Error('AWS_ENDPOINT_URL_DYNAMODB must not have a path');
  // In a URL, an IPv6 address has brackets.
  const hostname = bracketed.replace(/^\[|\]$/g, '');
  const { Agent, request } = clientFor(address);
  latest = { address, host, hostname, port, request, connections: keptConnections(Agent) };
  return latest;
}

/**
 * Sends one request, once. The function's environment is read each time, since Lambda may change the credentials.
 *
 * @throws the same errors as `sdk-transport.ts`
 */
export async function send<O extends Operation>(kind: Kind<O>, input: Input<O>, { timeLeft }: Options): Promise<Output<O>> {
  const region = setting('AWS_REGION');
  const endpoint = endpointAt(optionalSetting('AWS_ENDPOINT_URL_DYNAMODB') ?? regionalEndpoint(region));
  const body = written(kind.input, input);
  const headers = signed(kind.name, body, endpoint.host, region);
  const sentAt = Date.now();
  const response = await exchange(endpoint, headers, body, timeLeft);
  adjustClock(response.headers.date, sentAt, Date.now());
  const $metadata = { httpStatusCode: response.status };
  try {
    const body = JSON.parse(response.body || '{}');
    if (response.status < 300) return read(kind.output, body) as Output<O>;
    throw serviceError(response, body);
  } catch (error) {
    // If a proxy responds with a page instead of JSON, its status tells whether the call may have been executed.
    throw Object.assign(error as Error, { $metadata });
  }
}

/** The headers of a request, signed by the table's time, so that a wrong clock is corrected by the first response. */
function signed(operation: Operation, body: string, host: string, region: string): Record<string, string> {
  const amzDate = new Date(tableTime()).toISOString().replace(/[-:]|\.\d+/g, '');
  const token = optionalSetting('AWS_SESSION_TOKEN');
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.0',
    host,
    'x-amz-date': amzDate,
    ...(token !== undefined && { 'x-amz-security-token': token }),
    'x-amz-target': `DynamoDB_20120810.${operation}`,
  };
  const credentials = { accessKeyId: setting('AWS_ACCESS_KEY_ID'), secretAccessKey: setting('AWS_SECRET_ACCESS_KEY') };
  const scope = { amzDate, region, service: 'dynamodb' };
  headers.authorization = authorization({ method: 'POST', path: '/', headers, body }, credentials, scope);
  headers['content-length'] = String(Buffer.byteLength(body));
  return headers;
}

type Response = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string };

/** Sends a request, and reads the whole response, in the time that there is. */
function exchange(
  { request, connections, hostname, port }: Endpoint,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeLeft: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const fail = (error: ServiceError) => {
      clearTimeout(timer);
      clearTimeout(connecting);
      outgoing.destroy();
      connections.closeFree();
      reject(brokenNames.has(error.code ?? '') ? Object.assign(error, { name: 'TimeoutError' }) : error);
    };
    connections.closeStale();
    const { agent } = connections;
    // Node writes a list of headers as it is. From an object, it builds a map first.
    const list = Object.entries(headers).flat();
    const outgoing = request({ method: 'POST', path: '/', hostname, port, agent, headers: list }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('error', fail);
      incoming.on('end', () => {
        clearTimeout(timer);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks).toString() });
      });
    });
    const timer =
      timeLeft < requestTimeout
        ? setTimeout(() => fail(named('AbortError', `no response within the ${timeLeft} ms that were left`)), timeLeft)
        : setTimeout(() => fail(named('TimeoutError', `no response within ${requestTimeout} ms`)), requestTimeout);
    let connecting: NodeJS.Timeout | undefined;
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) return;
      const tooLate = () => fail(named('TimeoutError', `no connection within ${connectionTimeout} ms`));
      connecting = setTimeout(tooLate, connectionTimeout);
      socket.once('connect', () => clearTimeout(connecting));
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

/** Codes of broken connections, which the SDK also names TimeoutError. */
const brokenNames = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });

/** DynamoDB's error, with its own name and plain items. */
function serviceError({ headers }: Response, body: Readonly<Record<string, unknown>>): Error {
  const { __type, code, message, Message, ...more } = body;
  const name = String(__type ?? code ?? headers['x-amzn-errortype'] ?? 'Unknown');
  const error = named(name.replace(/^[^#]*#|[,:].*$/g, ''), String(message ?? Message ?? 'UnknownError'));
  return Object.assign(error, read(errorFields, more));
}
