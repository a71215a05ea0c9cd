import { beforeAll, describe, expect, test } from 'vitest';
import { defaultPermissions, permissions } from '../../../../lambdas/core/key/permissions.ts';
import { keysPerWorkspace } from '../../../../lambdas/core/limits.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newKeyring } from '../../../support/things/keys.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const hour = 3_600_000;
const start = Date.parse('2030-01-02T03:04:05.678Z');
const iso = (time: number) => new Date(time).toISOString();

/** A workspace with a key with all permissions, and its endpoints. */
async function newOwner(expiresAt?: string) {
  const ring = await newKeyring(store);
  const owner = await ring.newKey(permissions, expiresAt);
  return { ...ring, owner, ...ring.as(owner.id) };
}

test('A new key works, is shown in full once, and names the key that created it.', async () => {
  const { create, get, owner } = await newOwner();
  const sent = { name: ' CI ', permissions: ['links:read', 'links:write', 'links:read'], expiresAt: '2031-01-01T00:00:00+01:00' };
  const { status, headers, body } = await create({ body: sent, receivedAt: start });
  expect([status, headers.Location]).toEqual([201, `/api/v1/keys/${body.id}`]);
  const { key, ...shown } = body;
  expect(shown).toEqual({
    id: expect.stringMatching(/^key_/),
    prefix: key.slice(0, 7),
    name: 'CI',
    permissions: ['links:read', 'links:write'],
    createdAt: iso(start),
    createdBy: { type: 'key', id: owner.id, name: 'Tests' },
    expiresAt: '2030-12-31T23:00:00.000Z',
    lastUsedAt: null,
    revokedAt: null,
    replaces: null,
    replacedBy: null,
  });
  expect((await get({ id: body.id })).body).toEqual(shown);
  const { fingerprintOf } = await import('../../../../lambdas/core/key/api-key.ts');
  expect((await store.findApiKey(fingerprintOf(key)))?.id).toBe(body.id);
});

test('Without permissions, a new key gets those of its creator except keys:…, and without an expiry it ends with its creator.', async () => {
  const { create, newKey, as } = await newOwner();
  expect((await create({ body: {} })).body).toMatchObject({ name: null, permissions: [...defaultPermissions], expiresAt: null });
  const narrow = await newKey(['keys:write', 'links:read', 'stats:read'], iso(start + hour));
  const made = await as(narrow.id).create({ body: {}, receivedAt: start });
  expect(made.body).toMatchObject({ permissions: ['links:read', 'stats:read'], expiresAt: iso(start + hour) });
});

test('An expiry in seconds counts from when the gateway received the request.', async () => {
  const { create } = await newOwner();
  expect((await create({ body: { expiresInSeconds: 3_600 }, receivedAt: start })).body.expiresAt).toBe(iso(start + hour));
});

test.for<[object, string, string]>([
  [{ name: '  ' }, '/name', 'too_short'],
  [{ name: 'a\nb' }, '/name', 'invalid_text'],
  [{ name: 'x'.repeat(257) }, '/name', 'too_long'],
  [{ name: 1 }, '/name', 'invalid_type'],
  [{ permissions: [] }, '/permissions', 'too_few'],
  [{ permissions: ['links:delete'] }, '/permissions/0', 'invalid_value'],
  [{ permissions: Array(16).fill('links:read') }, '/permissions', 'too_many'],
  [{ permissions: null }, '/permissions', 'null_not_allowed'],
  [{ expiresAt: 'tomorrow' }, '/expiresAt', 'invalid_timestamp'],
  [{ expiresAt: iso(start) }, '/expiresAt', 'not_in_future'],
  [{ expiresInSeconds: 0 }, '/expiresInSeconds', 'too_small'],
  [{ expiresInSeconds: 1.5 }, '/expiresInSeconds', 'invalid_type'],
  [{ expiresInSeconds: 315_576_001 }, '/expiresInSeconds', 'too_large'],
  [{ expiresInSeconds: 60, expiresAt: null }, '/expiresInSeconds', 'not_together'],
  [{ key: 'lk_mine' }, '/key', 'unknown_field'],
])('The body %j is refused, and the response names the field and the rule.', async ([body, path, code]) => {
  const { create, all } = await newOwner();
  const answer = await create({ body, receivedAt: start });
  expectProblem(answer, 422, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ path, code }]);
  expect((await all()).size).toBe(1);
});

test('A request without a body creates a key with all the defaults.', async () => {
  const ring = await newKeyring(store);
  const { id } = await ring.newKey(['keys:write', 'links:read']);
  const { status, body } = await ring.as(id).create({ receivedAt: start });
  expect([status, body]).toMatchObject([201, { name: null, permissions: ['links:read'], expiresAt: null }]);
});

