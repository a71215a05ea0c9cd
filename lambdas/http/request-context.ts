import type { Context } from 'aws-lambda';
import { decodedName } from '../core/history/author.ts';
import { asAuthor } from '../runtime/author.ts';
import { withinInvocation } from '../runtime/deadline.ts';
import { asLoggedRequest } from '../runtime/logged-request.ts';
import type { ApiEvent } from './api-event.ts';

/**
 * Runs `work` with the context that all code below it may use: the deadline of store calls, the request and key for log
 * lines, and the author of changes.
 *
 * It surrounds Middy's steps instead of being one, because no step can surround the others
 * (https://github.com/middyjs/middy/issues/1661). A `before` that calls `AsyncLocalStorage.enterWith` would also set
 * the context of the caller, and so of whatever runs next in the process.
 */
export function inRequestContext<T>({ requestContext }: ApiEvent, context: Context, work: () => Promise<T>): Promise<T> {
  const { requestId, authorizer } = requestContext;
  const { workspaceId, principalId: keyId, keyName, memberId } = authorizer ?? {};
  const actor =
    memberId === undefined
      ? ({ type: 'key', id: keyId, name: decodedName(keyName) } as const)
      : ({ type: 'member', id: memberId, name: null } as const);
  const author = { actor, requestId };
  return withinInvocation(context, () => asLoggedRequest({ requestId, workspaceId, keyId }, () => asAuthor(author, work)));
}
