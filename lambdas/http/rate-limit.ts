import { RequestError } from '../core/errors.ts';
import { newRequestToken } from '../core/ids.ts';
import { takeSlot } from '../store/limits/request-limits.ts';
import type { LimitName } from '../store/table/keys.ts';
import { callerOf, type Middleware, receivedAt } from './api-event.ts';

/** The requests that each limit counts, for the error message. */
const counted: Readonly<Record<LimitName, string>> = {
  bulk: 'imports',
  'bulk-changes': 'bulk updates and deletions',
  metadata: 'requests for metadata',
};

/**
 * Lets a request pass only if it gets one of its workspace's slots of the limit. Each response says how much of the
 * limit is left, in the headers of https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10. It
 * runs before the body is read, so requests that fail validation are counted.
 *
 * `Retry-After` is at least the full window, although `RateLimit` may name an earlier second: a refused request also
 * costs a token of the gateway's usage plan, and waiting the full window also clears the gateway's throttle.
 */
export function rateLimit(name: LimitName, take: typeof takeSlot = takeSlot): Middleware {
  return {
    before: async function rateLimitBefore({ event, internal }) {
      // The gateway's request id is not unique, because clients can set it
      // (https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-access-logging.html).
      const { workspaceId } = callerOf(event);
      const { passed, remaining, resetSeconds, limit } = await take(name, workspaceId, newRequestToken(), receivedAt(event));
      const { quota, windowSeconds } = limit;
      internal.headers = {
        RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
        'RateLimit-Policy': `"${name}";q=${quota};w=${windowSeconds}`,
      };
      if (passed) return;
      throw new RequestError(
        'rate_limited',
        `Too many requests: a workspace may send ${quota} ${counted[name]} in any ${windowSeconds} seconds.`,
        { retryAfter: Math.max(windowSeconds, resetSeconds) },
      );
    },
  };
}
