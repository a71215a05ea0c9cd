import { defaultPermissions, type Permission, permissions } from '../../../lambdas/core/key/permissions.ts';
import type { Schemas } from '../../typescript/client.ts';
import { permissionText } from '../service/permissions.ts';
import type { Me } from '../service/types.ts';

/** Whether a key is within one's own permissions, and so may be changed. */
export const isWithin = (key: Pick<Schemas['ApiKey'], 'permissions'>, own: readonly string[]): boolean =>
  key.permissions.every((permission) => own.includes(permission));

/** Why a key no longer works; undefined if it does. */
export function endedBy(
  { revokedAt, expiresAt }: Pick<Schemas['ApiKey'], 'revokedAt' | 'expiresAt'>,
  now = Date.now(),
): 'revoked' | 'expired' | undefined {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : undefined;
}

/** Permissions as a short summary if one fits, otherwise by name. */
export function permissionsText(granted: readonly string[]): string {
  if (permissions.every((one) => granted.includes(one))) return 'Full access';
  const reading = permissions.filter((one) => one.endsWith(':read'));
  if (granted.length === reading.length && reading.every((one) => granted.includes(one))) return 'View only';
  const isUsual = granted.length === defaultPermissions.length && defaultPermissions.every((one) => granted.includes(one));
  return isUsual
    ? 'Full access, except API keys and members'
    : granted
        .map((one, index) => (index === 0 ? permissionText(one) : permissionText(one).toLowerCase().replace('api', 'API')))
        .join(', ');
}

/** The permissions that the key in use may grant, in the order of the list. */
export const givable = ({ key }: Me): readonly Permission[] => permissions.filter((one) => key.permissions.includes(one));

/** How long a new key may live. */
export const lives: readonly (readonly [seconds: number | null, text: string])[] = [
  [null, 'never'],
  [7 * 86_400, 'in 7 days'],
  [30 * 86_400, 'in 30 days'],
  [90 * 86_400, 'in 90 days'],
  [365 * 86_400, 'in a year'],
];

/** How long a replaced key stays valid. */
export const overlaps: readonly (readonly [seconds: number, text: string])[] = [
  [86_400, 'for a day'],
  [3_600, 'for an hour'],
  [7 * 86_400, 'for 7 days'],
  [30 * 86_400, 'for 30 days'],
  [0, 'not at all: it stops now'],
];
