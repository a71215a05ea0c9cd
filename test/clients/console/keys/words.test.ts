import { expect, test } from 'vitest';
import { endedBy, givable, isWithin, permissionsText } from '../../../../clients/console/keys/words.ts';
import type { Me } from '../../../../clients/console/service/types.ts';
import { defaultPermissions, permissions } from '../../../../lambdas/core/key/permissions.ts';

test('The console offers only permissions of the key in use, and changes only keys within them.', () => {
  const own = ['keys:write', 'links:read', 'tags:read'];
  expect(givable({ key: { permissions: own } } as Me)).toEqual(permissions.filter((one) => own.includes(one)));
  expect(isWithin({ permissions: ['links:read'] }, own)).toBe(true);
  expect(isWithin({ permissions: ['links:read', 'links:write'] }, own)).toBe(false);
});

test('Common sets of permissions have short names.', () => {
  expect(permissionsText(permissions)).toBe('Full access');
  expect(permissionsText(permissions.filter((one) => one.endsWith(':read')))).toBe('View only');
  expect(permissionsText(defaultPermissions)).toBe('Full access, except API keys and members');
  expect(permissionsText(['links:read', 'tags:read'])).toBe('View links, view tags');
});

test('A key has ended once it is revoked or expired, and not before.', () => {
  const now = Date.parse('2030-01-01T00:00:00Z');
  const at = '2030-01-01T00:00:00.000Z';
  expect(endedBy({ revokedAt: null, expiresAt: null }, now)).toBeUndefined();
  expect(endedBy({ revokedAt: null, expiresAt: at }, now)).toBe('expired');
  expect(endedBy({ revokedAt: null, expiresAt: at }, now - 1)).toBeUndefined();
  expect(endedBy({ revokedAt: at, expiresAt: at }, now - 1)).toBe('revoked');
});
