import { beforeAll, expect, test } from 'vitest';
import { permissions } from '../../../../lambdas/core/key/permissions.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { type Keyring, newKeyring } from '../../../support/things/keys.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const day = 86_400_000;

/** The ids on each page, from the first to the last. */
async function pagesOf({ as }: Keyring, keyId: string, limit: number, receivedAt = Date.now()): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: String(limit), ...(cursor !== null && { cursor }) };
    const { status, body } = await as(keyId).list({ query, receivedAt });
    expect(status).toBe(200);
    pages.push(body.keys.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  } while (cursor !== null);
  return pages;
}

test('The pages list each key once, newest first, with its fields but never the key itself.', async () => {
  const ring = await newKeyring(store);
  const owner = await ring.newKey(permissions);
  const made = [];
  for (let index = 0; index < 4; index++) {
    made.push((await ring.as(owner.id).create({ body: { name: `Key ${index}` }, receivedAt: Date.now() + index })).body);
  }
  const ids = [...made.map(({ id }) => id).toReversed(), owner.id];
  expect(await pagesOf(ring, owner.id, 2)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  expect(await pagesOf(ring, owner.id, 5)).toEqual([ids]);
  const { body } = await ring.as(owner.id).list({});
  const { key, ...newest } = made.at(-1);
  expect(body.keys[0]).toEqual(newest);
  for (const secret of [owner.key, ...made.map((one) => one.key)]) expect(JSON.stringify(body)).not.toContain(secret.slice(0, 8));
});

test('A revoked key is listed and found for 30 days, and then neither, while the pages stay complete.', async () => {
  const ring = await newKeyring(store);
  const [owner, other, last] = [
    await ring.newKey(permissions),
    await ring.newKey(['links:read']),
    await ring.newKey(['links:read']),
  ];
  const { revoke, get } = ring.as(owner.id);
  const now = Date.now();
  await revoke({ id: other.id, receivedAt: now });
  expect((await get({ id: other.id })).body.revokedAt).toBe(new Date(now).toISOString());
  const just = now + 30 * day - 1;
  expect((await pagesOf(ring, owner.id, 100, just)).flat()).toContain(other.id);
  expect((await get({ id: other.id, receivedAt: just })).status).toBe(200);
  expect((await pagesOf(ring, owner.id, 1, just + 1)).flat().sort()).toEqual([owner.id, last.id].sort());
  expectProblem(await get({ id: other.id, receivedAt: just + 1 }), 404, 'not_found');
  expectProblem(await revoke({ id: other.id, receivedAt: just + 1 }), 404, 'not_found');
  const item = await store.getItem({ pk: `KEY#${other.id.slice(4)}`, sk: 'KEY' });
  expect(Math.abs(Number(item?.ttl) * 1_000 - (just + 1))).toBeLessThan(1_000);
});

test('A cursor that is not one of this list is refused.', async () => {
  const ring = await newKeyring(store);
  const { id } = await ring.newKey(['keys:read']);
  for (const cursor of ['x', '', 'A'.repeat(80)]) {
    const answer = await ring.as(id).list({ query: { cursor } });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ code: 'invalid_cursor' }]);
  }
});
