import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { ApiKey } from '../../../../lambdas/core/key/api-key.ts';
import { defaultPermissions, type Permission, permissions } from '../../../../lambdas/core/key/permissions.ts';
import type { Member } from '../../../../lambdas/core/member/member.ts';
import { type Role, rolePermissions, roles } from '../../../../lambdas/core/member/roles.ts';
import { permissionsOf, routes } from '../../../../lib/endpoints.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newTeam, type Team } from '../../../support/things/members.ts';

// Whatever members and keys do to each other, nobody gives, takes or gets what the caller lacks. The gateway lets each
// key do everything, as it may for a minute. So only the table decides.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const holds = (own: readonly Permission[], needed: readonly Permission[]) => needed.every((one) => own.includes(one));

/** A request. `caller` and `target` are positions of keys or members. */
type Step = {
  readonly operation: string;
  readonly caller: number;
  readonly target: number;
  readonly role: Role;
  readonly permissions: readonly Permission[] | undefined;
  readonly keys: 'revoke' | 'keep';
};

/** Bodies and queries of the operations that write keys or members. */
const requests: Readonly<Record<string, (step: Step, number: number) => { body?: object; query?: Record<string, string> }>> = {
  'create-key': ({ permissions: some }) => ({ body: { permissions: some } }),
  'update-key': ({ permissions: some }) => ({ body: { permissions: some } }),
  'rotate-key': () => ({ body: { overlapSeconds: 3_600 } }),
  'delete-key': () => ({}),
  'create-member': ({ role }, number) => ({ body: { email: `new${number}@example.com`, role } }),
  'update-member': ({ role }) => ({ body: { role } }),
  'delete-member': ({ keys }) => ({ query: { keys } }),
  'leave-workspace': ({ keys }) => ({ query: { keys } }),
};

test('These tests try all operations that may write keys or members, or need a permission to manage them.', () => {
  const writing = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:PartiQLInsert'] as const;
  const writers = routes.filter(
    (route) =>
      permissionsOf(route).some((one) => one === 'keys:write' || one === 'members:write') ||
      writing.some((action) => route.tableActions[action]?.some((kind) => kind === 'KEY#*' || kind === 'MEMBERS#*')),
  );
  expect(writers.map(({ name }) => name).sort()).toEqual(Object.keys(requests).sort());
});

type Everything = { readonly keys: ReadonlyMap<string, ApiKey>; readonly members: ReadonlyMap<string, Member> };

const everythingOf = async ({ workspaceId }: Team): Promise<Everything> => ({
  keys: new Map((await store.listApiKeys(workspaceId)).map((key) => [key.id, key])),
  members: new Map((await store.everyMember(workspaceId)).map((member) => [member.id, member])),
});

/** A caller: a plain key, or one of a sign-in with the role that it was made for. */
type Caller = { readonly keyId: string; readonly memberId?: string; readonly role?: Role };

/** A caller's permissions now; undefined if it is no longer valid. */
function standingOf({ keyId, memberId, role }: Caller, { keys, members }: Everything): readonly Permission[] | undefined {
  if (memberId !== undefined) {
    const member = members.get(memberId);
    return role && member?.state === 'active' && member.role === role ? rolePermissions[role] : undefined;
  }
  const key = keys.get(keyId);
  const isOver = !key || key.revokedAt !== undefined || (key.madeBy && members.get(key.madeBy)?.revokesKeys);
  return isOver ? undefined : key.permissions;
}

/** The permissions of a key that is not revoked, or of a member who is not removed. */
const reachOf = (one: ApiKey | undefined): readonly Permission[] => (one && !one.revokedAt ? one.permissions : []);
const roleOf = (one: Member | undefined): readonly Permission[] =>
  one && one.state !== 'removed' ? rolePermissions[one.role] : [];

