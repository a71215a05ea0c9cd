import { beforeAll, expect, test } from 'vitest';
import { permissions } from '../../../../lambdas/core/key/permissions.ts';
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

async function newPair(expiresAt?: string) {
  const ring = await newKeyring(store);
  const [owner, other] = [await ring.newKey(permissions), await ring.newKey(['links:read'], expiresAt)];
  return { ...ring, owner, other, ...ring.as(owner.id) };
}

test('A rotation returns a new key of the same name and permissions, and the old one expires after the overlap.', async () => {
  const { rotate, get, other, owner, counted } = await newPair();
  const { status, headers, body } = await rotate({ id: other.id, body: { overlapSeconds: 60 }, receivedAt: start });
  expect([status, headers.Location]).toEqual([201, `/api/v1/keys/${body.id}`]);
  expect(body).toMatchObject({
    key: expect.stringMatching(/^lk_/),
    name: 'Made',
    permissions: ['links:read'],
    createdBy: { type: 'key', id: owner.id },
    expiresAt: null,
    replaces: other.id,
  });
  expect((await get({ id: other.id })).body).toMatchObject({ replacedBy: body.id, expiresAt: iso(start + 60_000) });
  expect(await counted()).toBe(2);
});

test.for<[object | undefined, string | null]>([
  [undefined, iso(start + 24 * hour)],
  [{}, iso(start + 24 * hour)],
  [{ overlapSeconds: 0 }, iso(start)],
  [{ overlapSeconds: 2_592_000 }, iso(start + 30 * 24 * hour)],
])('With %j, the old key expires at %s.', async ([body, end]) => {
  const { rotate, get, other } = await newPair();
  await rotate({ id: other.id, body, receivedAt: start });
  expect((await get({ id: other.id })).body.expiresAt).toBe(end);
});

test.for<[object, string, string]>([
  [{ overlapSeconds: -1 }, '/overlapSeconds', 'too_small'],
  [{ overlapSeconds: 2_592_001 }, '/overlapSeconds', 'too_large'],
  [{ overlapSeconds: '1h' }, '/overlapSeconds', 'invalid_type'],
  [{ expiresAt: iso(start) }, '/expiresAt', 'not_in_future'],
  [{ permissions: ['links:read'] }, '/permissions', 'unknown_field'],
])('The body %j is refused, and the response names the field and the rule.', async ([body, path, code]) => {
  const { rotate, other, all } = await newPair();
  const answer = await rotate({ id: other.id, body, receivedAt: start });
  expectProblem(answer, 422, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ path, code }]);
  expect((await all()).size).toBe(2);
});

test('A repeated rotation names the key that it has created, which can be rotated in turn if nobody has seen it.', async () => {
  const { rotate, other } = await newPair();
  const lost = (await rotate({ id: other.id, body: {}, receivedAt: start })).body;
  const again = await rotate({ id: other.id, body: {}, receivedAt: start });
  expectProblem(again, 409, 'key_replaced');
  expect(again.body.detail).toContain(lost.id);
  const { status, body } = await rotate({ id: lost.id, body: { overlapSeconds: 0 }, receivedAt: start });
  expect([status, body.replaces]).toEqual([201, lost.id]);
});

test('A key rotates no key that may do more than itself, and gives no later expiry than its own.', async () => {
  const { as, newKey, owner, other, all } = await newPair(iso(start + 5 * hour));
  const { id } = await newKey(['keys:write', 'links:read'], iso(start + hour));
  const { rotate } = as(id);
  expectProblem(await rotate({ id: owner.id, body: {}, receivedAt: start }), 403, 'forbidden');
  const late = await rotate({ id: other.id, body: { expiresAt: iso(start + 2 * hour) }, receivedAt: start });
  expectProblem(late, 422, 'validation_failed');
  expect(late.body.errors).toMatchObject([{ path: '/expiresAt', code: 'too_late' }]);
  const long = await rotate({ id: other.id, body: { expiresInSeconds: 7_200 }, receivedAt: start });
  expect(long.body.errors).toMatchObject([{ path: '/expiresInSeconds', code: 'too_late' }]);
  expect((await all()).size).toBe(3);
  expect((await rotate({ id: other.id, body: {}, receivedAt: start })).body.expiresAt).toBe(iso(start + hour));
});

test('A key that has expired or is revoked is not rotated, and an unknown one is not found.', async () => {
  const { rotate, revoke, newKey, other } = await newPair(iso(start));
  expectProblem(await rotate({ id: other.id, body: {}, receivedAt: start }), 409, 'key_ended');
  const { id: revoked } = await newKey(['links:read']);
  await revoke({ id: revoked, receivedAt: start });
  expectProblem(await rotate({ id: revoked, body: {}, receivedAt: start }), 409, 'key_ended');
  const { id: theirs } = await (await newKeyring(store)).newKey(['links:read']);
  for (const id of [theirs, `key_${'0'.repeat(43)}`, 'x']) expectProblem(await rotate({ id, body: {} }), 404, 'not_found');
});
