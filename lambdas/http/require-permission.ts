import { RequestError } from '../core/errors.ts';
import { setting } from '../runtime/settings.ts';
import { callerOf, type Middleware } from './api-event.ts';

/** Refuses a key without one of the permissions that `lib/endpoints.ts` names for this endpoint; `none` needs none. */
export function requirePermission(): Middleware {
  return {
    before: function requirePermissionBefore({ event }) {
      const { permissions } = callerOf(event);
      const missing = setting('PERMISSION')
        .split(' ')
        .find((permission) => permission !== 'none' && !permissions.includes(permission));
      if (missing !== undefined) throw new RequestError('forbidden', `The API key lacks the permission ${missing}.`);
    },
  };
}