/** Expects that a step has given nothing that the caller lacks, and changed nobody with more permissions. */
function expectNoEscalation(before: Everything, after: Everything, own: readonly Permission[], self: string | undefined): void {
  const check = (was: readonly Permission[], is: readonly Permission[], isChanged: boolean, isOwn: boolean) => {
    expect(
      holds(
        own,
        is.filter((one) => !was.includes(one)),
      ),
    ).toBe(true);
    if (isChanged && !isOwn) expect(holds(own, [...was, ...is])).toBe(true);
  };
  for (const [id, key] of after.keys) {
    const old = before.keys.get(id);
    const isChanged = JSON.stringify({ ...key, lastUsedAt: 0 }) !== JSON.stringify({ ...old, lastUsedAt: 0 });
    check(reachOf(old), reachOf(key), isChanged, false);
  }
  for (const [id, member] of after.members) {
    const old = before.members.get(id);
    check(roleOf(old), roleOf(member), JSON.stringify(member) !== JSON.stringify(old), id === self);
  }
}

async function take(team: Team, callers: Caller[], step: Step, number: number): Promise<void> {
  const before = await everythingOf(team);
  const caller = callers[step.caller % callers.length] as Caller;
  const isOfKeys = step.operation.endsWith('-key');
  const targets = [...(isOfKeys ? before.keys : before.members).keys()];
  const id = targets[step.target % targets.length];
  const { status, body } = await callEndpoint(step.operation, {
    workspaceId: team.workspaceId,
    keyId: caller.keyId,
    memberId: caller.memberId,
    ...(id !== undefined && { id }),
    ...requests[step.operation]?.(step, number),
  });
  expect([200, 201, 204, 401, 403, 404, 409, 422]).toContain(status);
  const after = await everythingOf(team);
  const own = standingOf(caller, before);
  // A key that was already invalid is refused.
  if (own === undefined) expect([401, 403]).toContain(status);
  if (status >= 300) {
    expect(after).toEqual(before);
    return;
  }
  const needed: Permission | undefined = isOfKeys
    ? 'keys:write'
    : step.operation === 'leave-workspace'
      ? undefined
      : 'members:write';
  if (needed) expect(own).toContain(needed);
  expectNoEscalation(before, after, own ?? [], step.operation === 'leave-workspace' ? caller.memberId : undefined);
  if (step.operation === 'create-key') callers.push({ keyId: body.id });
  // The sweep after a removal.
  for (const member of after.members.values()) await team.sweep(member.id);
  const owners = [...after.members.values()].filter(({ role, state }) => role === 'owner' && state === 'active');
  expect(owners.length).toBeGreaterThan(0);
  expect(await team.owners()).toBe(owners.length);
}

const anySet = fc.oneof(
  fc.constantFrom<readonly Permission[]>(
    permissions,
    ['keys:write', 'members:write'],
    ['keys:write', 'members:write', ...rolePermissions.viewer],
    ['keys:write', 'members:write', ...rolePermissions.editor],
    defaultPermissions,
  ),
  fc.subarray([...permissions], { minLength: 1 }),
);
const steps = fc.array(
  fc.record<Step>({
    operation: fc.constantFrom(...Object.keys(requests), 'create-key', 'update-member', 'create-member'),
    caller: fc.nat(50),
    target: fc.nat(50),
    role: fc.constantFrom(...roles),
    permissions: fc.option(anySet, { nil: undefined }),
    keys: fc.constantFrom('revoke', 'keep'),
  }),
  { minLength: 8, maxLength: 20 },
);

test('Whatever members and keys do to each other, also with keys that they have made, nobody gives or gets a permission that the caller lacks, and an owner stays.', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anySet, { minLength: 1, maxLength: 3 }),
      fc.array(fc.constantFrom(...roles), { maxLength: 3 }),
      steps,
      async (sets, some, taken) => {
        const team = await newTeam(store);
        const callers: Caller[] = [];
        for (const role of ['owner' as const, ...some]) {
          const { keyId, id } = await team.join(role);
          callers.push({ keyId, memberId: id, role });
        }
        for (const set of sets) callers.push(await team.newKey(set));
        for (const [number, step] of taken.entries()) await take(team, callers, step, number);
      },
    ),
    { numRuns: runs(6) },
  );
});
