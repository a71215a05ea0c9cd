import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { expect } from 'vitest';
import type { ApiEvent } from '../../../lambdas/http/api-event.ts';

/** A test's request. Fields that it leaves out have valid defaults. */
export type Sent = {
  /** The default is POST. */
  readonly method?: string;
  readonly id?: string;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly isBase64Encoded?: boolean;
  /** The default is only `Content-Type: application/json`. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Separated by spaces, as the authorizer returns them. */
  readonly permissions?: string;
  /** When the gateway received the request, in milliseconds since 1970; the default is now. */
  readonly receivedAt?: number;
  /** When the caller's key expires, as the authorizer returns it. By default, it does not. */
  readonly expiresAt?: string;
};

/** A request as API Gateway passes it to a function. */
export function apiEvent({
  method = 'POST',
  id,
  body,
  isBase64Encoded = false,
  headers,
  query,
  permissions,
  receivedAt = Date.now(),
  expiresAt,
}: Sent = {}): ApiEvent {
  const sent = Object.entries(headers ?? { 'Content-Type': 'application/json' });
  return {
    httpMethod: method,
    resource: '/api/v1/things/{id}',
    path: `/api/v1/things/${id ?? ''}`,
    pathParameters: id === undefined ? null : { id },
    stageVariables: null,
    queryStringParameters: query ?? null,
    multiValueQueryStringParameters: query
      ? Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]))
      : null,
    // If a header was sent several times, this has its last value.
    headers: Object.fromEntries(sent.map(([name, value]) => [name, [value].flat().at(-1)])),
    multiValueHeaders: Object.fromEntries(sent.map(([name, value]) => [name, [value].flat()])),
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    isBase64Encoded,
    requestContext: {
      requestId: 'request-1',
      requestTimeEpoch: receivedAt,
      authorizer: {
        workspaceId: 'ws_caller',
        principalId: 'key_caller',
        permissions: permissions ?? 'things:write things:read',
        ...(expiresAt !== undefined && { expiresAt }),
      },
    } as unknown as ApiEvent['requestContext'],
  };
}

/** The response of a function, with its body parsed. */
export type Answer = {
  readonly status: number;
  readonly headers: APIGatewayProxyResult['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape.
  readonly body: any;
};

/** Sends a request to an endpoint's handler. */
export async function ask(
  handler: (event: ApiEvent, context: Context) => Promise<APIGatewayProxyResult>,
  sent: Sent | ApiEvent = {},
): Promise<Answer> {
  const event = 'requestContext' in sent ? sent : apiEvent(sent);
  const { statusCode, headers, body } = await handler(event, { getRemainingTimeInMillis: () => 25_000 } as Context);
  return { status: statusCode, headers, text: body, body: body === '' ? undefined : JSON.parse(body) };
}

/** Expects a complete problem document (RFC 9457) and nothing else, with exactly the given errors. */
export function expectProblem(
  { status, headers, body }: Answer,
  wanted: { status: number; code: string; errors?: readonly unknown[]; headers?: Readonly<Record<string, string>> },
): void {
  expect({ status, headers, body }).toStrictEqual({
    status: wanted.status,
    headers: {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Type': 'application/problem+json',
      ...wanted.headers,
    },
    body: {
      type: `urn:problem:links:${wanted.code}`,
      title: expect.stringMatching(/./),
      status: wanted.status,
      detail: expect.stringMatching(/./),
      code: wanted.code,
      requestId: 'request-1',
      ...(wanted.errors && { errors: wanted.errors }),
    },
  });
}
