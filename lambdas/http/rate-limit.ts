import { RequestError } from '../domain/errors.ts';
import { newRequestToken } from '../domain/ids.ts';
import type { RateLimit } from '../domain/limits.ts';
import { callerOf, type Middleware } from './api-event.ts';

/**
 * Lets a request pass only where `takeSlot` says so, and says on every answer how much is left, by the fields of
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10.
 *
 * `Retry-After` is the whole window at least, although `RateLimit` may name an earlier second: the refused request has cost
 * the gateway's usage plan a token too, and only after a whole window are as many tokens there as slots are free. Who obeys
 * it is never refused by the plan where the table would let it pass.
 *
 * @param takeSlot takes a slot under a token that is another one for each request. The gateway's request id is not: clients can set it
 *   (https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-access-logging.html).
 */
export function rateLimit(
  name: string,
  { quota, windowSeconds }: RateLimit,
  takeSlot: (workspaceId: string, token: string) => Promise<{ passed: boolean; remaining: number; resetSeconds: number }>,
): Middleware {
  return {
    before: async function rateLimitBefore({ event, internal }) {
      const { passed, remaining, resetSeconds } = await takeSlot(callerOf(event).workspaceId, newRequestToken());
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
