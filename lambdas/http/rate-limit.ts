import { RequestError } from '../domain/errors.ts';
import type { RateLimit, Slot } from '../domain/rate-limit.ts';
import { callerOf, type Middleware } from './request.ts';

/**
 * Lets a request pass only where `takeSlot` says so, and says on every answer how much is left, by the fields of
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10.
 *
 * `Retry-After` is always the whole window, although `RateLimit` may name an earlier second: the refused request has cost
 * the gateway's usage plan a token too, and only after a whole window are as many tokens there as slots are free. Who obeys
 * it is never refused by the plan where the table would let it pass.
 */
export function rateLimit(
  name: string,
  { quota, windowSeconds }: RateLimit,
  takeSlot: (workspaceId: string, requestId: string) => Promise<Slot>,
): Middleware {
  return {
    before: async function rateLimitBefore({ event, internal }) {
      const { passed, remaining, resetSeconds } = await takeSlot(callerOf(event).workspaceId, event.requestContext.requestId);
      internal.headers = {
        RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
        'RateLimit-Policy': `"${name}";q=${quota};w=${windowSeconds}`,
      };
      if (passed) return;
      throw new RequestError(
        'rate_limited',
        `Too many requests: a workspace may send ${quota} ${name} requests in any ${windowSeconds} seconds.`,
        {
          retryAfter: windowSeconds,
        },
      );
    },
  };
}
