import { RequestError } from '../domain/errors.ts';
import type { Middleware } from './request.ts';

/** Refuses query parameters, of which the operation has none: a mistyped filter must not look as if it had worked. */
export function refuseQuery(): Middleware {
  return {
    before: function refuseQueryBefore({ event }) {
      const names = Object.keys(event.queryStringParameters ?? {}).map((name) => name.slice(0, 128));
      if (names.length === 0) return;
      throw new RequestError('validation_failed', 'The operation has no such query parameter.', {
        fieldErrors: names.slice(0, 20).map((name) => ({
          path: '',
          code: 'unknown_parameter',
          message: `"${name}" is not a query parameter of this operation`,
        })),
      });
    },
  };
}
