import { unexpectedError } from '../core/alarms.ts';
import { RequestError } from '../core/errors.ts';
import { loggedRequest } from '../runtime/logged-request.ts';
import { stackOf } from '../runtime/stack.ts';
import type { Middleware } from './api-event.ts';
import { problem } from './reply.ts';

/**
 * Finishes every response: turns errors into problem documents, and adds the headers that other steps left in
 * `request.internal`.
 *
 * Any other error than a `RequestError` is a bug: its name and stack are logged, and the client learns nothing about
 * it.
 */
export function finishResponse(): Middleware {
  return {
    after: function finishResponseAfter(request) {
      Object.assign(request.response?.headers ?? {}, request.internal.headers);
    },
    onError: function finishResponseOnError(request) {
      const { requestId } = request.event.requestContext;
      let error = request.error;
      if (!(error instanceof RequestError)) {
        const stack = error && stackOf(error);
        console.error({ message: unexpectedError, ...loggedRequest(), name: error?.name, stack });
        error = new RequestError('internal_error', 'Something went wrong on our side.');
      } else if (error.cause instanceof Error) {
        console.error({ message: error.cause.message, ...loggedRequest() });
      }
      request.response = problem(error as RequestError, requestId);
      Object.assign(request.response.headers ?? {}, request.internal.headers);
    },
  };
}
