import { RequestError } from '../core/errors.ts';
import { hasExpired } from '../core/key/key-expiry.ts';
import { callerOf, type Middleware, receivedAt } from './api-event.ts';

/**
 * Refuses a key that had expired when the gateway received the request. The authorizer may have accepted it, because
 * the gateway caches its answer for a minute, and because the authorizer uses its own clock.
 */
export function refuseExpiredKey(): Middleware {
  return {
    before: function refuseExpiredKeyBefore({ event }) {
      const { expiresAt } = callerOf(event);
      if (hasExpired(expiresAt, receivedAt(event))) throw new RequestError('unauthorized', 'The API key has expired.');
    },
  };
}