test('A key gives no permission that it lacks, and no expiry that is later than its own.', async () => {
  const ring = await newKeyring(store);
  const { id } = await ring.newKey(['keys:write', 'links:read'], iso(start + hour));
  const { create } = ring.as(id);
  const forbidden = await create({ body: { permissions: ['links:read', 'links:write'] }, receivedAt: start });
  expectProblem(forbidden, 403, 'forbidden');
  expect(forbidden.body.detail).toContain('links:write');
  for (const expiresAt of [null, iso(start + hour + 1)]) {
    const answer = await create({ body: { permissions: ['links:read'], expiresAt }, receivedAt: start });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path: '/expiresAt', code: 'too_late' }]);
  }
  const { body } = await create({ body: { expiresInSeconds: 3_601 }, receivedAt: start });
  expect(body.errors).toMatchObject([{ path: '/expiresInSeconds', code: 'too_late' }]);
  expect(body.detail).toContain('/expiresInSeconds must not be later than');
  expect((await ring.all()).size).toBe(1);
});

test('A key that has only permissions of keys:… must name the permissions of a new key.', async () => {
  const ring = await newKeyring(store);
  const { id } = await ring.newKey(['keys:write', 'keys:read']);
  const answer = await ring.as(id).create({ body: {} });
  expectProblem(answer, 422, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ path: '/permissions', code: 'required' }]);
  expect((await ring.as(id).create({ body: { permissions: ['keys:read'] } })).status).toBe(201);
});

describe('An Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': 'once' };

  test('A repeated request creates no second key, and names the first one, which can then be revoked.', async () => {
    const { create, revoke, all } = await newOwner();
    const { body: made } = await create({ headers, body: { name: 'CI' } });
    const again = await create({ headers, body: { name: 'CI' } });
    expectProblem(again, 409, 'key_already_created');
    expect(again.body.detail).toContain(made.id);
    expect((await all()).size).toBe(2);
    expect((await revoke({ id: made.id })).status).toBe(204);
    expectProblem(await create({ headers, body: { name: 'Other' } }), 422, 'idempotency_key_reused');
    expect((await create({ headers: { 'Idempotency-Key': 'twice' }, body: { name: 'CI' } })).status).toBe(201);
  });

  test('A caller that was revoked since is refused, and learns of no key.', async () => {
    const { as, newKey, revoke } = await newOwner();
    const { id } = await newKey(permissions);
    expect((await as(id).create({ headers, body: {} })).status).toBe(201);
    await revoke({ id });
    expectProblem(await as(id).create({ headers, body: {} }), 401, 'unauthorized');
  });

  test('Of 20 identical requests at once, one creates a key, and the others name it.', async () => {
    const { create, all } = await newOwner();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ headers, body: {} })));
    const [made, ...more] = answers.filter(({ status }) => status === 201);
    expect(more).toEqual([]);
    for (const { status, body } of answers.filter((one) => one !== made)) {
      expect([status, body.code, body.detail.includes(made?.body.id)]).toEqual([409, 'key_already_created', true]);
    }
    expect((await all()).size).toBe(2);
  });
});

describe('The limit', () => {
  /** A workspace with this count of keys. */
  const withCount = async (count: number) => {
    const owner = await newOwner();
    const key = { pk: `WORKSPACE#${owner.workspaceId}`, sk: 'WORKSPACE' };
    await store.updateItem(key, { text: 'SET #keyCount = :count', values: { ':count': count } });
    return owner;
  };

  test('If 50 creations at once meet a workspace with room for one key, one succeeds.', async () => {
    const { create, all, counted } = await withCount(keysPerWorkspace - 1);
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ body: {} })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(409)]);
    for (const answer of answers.filter(({ status }) => status !== 201)) expectProblem(answer, 409, 'key_limit_reached');
    expect([(await all()).size, await counted()]).toEqual([2, keysPerWorkspace]);
  });

  test("The operator's creations count, too, rotations need no room, and a revocation makes room for exactly one key.", async () => {
    const { create, rotate, revoke, newKey, counted } = await withCount(keysPerWorkspace - 1);
    const { id: old } = (await create({ body: {} })).body;
    expectProblem(await create({ body: {} }), 409, 'key_limit_reached');
    await expect(newKey(['links:read'])).rejects.toMatchObject({ code: 'key_limit_reached' });
    const { status, body } = await rotate({ id: old, body: {} });
    const { id } = body;
    expect([status, await counted()]).toEqual([201, keysPerWorkspace]);
    expect((await revoke({ id: old })).status).toBe(204);
    expectProblem(await create({ body: {} }), 409, 'key_limit_reached');
    for (let time = 0; time < 3; time++) expect((await revoke({ id })).status).toBe(204);
    expect((await create({ body: {} })).status).toBe(201);
    expectProblem(await create({ body: {} }), 409, 'key_limit_reached');
  });
});

test('A workspace that is being deleted gets no new key.', async () => {
  const { create, rotate, workspaceId, owner, all } = await newOwner();
  await store.beginDeletion(workspaceId);
  expectProblem(await create({ body: {} }), 401, 'unauthorized');
  expectProblem(await rotate({ id: owner.id, body: {} }), 401, 'unauthorized');
  expect((await all()).size).toBe(1);
});
