import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { RequestError } from '../core/errors.ts';
import { decodedName } from '../core/history/author.ts';

/** A request on its way through the middlewares. `parsedBody` and `parsedQuery` are set once they are validated. */
export type ApiEvent = APIGatewayProxyEvent & { parsedBody?: unknown; parsedQuery?: unknown };

/** The state that the steps of a request share. */
export type Internal = {
  /** Headers for the response. */
  headers?: Record<string, string>;
  /** When the request began, by the steady clock. */
  since?: number;
};

export type Middleware = MiddlewareObj<ApiEvent, APIGatewayProxyResult, Error, Context, Internal>;

/** The caller, as the authorizer identified it. */
export type Caller = {
  readonly workspaceId: string;
  readonly permissions: readonly string[];
  /** The key's id and its name; null if it has none. */
  readonly keyId: string;
  readonly keyName: string | null;
  /** When the key expires; undefined if it doesn't. */
  readonly expiresAt: string | undefined;
};

/** Reads the authorizer's context. API Gateway passes its values as strings. */
export function callerOf(event: ApiEvent): Caller {
  const { workspaceId, permissions, expiresAt, principalId, keyName } = event.requestContext.authorizer ?? {};
  if (typeof workspaceId !== 'string' || typeof permissions !== 'string' || typeof principalId !== 'string')
    throw new Error('the authorizer did not name a workspace and a key');
  return {
    workspaceId,
    permissions: permissions.split(' '),
    keyId: principalId,
    keyName: decodedName(keyName),
    expiresAt: expiresAt === undefined ? undefined : String(expiresAt),
  };
}

/**
 * When the gateway received the request, in milliseconds since 1970. A function's own clock may be off by hours
 * (docs/decisions/0029).
 */
export const receivedAt = (event: ApiEvent): number => event.requestContext.requestTimeEpoch;

/**
 * The value of a header, whose name is case-insensitive; undefined if it is absent.
 *
 * @throws RequestError `bad_request` if it was sent more than once.
 */
export function header(event: ApiEvent, name: string): string | undefined {
  const values = Object.entries(event.multiValueHeaders ?? {}).flatMap(([sent, list]) =>
    sent.toLowerCase() === name.toLowerCase() ? (list ?? []) : [],
  );
  if (values.length > 1) throw new RequestError('bad_request', `The header ${name} must be sent only once.`);
  return values[0];
}

/**
 * A parameter of the path; empty if the path has none. It is decoded, because a gateway may leave it encoded, and no id
 * of ours has a percent sign.
 */
export function pathParameter({ pathParameters }: ApiEvent, name: string): string {
  const text = pathParameters?.[name] ?? '';
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The URL of the API as the client called it, without a trailing slash, such as
 * `https://abc.execute-api.eu-central-1.amazonaws.com/dev`. The gateway sets the scheme, which is plain only on a
 * laptop.
 */
export function baseUrlOf(event: ApiEvent): string {
  const { path = '', domainName } = event.requestContext;
  const scheme = header(event, 'X-Forwarded-Proto') === 'http' ? 'http' : 'https';
  return `${scheme}://${header(event, 'Host') ?? domainName}${path.replace(/\/api\/v1\/.*$/, '')}`;
}
