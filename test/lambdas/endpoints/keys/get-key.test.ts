import { beforeAll, expect, test } from 'vitest';
import { permissions } from '../../../../lambdas/core/key/permissions.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newKeyring } from '../../../support/things/keys.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('A key that the operator created says so, and shows when it was last used.', async () => {
  const ring = await newKeyring(store);
  const { asAuthor } = await import('../../../../lambdas/runtime/author.ts');
  const operator = { actor: { type: 'operator', id: null, name: 'keys create' }, requestId: 'req_1' } as const;
  const { id, key, prefix } = await asAuthor(operator, () => ring.newKey(permissions));
  const found = (await ring.all()).get(id);
  if (!found) throw new Error('no key');
  const now = Date.now();
  await store.recordUse(found, now, 20_000);
  const { status, body } = await ring.as(id).get({ id });
  expect([status, body]).toMatchObject([
    200,
    { id, prefix, createdBy: { type: 'operator', id: null, name: 'keys create' }, lastUsedAt: new Date(now).toISOString() },
  ]);
  expect(JSON.stringify(body)).not.toContain(key.slice(0, 8));
});

test("An unknown key, another workspace's and an invalid id are not found.", async () => {
  const ring = await newKeyring(store);
  const { id: own } = await ring.newKey(['keys:read']);
  const { id: theirs } = await (await newKeyring(store)).newKey(['links:read']);
  for (const id of [theirs, `key_${'0'.repeat(43)}`, 'key_none', 'lnk_0']) {
    expectProblem(await ring.as(own).get({ id }), 404, 'not_found');
  }
});
