import middy from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { logAccess } from '../runtime/access-log.ts';
import { asAuthor } from '../runtime/author.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { steadyTime } from '../runtime/instant.ts';
import { asLoggedRequest, type LoggedRequest } from '../runtime/logged-request.ts';
import { finishAnswer } from './answer.ts';
import { type ApiEvent, callerOf, type Internal, type Middleware } from './api-event.ts';
import { parseBody } from './parse-body.ts';
import { parseQuery } from './parse-query.ts';
import { refuseExpiredKey } from './refuse-expired-key.ts';
import { requirePermission } from './require-permission.ts';

/** A validated request, as an endpoint sees it. */
export type Call<Body, Query> = {
  readonly workspaceId: string;
  /** `{id}` of the path; empty if the path has none. */
  readonly id: string;
  readonly body: Body;
  readonly query: Query;
  readonly event: ApiEvent;
};

export type EndpointOptions<B extends z.core.$ZodType, Q extends z.core.$ZodType> = {
  /** The schema of the body. Without it, no body is read. */
  readonly body?: B;
  /** The schema of the query parameters, which are all strings. Without it, none are allowed. */
  readonly query?: Q;
  /** Middlewares to run after the permission check and before the query is parsed. */
  readonly before?: readonly Middleware[];
};

const nothing = z.undefined();

/**
 * Makes an endpoint's Lambda handler. Key, permission, query and body are checked before `handle` is called; errors
 * become problem documents; store calls end within the request's time budget; what they write names the caller's key.
 */
export function endpoint<B extends z.core.$ZodType = typeof nothing, Q extends z.core.$ZodType = typeof nothing>(
  { body, query, before = [] }: EndpointOptions<B, Q>,
  handle: (call: Call<z.output<B>, z.output<Q>>) => Promise<APIGatewayProxyResult>,
) {
  const stack = middy<ApiEvent, APIGatewayProxyResult, Error, Context, Internal>();
  stack.use(finishAnswer()).use(refuseExpiredKey()).use(requirePermission());
  for (const middleware of before) stack.use(middleware);
  stack.use(parseQuery(query));
  if (body) stack.use(parseBody(body));
  stack.handler(async (event) => {
    const { workspaceId, keyId: id, keyName: name } = callerOf(event);
    return asAuthor({ actor: { type: 'key', id, name }, requestId: event.requestContext.requestId }, () =>
      handle({
        workspaceId,
        id: event.pathParameters?.id ?? '',
        body: event.parsedBody as z.output<B>,
        query: event.parsedQuery as z.output<Q>,
        event,
      }),
    );
  });
  return (event: ApiEvent, context: Context): Promise<APIGatewayProxyResult> =>
    withinInvocation(context, () => asLoggedRequest(requestOf(event), () => logged(event, () => stack(event, context))));
}

/** Whose request it is, for the log: also of one that is refused. */
function requestOf({ requestContext: { requestId, authorizer } }: ApiEvent): LoggedRequest {
  return { requestId, workspaceId: authorizer?.workspaceId, keyId: authorizer?.principalId };
}

/** Answers a request, and logs it if the stage wants that. */
async function logged(event: ApiEvent, answer: () => Promise<APIGatewayProxyResult>): Promise<APIGatewayProxyResult> {
  const since = steadyTime();
  const answered = await answer();
  const { path, httpMethod: method, requestContext } = event;
  logAccess({ method, path, status: answered.statusCode, since, sourceIp: requestContext.identity?.sourceIp ?? '' });
  return answered;
}
