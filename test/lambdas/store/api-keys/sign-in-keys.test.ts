import { beforeAll, describe, expect, test } from 'vitest';
import { fingerprintOf } from '../../../../lambdas/core/key/api-key.ts';
import { rolePermissions, roles } from '../../../../lambdas/core/member/roles.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { refusalOf } from '../../../support/faults/scenario.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newPerson, newTeam } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const start = Date.parse('2030-01-02T03:04:05.678Z');
const minute = 60_000;
const iso = (time: number) => new Date(time).toISOString();

test.for(roles)(
  'A key of a sign-in has the permissions of the role %s, is valid for 15 minutes, and names its member and sign-in.',
  async (role) => {
    const { join, workspaceId, workspace } = await newTeam(store);
    const { session, id } = await join(role);
    const made = await session.newKey(start);
    expect(made).toEqual({
      key: expect.stringMatching(/^lk_/),
      id: expect.stringMatching(/^key_/),
      expiresAt: iso(start + 15 * minute),
      permissions: rolePermissions[role],
      memberId: id,
      role,
    });
    expect(await store.findApiKey(fingerprintOf(made.key))).toMatchObject({
      workspaceId,
      gatewayKey: workspace.gatewayKey,
      permissions: rolePermissions[role],
      expiresAt: iso(start + 15 * minute),
      signIn: { id: session.id, memberId: id, role },
    });
  },
);

test('A key of a sign-in expires no later than the sign-in.', async () => {
  const { join } = await newTeam(store);
  const { session } = await join('viewer');
  expect(await session.newKey(start, iso(start + minute))).toMatchObject({ expiresAt: iso(start + minute) });
  for (const end of [iso(start), iso(start - 1), 'never'])
    expect(await refusalOf(session.newKey(start, end))).toBe('unauthorized');
});

test('Keys of sign-ins are neither listed nor counted, and cannot be found, changed, rotated or revoked, not even by themselves.', async () => {
  const { join, workspace, workspaceId } = await newTeam(store);
  const owner = await join('owner');
  const before = (await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.keyCount;
  const { id } = await owner.session.newKey();
  const plain = await store.createApiKey(workspace, { name: 'Plain', permissions: rolePermissions.owner });
  expect((await store.listApiKeys(workspaceId)).map((key) => key.id)).toEqual([plain.id]);
  expect((await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.keyCount).toBe(Number(before) + 1);
  for (const keyId of [plain.id, id]) {
    expect((await callEndpoint('list-keys', { workspaceId, keyId })).body.keys).toHaveLength(1);
    expectProblem(await callEndpoint('get-key', { workspaceId, keyId, id }), 404, 'not_found');
    expectProblem(await callEndpoint('update-key', { workspaceId, keyId, id, body: { name: 'x' } }), 404, 'not_found');
    expectProblem(await callEndpoint('rotate-key', { workspaceId, keyId, id, body: {} }), 404, 'not_found');
    expectProblem(await callEndpoint('delete-key', { workspaceId, keyId, id }), 404, 'not_found');
  }
  expect(await store.revokeApiKey(id)).toBeUndefined();
  expect(await store.updateApiKey(id, { permissions: ['links:read'] })).toBeUndefined();
  expect(await store.rotateApiKey(id, { overlapMs: 0 })).toEqual({ refused: 'unknown' });
});

describe('No key is made for somebody', () => {
  test("who isn't a member, who waits for an approval, or whose workspace is being deleted.", async () => {
    const { signIn, invite, join, workspaceId } = await newTeam(store);
    expect(await refusalOf((await signIn(await newPerson())).newKey())).toBe('not_found');
    const pending = await newPerson({ emailVerified: undefined });
    const { secret } = await invite(pending.email, 'viewer');
    await store.acceptInvitation(pending, secret, Date.now());
    expect(await refusalOf((await signIn(pending)).newKey())).toBe('not_found');
    const { session } = await join('viewer');
    await store.beginDeletion(workspaceId);
    expect(await refusalOf(session.newKey())).toBe('unauthorized');
  });

  test('whose sign-in has ended, even after it was read.', async () => {
    const { join } = await newTeam(store);
    const { session } = await join('viewer');
    expect(await refusalOf(overtaken(session.end, () => session.newKey()))).toBe('unauthorized');
    expect(await refusalOf(session.newKey())).toBe('unauthorized');
  });

  test('whose role changes after it was read.', async () => {
    const { join, workspaceId } = await newTeam(store);
    const { session, id } = await join('owner');
    const demote = () =>
      store.updateItem(
        { pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${id}` },
        { text: 'SET #role = :r', values: { ':r': 'viewer' } },
      );
    const made = await overtaken(demote, () => session.newKey());
    expect([made.role, made.permissions]).toEqual(['viewer', rolePermissions.viewer]);
  });
});

describe('A key that a member makes', () => {
  test("It may have any expiry, has only the member's permissions, and records its maker, as do the keys that it makes.", async () => {
    const { join, workspaceId } = await newTeam(store);
    const { keyId, id } = await join('owner');
    const create = (by: string, body: object) =>
      callEndpoint('create-key', { workspaceId, keyId: by, memberId: by === keyId ? id : undefined, body });
    const lasting = await create(keyId, { permissions: ['keys:write', 'links:read'] });
    expect([lasting.status, lasting.body]).toMatchObject([
      201,
      { expiresAt: null, createdBy: { type: 'member', id, name: null } },
    ]);
    expect((await create(keyId, { expiresAt: '2040-01-01T00:00:00Z' })).status).toBe(201);
    const grandchild = await create(lasting.body.id, { permissions: ['links:read'] });
    expect(grandchild.body).toMatchObject({ createdBy: { type: 'key', id: lasting.body.id } });
    const made = (await Array.fromAsync(store.query({ pk: `MADE#${id}`, skPrefix: 'KEY#' }))).map(({ sk }) =>
      String(sk).slice(4),
    );
    expect(made).toHaveLength(3);
    expect(made).toEqual(expect.arrayContaining([lasting.body.id, grandchild.body.id]));
    expect((await callEndpoint('delete-key', { workspaceId, keyId, id: grandchild.body.id })).status).toBe(204);
    expect(await Array.fromAsync(store.query({ pk: `MADE#${id}`, skPrefix: 'KEY#' }))).toHaveLength(2);
  });
});
