import { logAccess } from '../runtime/access-log.ts';
import { steadyTime } from '../runtime/instant.ts';
import type { Middleware } from './api-event.ts';

/** Logs every request with the status that the client gets, if the stage wants that. */
export function accessLog(): Middleware {
  const accessLogAfter: Middleware['after'] = ({ event, response, internal }) => {
    const { path, httpMethod: method, requestContext } = event;
    const since = internal.since ?? steadyTime();
    logAccess({ method, path, status: response?.statusCode, since, sourceIp: requestContext.identity?.sourceIp ?? '' });
  };
  return {
    before: function accessLogBefore({ internal }) {
      internal.since = steadyTime();
    },
    after: accessLogAfter,
    onError: accessLogAfter,
  };
}
