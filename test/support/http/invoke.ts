import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { permissions } from '../../../lambdas/core/key/permissions.ts';
import { checkExchange } from './openapi.ts';

/** The context of an invocation that has `budget` milliseconds left for its store calls. */
export const contextWith = (budget: number) => ({ getRemainingTimeInMillis: () => budget + 5_000 }) as Context;

/** The host of the requests. */
export const apiHost = 'api.links.example';

/** The content of a body: parsed JSON, or a text such as CSV unchanged. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape.
export const contentOf = (type: unknown, body: string): any => {
  if (body === '') return undefined;
  return /\bjson\b/.test(String(type)) ? JSON.parse(body) : body;
};

let made = 0;

export type EndpointCall = {
  readonly workspaceId: string;
  readonly id?: string;
  readonly domain?: string;
  readonly entryId?: string;
  readonly slug?: string;
  readonly externalId?: string;
  readonly body?: unknown;
  /** A parameter that is sent more than once has several values. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds for its store calls; the default is 20,000. */
  readonly budget?: number;
  /** The id of the caller's key; the default is no key of any table. The gateway takes it for one with all permissions. */
  readonly keyId?: string;
  /** The member whose sign-in the key belongs to, as the authorizer says. */
  readonly memberId?: string | undefined;
  /** When the gateway received the request, in milliseconds since 1970; the default is now. */
  readonly receivedAt?: number;
};

/**
 * Invokes an endpoint's handler in this process, as the gateway would, for a workspace with all permissions. Faults
 * could not be injected through the service itself, because its functions run in their own threads. Checks that the
 * response agrees with openapi.json.
 */
export const callEndpoint = (name: string, call: EndpointCall) => callModule(name, '', call);

let started = 0;

/** The same with a function that has just started, and has not cached the blocked destinations yet. */
export function startEndpoint(name: string): (call: EndpointCall) => ReturnType<typeof callEndpoint> {
  // A module with another address is loaded anew.
  const reload = `?started=${++started}`;
  return (call) => callModule(name, reload, call);
}

async function callModule(
  name: string,
  reload: string,
  {
    workspaceId,
    id,
    domain,
    entryId,
    slug,
    externalId,
    body,
    query,
    headers = {},
    budget = 20_000,
    receivedAt = Date.now(),
    keyId = `key_${'k'.repeat(43)}`,
    memberId,
  }: EndpointCall,
) {
  const { permissionSetting, routes } = await import('../../../lib/endpoints.ts');
  const { sourceOf } = await import('../../../lib/bundles.ts');
  const route = routes.find((one) => one.name === name);
  if (!route) throw new Error(`no endpoint ${name}`);
  process.env.PERMISSION = permissionSetting(route);
  const { handler } = await import(sourceOf(name) + reload);
  const sent = { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers };
  const eachValue = (give: (values: readonly string[]) => unknown) =>
    Object.fromEntries(Object.entries(query ?? {}).map(([parameter, value]) => [parameter, give([value].flat())]));
  const event = {
    httpMethod: route.method,
    path: route.path,
    pathParameters: [id, domain, externalId].every((part) => part === undefined)
      ? null
      : { id, domain, entryId, slug, externalId },
    queryStringParameters: query ? eachValue((values) => values.at(-1)) : null,
    multiValueQueryStringParameters: query ? eachValue((values) => values) : null,
    multiValueHeaders: Object.fromEntries(Object.entries(sent).map(([header, value]) => [header, [value]])),
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      requestId: `request-${++made}`,
      requestTimeEpoch: receivedAt,
      domainName: apiHost,
      path: route.path,
      authorizer: {
        workspaceId,
        permissions: permissions.join(' '),
        principalId: keyId,
        keyName: 'Tests',
        ...(memberId !== undefined && { memberId }),
      },
    },
  };
  const answer: APIGatewayProxyResult = await handler(event, contextWith(budget));
  const read = {
    status: answer.statusCode,
    headers: answer.headers ?? {},
    body: contentOf(answer.headers?.['Content-Type'], answer.body),
  };
  checkExchange({
    ...read,
    method: route.method,
    path: route.path
      .replace('{id}', 'id')
      .replace('{domain}', 'domain')
      .replace('{entryId}', 'entry')
      .replace('{slug}', 'slug')
      .replace('{externalId}', 'id'),
    headers: new Headers(read.headers as Record<string, string>),
    requestHeaders: sent,
    requestBody: body,
  });
  return read;
}
