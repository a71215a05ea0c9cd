import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { bulkChanges, bulkRequests, metadataRequests } from '../../lambdas/core/limits.ts';
import type { ProblemTable } from '../../lambdas/http/problems.ts';

/**
 * An error that the gateway itself returns, in the format of the functions' errors. The compiler checks status and
 * title.
 */
type GatewayProblem<C extends keyof ProblemTable> = {
  readonly code: C;
  readonly status: ProblemTable[C]['status'];
  readonly title: ProblemTable[C]['title'];
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const problem = <C extends keyof ProblemTable>(p: GatewayProblem<C>) => p;

const unauthorized = problem({
  code: 'unauthorized',
  status: 401,
  title: 'Unauthorized',
  detail: 'The request needs the header "Authorization: Bearer <key>" with a valid API key.',
  headers: { 'WWW-Authenticate': 'Bearer' },
});
const notFound = problem({ code: 'not_found', status: 404, title: 'Not found', detail: 'This address does not exist.' });
const forbidden = (detail: string) => problem({ code: 'forbidden', status: 403, title: 'Forbidden', detail });
const rateLimited = problem({
  code: 'rate_limited',
  status: 429,
  title: 'Too many requests',
  // The gateway has one response for all limits of the usage plan, and cannot tell which one was reached.
  detail:
    `Too many requests. In any ${bulkRequests.windowSeconds} seconds, a workspace may send ${bulkRequests.quota} imports unless the operator allows more, ` +
    `${bulkChanges.quota} bulk updates and deletions, and ${metadataRequests.quota} requests for metadata: retry these after ` +
    'Retry-After, and anything else after a second.',
  headers: { 'Retry-After': String(bulkRequests.windowSeconds) },
});
const unavailable = problem({
  code: 'temporarily_unavailable',
  status: 503,
  title: 'Temporarily unavailable',
  detail: 'The service is temporarily unavailable. Send the request again.',
  headers: { 'Retry-After': '1' },
});
const notReadyYet = problem({
  ...unavailable,
  detail:
    "The gateway does not know the workspace's key yet. This takes a few seconds after a workspace is created. Send the request again.",
  headers: { 'Retry-After': '5' },
});
const badRequest = problem({ code: 'bad_request', status: 400, title: 'Bad request', detail: 'The request is malformed.' });

/**
 * The gateway's own responses, by all documented response types
 * (https://docs.aws.amazon.com/apigateway/latest/api/API_GatewayResponse.html, and what they mean at
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html).
 *
 * An unknown route appears as MISSING_AUTHENTICATION_TOKEN, or as INVALID_SIGNATURE if the request has an Authorization
 * header that isn't in AWS's own format.
 */
const responses: Readonly<Record<string, GatewayProblem<keyof ProblemTable>>> = {
  UNAUTHORIZED: unauthorized,
  // Denied by the authorizer's policy: `lambdas/authorizer/authorize.ts`.
  ACCESS_DENIED: forbidden('The API key lacks the permission for this operation.'),
  // Refused by the stage's web ACL, or by one that the operator has attached.
  WAF_FILTERED: forbidden('A firewall in front of the service refused the request.'),
  MISSING_AUTHENTICATION_TOKEN: notFound,
  INVALID_SIGNATURE: notFound,
  EXPIRED_TOKEN: notFound,
  RESOURCE_NOT_FOUND: notFound,
  // All documented 4xx types are listed. So any other is an unknown route, with a type that AWS does not document.
  DEFAULT_4XX: notFound,
  THROTTLED: rateLimited,
  QUOTA_EXCEEDED: rateLimited,
  REQUEST_TOO_LARGE: problem({
    code: 'request_too_large',
    status: 413,
    title: 'Request too large',
    detail: 'A request must not be larger than 6 MB.',
  }),
  UNSUPPORTED_MEDIA_TYPE: problem({
    code: 'unsupported_media_type',
    status: 415,
    title: 'Unsupported media type',
    detail: 'The Content-Type must be application/json.',
  }),
  BAD_REQUEST_BODY: badRequest,
  BAD_REQUEST_PARAMETERS: badRequest,
  // The authorizer returns a gateway key for every caller. The gateway knows a new one only after some seconds:
  // https://github.com/moduspwnens/boa-chat/issues/1
  INVALID_API_KEY: notReadyYet,
  AUTHORIZER_FAILURE: unavailable,
  AUTHORIZER_CONFIGURATION_ERROR: unavailable,
  API_CONFIGURATION_ERROR: unavailable,
  INTEGRATION_FAILURE: unavailable,
  INTEGRATION_TIMEOUT: unavailable,
  DEFAULT_5XX: unavailable,
};

/** Turns the gateway's own errors into problem documents (RFC 9457), like all other errors of the API. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, { code, status, title, detail, headers }] of Object.entries(responses)) {
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: String(status),
      responseHeaders: Object.fromEntries(
        Object.entries({
          'Content-Type': 'application/problem+json',
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
          ...headers,
        }).map(([name, value]) => [name, `'${value}'`]),
      ),
      templates: {
        'application/json': JSON.stringify({
          type: `urn:problem:links:${code}`,
          title,
          status,
          detail,
          code,
          requestId: '$context.requestId',
        }),
      },
    });
  }
}
