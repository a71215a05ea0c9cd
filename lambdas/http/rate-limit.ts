import { RequestError } from '../core/errors.ts';
import { newRequestToken } from '../core/ids.ts';
import type { RateLimit } from '../core/limits.ts';
import { callerOf, type Middleware, receivedAt } from './api-event.ts';

/**
 * Lets a request pass only if `takeSlot` does. Each response says how much of the limit is left, in the headers of
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10.
 *
 * `Retry-After` is at least the full window, although `RateLimit` may name an earlier second. A refused request costs
 * the gateway's usage plan a token too, and only after a full window are there as many tokens as free slots. So waiting
 * the full window also clears the gateway's own throttle.
 *
 * @param takeSlot takes a slot for a request that the gateway received then, under a token that is unique for each
 *   request. The gateway's request id is not unique, because clients can set it
 *   (https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-access-logging.html).
 */
export function rateLimit(
  name: string,
  { quota, windowSeconds }: RateLimit,
  takeSlot: (
    workspaceId: string,
    token: string,
    receivedAt: number,
  ) => Promise<{ passed: boolean; remaining: number; resetSeconds: number }>,
): Middleware {
  return {
    before: async function rateLimitBefore({ event, internal }) {
      const { passed, remaining, resetSeconds } = await takeSlot(
        callerOf(event).workspaceId,
        newRequestToken(),
        receivedAt(event),
      );
      internal.headers = {
        RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
        'RateLimit-Policy': `"${name}";q=${quota};w=${windowSeconds}`,
      };
      if (passed) return;
      throw new RequestError(
        'rate_limited',
        `Too many requests: a workspace may send ${quota} ${name} requests in any ${windowSeconds} seconds.`,
        {
          retryAfter: Math.max(windowSeconds, resetSeconds),
        },
      );
    },
  };
}
