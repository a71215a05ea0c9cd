import { RequestError } from '../domain/errors.ts';
import { callerOf, type Middleware } from './request.ts';

/** What a limit says to a request: whether it passes, how many more would, and in how many seconds one more will. */
export type Slot = { readonly passed: boolean; readonly remaining: number; readonly resetSeconds: number };

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
  { quota, windowSeconds }: { quota: number; windowSeconds: number },
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
      throw new RequestError('rate_limited', `A workspace may send ${quota} ${name} requests in any ${windowSeconds} seconds.`, {
        retryAfter: windowSeconds,
      });
    },
  };
}
