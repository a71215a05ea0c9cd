import { beforeAll, expect, test } from 'vitest';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newKeyring } from '../../../support/things/keys.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** A workspace with three keys, one of them revoked. */
async function withKeys() {
  const ring = await newKeyring(store);
  const keys = await Promise.all(Array.from({ length: 3 }, () => ring.newKey(['links:read'])));
  await store.revokeApiKey(keys[2]?.id ?? '');
  return { ...ring, ids: keys.map(({ id }) => id) };
}

test('However many keys are created and revoked at once, the count is right in the end.', async () => {
  const { newKey, ids, counted, all } = await withKeys();
  await Promise.all([...Array.from({ length: 10 }, () => newKey(['links:read'])), ...ids.map((id) => store.revokeApiKey(id))]);
  const left = [...(await all()).values()].filter(({ revokedAt }) => !revokedAt);
  expect([left.length, await counted()]).toEqual([10, 10]);
});

test('A rotation leaves the count as it is, and the revocation of a replaced key does not lower it again.', async () => {
  const { workspaceId, newKey, counted } = await newKeyring(store);
  const { id } = await newKey(['links:read']);
  await newKey(['links:read']);
  const made = await store.rotateApiKey(id, { overlapMs: 60_000 });
  expect([await counted(), await store.checkKeyCount(workspaceId, false)]).toEqual([2, { counted: 2, found: 2 }]);
  await store.revokeApiKey(id);
  expect(await counted()).toBe(2);
  await store.revokeApiKey('id' in made ? made.id : '');
  expect([await counted(), await store.checkKeyCount(workspaceId, false)]).toEqual([1, { counted: 1, found: 1 }]);
});

test('However keys are rotated and revoked at once, the count is right.', async () => {
  const ring = await withKeys();
  const [one = '', two = ''] = ring.ids;
  const changes = Array.from({ length: 4 }, () => [
    store.rotateApiKey(one, { overlapMs: 0 }),
    store.revokeApiKey(one),
    store.rotateApiKey(two, { overlapMs: 60_000 }),
  ]);
  await Promise.all(changes.flat());
  const left = [...(await ring.all()).values()].filter(({ revokedAt, replacedBy }) => !revokedAt && !replacedBy);
  expect(await ring.counted()).toBe(left.length);
});

test('A key that is replaced while it is revoked is counted once.', async () => {
  const ring = await withKeys();
  const id = ring.ids[0] ?? '';
  await overtaken(
    () => store.rotateApiKey(id, { overlapMs: 60_000 }),
    () => store.revokeApiKey(id),
  );
  expect((await ring.all()).get(id)).toMatchObject({ revokedAt: expect.any(String), replacedBy: expect.any(String) });
  expect(await ring.counted()).toBe(2);
});

test('A key of a deleted workspace can still be revoked, without recreating the workspace.', async () => {
  const ring = await newKeyring(store);
  const { id } = await ring.newKey(['links:read']);
  const key = { pk: `WORKSPACE#${ring.workspaceId}`, sk: 'WORKSPACE' };
  await store.deleteItem(key);
  const revokedAt = await store.revokeApiKey(id);
  expect(revokedAt).toEqual(expect.any(String));
  expect((await ring.all()).get(id)).toMatchObject({ revokedAt });
  expect(await store.getItem(key)).toBeUndefined();
});

test('A wrong count is reported, and corrected only on request.', async () => {
  const { workspaceId, newKey, counted } = await newKeyring(store);
  await newKey(['links:read']);
  const key = { pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' };
  expect(await store.checkKeyCount(workspaceId, true)).toEqual({ counted: 1, found: 1 });
  for (const wrong of [7, 0]) {
    await store.updateItem(key, { text: 'SET #keyCount = :wrong', values: { ':wrong': wrong } });
    expect(await store.checkKeyCount(workspaceId, false)).toEqual({ counted: wrong, found: 1 });
    expect(await counted()).toBe(wrong);
    expect(await store.checkKeyCount(workspaceId, true)).toEqual({ counted: wrong, found: 1 });
    expect(await counted()).toBe(1);
  }
  expect(await store.checkKeyCount('ws_0000000000000000', true)).toBeUndefined();
});
