import middy from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { accessLog } from './access-log.ts';
import { type ApiEvent, callerOf, type Internal, type Middleware, pathParameter } from './api-event.ts';
import { finishResponse } from './finish-response.ts';
import { parseBody } from './parse-body.ts';
import { parseQuery } from './parse-query.ts';
import { refuseExpiredKey } from './refuse-expired-key.ts';
import { inRequestContext } from './request-context.ts';
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
  /** Whether a missing body is treated as `{}`. */
  readonly isBodyOptional?: boolean;
  /** The schema of the query parameters, which are all strings. Without it, none are allowed. */
  readonly query?: Q;
  /** Steps between the permission check and the query. */
  readonly before?: readonly Middleware[];
};

const nothing = z.undefined();

/**
 * Makes an endpoint's Lambda handler, which takes each request through the same steps, in this order. Errors become
 * problem documents. After the handler, the steps run in reverse order, so the access log sees the finished response.
 *
 * Everything runs in the request's context: store calls end before the deadline, and log lines and changes name the
 * caller.
 */
export function endpoint<B extends z.core.$ZodType = typeof nothing, Q extends z.core.$ZodType = typeof nothing>(
  { body, isBodyOptional = false, query, before = [] }: EndpointOptions<B, Q>,
  handle: (call: Call<z.output<B>, z.output<Q>>) => Promise<APIGatewayProxyResult>,
) {
  const steps = middy<ApiEvent, APIGatewayProxyResult, Error, Context, Internal>()
    .use(accessLog())
    .use(finishResponse())
    .use(refuseExpiredKey())
    .use(requirePermission())
    .use([...before])
    .use(parseQuery(query))
    .use(body ? parseBody(body, isBodyOptional) : [])
    .handler((event: ApiEvent) =>
      handle({
        workspaceId: callerOf(event).workspaceId,
        id: pathParameter(event, 'id'),
        body: event.parsedBody as z.output<B>,
        query: event.parsedQuery as z.output<Q>,
        event,
      }),
    );
  return (event: ApiEvent, context: Context): Promise<APIGatewayProxyResult> =>
    inRequestContext(event, context, () => steps(event, context));
}
