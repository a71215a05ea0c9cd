import { expect, test } from 'vitest';
import { RequestError } from '../../../../lambdas/core/errors.ts';
import type { ApiKey } from '../../../../lambdas/core/key/api-key.ts';
import { newKeySettings } from '../../../../lambdas/core/key/authority.ts';
import { type Permission, permissions } from '../../../../lambdas/core/key/permissions.ts';
import { changedMember, checkGivesRole, checkMadeKey, checkRole } from '../../../../lambdas/core/member/authority.ts';
import type { Member } from '../../../../lambdas/core/member/member.ts';
import { rolePermissions, roles } from '../../../../lambdas/core/member/roles.ts';
import { permissionsOf, routes } from '../../../../lib/endpoints.ts';

const keyWith = (some: readonly Permission[], more: Partial<ApiKey> = {}): ApiKey => ({
  id: `key_${'0'.repeat(43)}`,
  prefix: 'lk_0000',
  name: null,
  workspaceId: 'ws_1',
  permissions: some,
  createdAt: '2030-01-02T03:04:05.678Z',
  createdBy: 'service -',
  gatewayKey: 'gateway',
  ...more,
});

const memberWith = (role: Member['role'], state: Member['state']): Member => ({
  id: 'mbr_0123456789abcdef',
  workspaceId: 'ws_1',
  email: 'ada@example.com',
  name: null,
  role,
  state,
  createdAt: '2030-01-02T03:04:05.678Z',
  revision: 0,
});

/** The code of the refusal; undefined if there is none. */
function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.code;
  }
}

/** The sets of the roles, those that operations need, all permissions but one, and each permission by itself. */
const sets: readonly (readonly Permission[])[] = [
  [],
  ...roles.map((role) => rolePermissions[role]),
  ...roles.map((role) => [...new Set<Permission>([...rolePermissions[role], 'members:write', 'keys:write'])]),
  ...permissions.map((one) => [one]),
  ...permissions.map((one) => permissions.filter((other) => other !== one)),
  ...routes.map((route) => [...new Set<Permission>([...permissionsOf(route), 'members:write'])]),
];
const holds = (own: readonly Permission[], needed: readonly Permission[]) => needed.every((one) => own.includes(one));

test('For each pair of sets and all roles, a key invites, approves, promotes, demotes and removes only within its own permissions.', () => {
  for (const own of sets) {
    const caller = keyWith(own);
    for (const from of roles) {
      const may = holds(own, rolePermissions[from]);
      expect(refusalOf(() => checkRole(caller, from))).toBe(may ? undefined : 'forbidden');
      expect(refusalOf(() => changedMember(caller, memberWith(from, 'pending'), { state: 'active' }))).toBe(
        may ? undefined : 'forbidden',
      );
      for (const to of roles) {
        const mayBoth = may && holds(own, rolePermissions[to]);
        const change = () => changedMember(caller, memberWith(from, 'active'), { role: to });
        expect(refusalOf(change)).toBe(mayBoth ? undefined : 'forbidden');
        if (mayBoth) expect(change()).toEqual(memberWith(to, 'active'));
      }
    }
    for (const other of sets)
      expect(refusalOf(() => checkMadeKey(caller, keyWith(other)))).toBe(holds(own, other) ? undefined : 'forbidden');
  }
});

test('Whatever the role, a member makes keys with any expiry, and only within the permissions of the role.', () => {
  for (const role of roles) {
    const signIn = { id: 'sgn_1', memberId: 'mbr_1', role };
    const caller = keyWith(rolePermissions[role], { signIn, expiresAt: '2030-01-02T03:19:05.678Z' });
    for (const asked of sets.filter((some) => some.length > 0)) {
      for (const expiresAt of [null, '2040-01-01T00:00:00.000Z']) {
        const refusal = refusalOf(() => newKeySettings(caller, { permissions: asked, expiresAt }));
        expect(refusal).toBe(holds(rolePermissions[role], asked) ? undefined : 'forbidden');
      }
    }
    expect(newKeySettings(caller, { permissions: ['links:read'] })).not.toHaveProperty('expiresAt');
  }
});

test('Nobody is approved before they have accepted the invitation.', () => {
  const caller = keyWith(permissions);
  expect(refusalOf(() => changedMember(caller, memberWith('viewer', 'invited'), { state: 'active' }))).toBe(
    'invitation_not_accepted',
  );
});

test('A key with an expiry gives no role, neither by an invitation nor by a change or an approval; a key of a sign-in does.', () => {
  const ending = keyWith(permissions, { expiresAt: '2030-02-01T00:00:00.000Z' });
  const ofMember = keyWith(permissions, {
    expiresAt: '2030-02-01T00:00:00.000Z',
    signIn: { memberId: 'mbr_1' } as ApiKey['signIn'] & object,
  });
  for (const role of roles) {
    expect(refusalOf(() => checkGivesRole(ending, role))).toBe('forbidden');
    expect(refusalOf(() => changedMember(ending, memberWith(role, 'pending'), { state: 'active' }))).toBe('forbidden');
    expect(refusalOf(() => checkGivesRole(ofMember, role))).toBeUndefined();
  }
  expect(refusalOf(() => changedMember(ending, memberWith('viewer', 'active'), { role: 'owner' }))).toBe('forbidden');
  expect(refusalOf(() => changedMember(ending, memberWith('viewer', 'active'), {}))).toBeUndefined();
});
