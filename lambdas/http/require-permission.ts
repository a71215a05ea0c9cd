import { RequestError } from '../domain/errors.ts';
import { setting } from '../runtime/settings.ts';
import { callerOf, type Middleware } from './api-event.ts';

/** Refuses a key without the permission that `lib/endpoints.ts` names for this endpoint. */
export function requirePermission(): Middleware {
  return {
    before: function requirePermissionBefore({ event }) {
      const permission = setting('PERMISSION');
      if (!callerOf(event).permissions.includes(permission)) {
        throw new RequestError('forbidden', `The API key lacks the permission ${permission}.`);
      }
    },
  };
}
