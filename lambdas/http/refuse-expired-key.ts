import { RequestError } from '../core/errors.ts';
import { hasExpired } from '../core/key/key-expiry.ts';
import { callerOf, type Middleware } from './api-event.ts';

/** Refuses a key that has expired since the authorizer accepted it, because the gateway caches that for a minute. */
export function refuseExpiredKey(): Middleware {
  return {
    before: function refuseExpiredKeyBefore({ event }) {
      if (hasExpired(callerOf(event).expiresAt, Date.now())) throw new RequestError('unauthorized', 'The API key has expired.');
    },
  };
}
