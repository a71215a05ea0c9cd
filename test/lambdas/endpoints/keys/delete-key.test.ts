import { beforeAll, expect, test } from 'vitest';
import { permissions } from '../../../../lambdas/core/key/permissions.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newKeyring } from '../../../support/things/keys.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

async function newOwner() {
  const ring = await newKeyring(store);
  const owner = await ring.newKey(permissions);
  return { ...ring, owner, ...ring.as(owner.id) };
}

test('A revoked key keeps its first time of revocation, no longer counts, and leaves the keys that it has created.', async () => {
  const { as, create, revoke, all, counted } = await newOwner();
  const maker = (await create({ body: { permissions: ['keys:write', 'links:read'] } })).body;
  const made = (await as(maker.id).create({ body: {} })).body;
  expect(await counted()).toBe(3);
  const now = Date.now();
  for (const later of [0, 1_000]) expect((await revoke({ id: maker.id, receivedAt: now + later })).status).toBe(204);
  const keys = await all();
  expect(keys.get(maker.id)?.revokedAt).toBe(new Date(now).toISOString());
  expect(keys.get(made.id)).not.toHaveProperty('revokedAt');
  expect(await counted()).toBe(2);
});

test('A key revokes no key that may do more than itself.', async () => {
  const { as, newKey, owner, all } = await newOwner();
  const { id } = await newKey(['keys:write', 'links:read']);
  const answer = await as(id).revoke({ id: owner.id });
  expectProblem(answer, 403, 'forbidden');
  expect(answer.body.detail).toContain('links:write');
  expect((await all()).get(owner.id)).not.toHaveProperty('revokedAt');
});

test("An unknown key and another workspace's are not found.", async () => {
  const { revoke } = await newOwner();
  const other = await newKeyring(store);
  const { id: theirs } = await other.newKey(['links:read']);
  for (const id of [theirs, `key_${'0'.repeat(43)}`, 'nonsense']) expectProblem(await revoke({ id }), 404, 'not_found');
  expect((await other.all()).get(theirs)).not.toHaveProperty('revokedAt');
});
