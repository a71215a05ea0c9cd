import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Answer, type Context, GatewayError } from './gateway-responses.ts';
import { account } from './resources.ts';
import type { Route } from './routes.ts';

type Many = Readonly<Record<string, readonly string[]>>;

/** What the gateway knows of a request before its body. */
export type Request = {
  readonly id: string;
  readonly receivedAt: number;
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly host: string;
  readonly protocol: string;
  readonly sourceIp: string;
  /** By name as sent; a header that came twice has two values. */
  readonly headers: Many;
  /** Without the `?`, as it was sent. */
  readonly rawQuery: string;
  readonly query: Many;
  /** The last value of a header, whatever its case. */
  readonly header: (name: string) => string | undefined;
};

/** Reads the head of a request, however odd it is. */
export function readRequest(message: IncomingMessage): Request {
  // The absolute form that proxies use: its host counts, not the header's.
  const [, authority, target = '/'] = /^(?:https?:\/\/([^/?#]*))?(.*)$/is.exec(message.url ?? '/') ?? [];
  const [path = '/', ...query] = target.split('?');
  const headers = group(pairs(message.rawHeaders), (name) => name.toLowerCase());
  return {
    id: randomUUID(),
    receivedAt: Date.now(),
    method: message.method ?? 'GET',
    path: path || '/',
    host: authority ?? message.headers.host ?? '',
    protocol: `HTTP/${message.httpVersion}`,
    sourceIp: message.socket.remoteAddress ?? '127.0.0.1',
    headers,
    rawQuery: query.join('?'),
    query: group(new URLSearchParams(query.join('?')), (name) => name),
    header: (name) => {
      const sent = Object.keys(headers).find((it) => it.toLowerCase() === name.toLowerCase());
      return sent && headers[sent]?.at(-1);
    },
  };
}

function* pairs(flat: readonly string[]): Generator<readonly [string, string]> {
  for (let i = 0; i + 1 < flat.length; i += 2) yield [flat[i] as string, flat[i + 1] as string];
}

/** Entries whose names are the same by `identity` go under the name that came first. */
function group(entries: Iterable<readonly [string, string]>, identity: (name: string) => string): Many {
  const groups = new Map<string, readonly [string, string[]]>();
  for (const [name, value] of entries) {
    const known = groups.get(identity(name));
    if (known) known[1].push(value);
    else groups.set(identity(name), [name, [value]]);
  }
  return Object.fromEntries(groups.values());
}

const lastOf = (many: Many) => Object.fromEntries(Object.entries(many).map(([name, values]) => [name, values.at(-1)]));
const orNull = <T extends object>(value: T) => (Object.keys(value).length ? value : null);

/** The `requestContext` of a proxy event, and what `$context` variables are looked up in. */
export function contextOf(request: Request, apiId: string, stage: string, route?: Route, authorizer?: Context): Context {
  const agent = request.header('user-agent') ?? null;
  return {
    accountId: account,
    apiId,
    ...(authorizer && { authorizer }),
    domainName: request.host,
    domainPrefix: request.host.split(/[.:]/)[0],
    extendedRequestId: request.id,
    httpMethod: request.method,
    identity: {
      accessKey: null,
      accountId: null,
      caller: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.sourceIp,
      user: null,
      userAgent: agent,
      userArn: null,
    },
    path: request.path,
    protocol: request.protocol,
    requestId: request.id,
    requestTime: commonLogTime(request.receivedAt),
    requestTimeEpoch: request.receivedAt,
    ...(route && { resourceId: route.resourceId, resourcePath: route.resourcePath }),
    stage,
  };
}

/** `05/Nov/2025:13:04:09 +0000` */
export function commonLogTime(time: number): string {
  const [, day, month, year, clock] = new Date(time).toUTCString().split(' ');
  return `${day}/${month}/${year}:${clock} +0000`;
}

/** Whether a media type is among the API's binary ones, where `*` stands for anything. */
export function isBinary(binaryTypes: readonly string[], mediaType = ''): boolean {
  const type = mediaType.split(/[;,]/)[0]?.trim().toLowerCase() ?? '';
  return binaryTypes.some((binary) => {
    const [whole, main] = [binary.toLowerCase(), binary.toLowerCase().replace(/\/\*$/, '/')];
    return whole === '*/*' || whole === type || (whole.endsWith('/*') && type.startsWith(main));
  });
}

/** The event of a REST API's Lambda proxy integration. */
export function proxyEvent(
  request: Request,
  {
    resourcePath,
    pathParameters,
    stageVariables,
    requestContext,
    body,
    binary,
  }: {
    resourcePath: string;
    pathParameters: Readonly<Record<string, string>> | null;
    stageVariables: Readonly<Record<string, string>> | null;
    requestContext: Context;
    body: Buffer;
    binary: boolean;
  },
): object {
  const headers: Many = {
    ...request.headers,
    'X-Amzn-Trace-Id': [
      `Root=1-${Math.floor(request.receivedAt / 1000).toString(16)}-${request.id.replaceAll('-', '').slice(0, 24)}`,
    ],
    'X-Forwarded-For': [[request.header('x-forwarded-for'), request.sourceIp].filter(Boolean).join(', ')],
    'X-Forwarded-Proto': ['http'],
  };
  return {
    resource: resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers: lastOf(headers),
    multiValueHeaders: headers,
    queryStringParameters: orNull(lastOf(request.query)),
    multiValueQueryStringParameters: orNull(request.query),
    pathParameters,
    stageVariables,
    requestContext,
    body: body.length ? body.toString(binary ? 'base64' : 'utf8') : null,
    isBase64Encoded: binary && body.length > 0,
  };
}

/** What the connection itself decides; a function has no say in it. */
const connectionHeaders = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** Turns what a function returned into an HTTP answer. @throws GatewayError when it has not the form of the proxy integration. */
export function proxyAnswer(payload: string, decodeBase64: boolean): Answer {
  const malformed = (what: string) => new GatewayError('INTEGRATION_FAILURE', `malformed proxy response: ${what}`);
  const answer = JSON.parse(payload) as Record<string, unknown> | null;
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw malformed('no object');
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = answer;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) throw malformed(`statusCode ${JSON.stringify(statusCode)}`);
  if (body !== undefined && body !== null && typeof body !== 'string') throw malformed('body is no string');
  for (const [name, map] of Object.entries({ headers, multiValueHeaders })) {
    if (map !== undefined && map !== null && typeof map !== 'object') throw malformed(`${name} is no object`);
  }

  const merged = new Map<string, readonly [string, Set<string>]>();
  for (const [name, value] of [...Object.entries(multiValueHeaders ?? {}), ...Object.entries(headers ?? {})]) {
    const key = name.toLowerCase();
    if (connectionHeaders.has(key)) continue;
    if (!merged.has(key)) merged.set(key, [name, new Set()]);
    for (const single of Array.isArray(value) ? value : [value]) {
      if (!['string', 'number', 'boolean'].includes(typeof single)) throw malformed(`header ${name}`);
      merged.get(key)?.[1].add(String(single));
    }
  }
  if (!merged.has('content-type') && status !== 204) merged.set('content-type', ['Content-Type', new Set(['application/json'])]);
  return {
    status,
    headers: Object.fromEntries(
      [...merged.values()].map(([name, values]) => [name, values.size > 1 ? [...values] : ([...values][0] ?? '')]),
    ),
    body: isBase64Encoded === true && decodeBase64 ? Buffer.from(body ?? '', 'base64') : (body ?? ''),
  };
}
