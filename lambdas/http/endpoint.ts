import middy from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { withinInvocation } from '../deadline.ts';
import { finishAnswer } from './answer.ts';
import { parseBody } from './parse-body.ts';
import { refuseQuery } from './refuse-query.ts';
import { type ApiEvent, callerOf, type Internal, type Middleware } from './request.ts';
import { requirePermission } from './require-permission.ts';

/** A request as an endpoint sees it, once it was found to be in order. */
export type Call<Body> = {
  readonly workspaceId: string;
  readonly requestId: string;
  /** `{id}` of the path; empty where the path has none. */
  readonly id: string;
  readonly body: Body;
  readonly event: ApiEvent;
};

export type EndpointOptions<S extends z.core.$ZodType> = {
  /** What the body must be; none is read where it is absent. */
  readonly body?: S;
  /** What comes between the permission and the body. */
  readonly before?: readonly Middleware[];
};

const noBody = z.undefined();

/**
 * Makes an endpoint's Lambda handler: permission, query and body are checked before `handle` is called, what it throws
 * becomes a problem document, and its store calls end within the request's budget.
 */
export function endpoint<S extends z.core.$ZodType = typeof noBody>(
  { body, before = [] }: EndpointOptions<S>,
  handle: (call: Call<z.output<S>>) => Promise<APIGatewayProxyResult>,
) {
  const stack = middy<ApiEvent, APIGatewayProxyResult, Error, Context, Internal>().use(finishAnswer()).use(requirePermission());
  for (const middleware of before) stack.use(middleware);
  stack.use(refuseQuery());
  if (body) stack.use(parseBody(body));
  stack.handler(async (event) =>
    handle({
      workspaceId: callerOf(event).workspaceId,
      requestId: event.requestContext.requestId,
      id: event.pathParameters?.id ?? '',
      body: event.parsedBody as z.output<S>,
      event,
    }),
  );
  return (event: ApiEvent, context: Context): Promise<APIGatewayProxyResult> =>
    withinInvocation(context, () => stack(event, context));
}
