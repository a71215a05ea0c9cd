import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { RequestError } from '../domain/errors.ts';

/** A request as it goes through the middlewares: `parsedBody` and `parsedQuery` are there once they were checked. */
export type ApiEvent = APIGatewayProxyEvent & { parsedBody?: unknown; parsedQuery?: unknown };

/** What middlewares leave for one another: headers for the answer. */
export type Internal = { headers?: Record<string, string> };

export type Middleware = MiddlewareObj<ApiEvent, APIGatewayProxyResult, Error, Context, Internal>;

/** Who calls, by the word of the authorizer. */
export type Caller = {
  readonly workspaceId: string;
  readonly permissions: readonly string[];
  /** When the key expires; absent where it does not. */
  readonly expiresAt: string | undefined;
};

/** What the authorizer found out about the caller; its values come as strings. */
export function callerOf(event: ApiEvent): Caller {
  const { workspaceId, permissions, expiresAt } = event.requestContext.authorizer ?? {};
  if (typeof workspaceId !== 'string' || typeof permissions !== 'string')
    throw new Error('the authorizer did not name a workspace');
  return { workspaceId, permissions: permissions.split(' '), expiresAt: expiresAt === undefined ? undefined : String(expiresAt) };
}

/**
 * The value of a header, whatever the case of its name; undefined where it is absent.
 *
 * @throws RequestError `bad_request` where it was sent more than once.
 */
export function header(event: ApiEvent, name: string): string | undefined {
  const values = Object.entries(event.multiValueHeaders ?? {}).flatMap(([sent, list]) =>
    sent.toLowerCase() === name.toLowerCase() ? (list ?? []) : [],
  );
  if (values.length > 1) throw new RequestError('bad_request', `The header ${name} must be sent only once.`);
  return values[0];
}
