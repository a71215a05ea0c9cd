import { beforeAll, describe, expect, test } from 'vitest';
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

async function newPair(own = permissions as readonly (typeof permissions)[number][], expiresAt?: string) {
  const ring = await newKeyring(store);
  const owner = await ring.newKey(own, expiresAt);
  const other = await ring.newKey(['links:read', 'links:write']);
  return { ...ring, owner, other, ...ring.as(owner.id) };
}

test('An update changes the fields that are sent, and no others.', async () => {
  const { update, get, other } = await newPair();
  const before = (await get({ id: other.id })).body;
  const send = async (body: object) => (await update({ id: other.id, body, receivedAt: start })).body;
  expect(await send({})).toEqual(before);
  expect(await send({ name: 'New' })).toEqual({ ...before, name: 'New' });
  expect(await send({ permissions: ['links:read'] })).toEqual({ ...before, name: 'New', permissions: ['links:read'] });
  expect(await send({ expiresInSeconds: 60 })).toMatchObject({ expiresAt: iso(start + 60_000) });
  expect(await send({ expiresAt: null, name: null })).toEqual({ ...before, name: null, permissions: ['links:read'] });
  expect((await get({ id: other.id })).body).toEqual({ ...before, name: null, permissions: ['links:read'] });
});

test('With If-Match, only that version is changed; a use of the key does not change its version.', async () => {
  const { update, get, other } = await newPair();
  const read = await get({ id: other.id });
  const etag = String(read.headers.ETag);
  await store.recordUse(other, start, 1_000);
  const headers = { 'If-Match': etag };
  const mine = await update({ id: other.id, headers, body: { name: 'Mine' }, receivedAt: start });
  expect([mine.status, mine.headers.ETag]).toEqual([200, (await get({ id: other.id })).headers.ETag]);
  expect(mine.headers.ETag).not.toBe(etag);
  expectProblem(await update({ id: other.id, headers, body: { name: 'Late' }, receivedAt: start }), 412, 'precondition_failed');
  expect((await get({ id: other.id })).body.name).toBe('Mine');
  expect((await get({ id: other.id, headers: { 'If-None-Match': String(mine.headers.ETag) } })).status).toBe(304);
});

test('A key changes no key that may do more than itself, not even its name, nor to fewer permissions.', async () => {
  const { as, newKey, other, all } = await newPair();
  const { id } = await newKey(['keys:write', 'links:read']);
  for (const body of [{ name: 'Mine' }, { permissions: ['links:read'] }, { expiresAt: iso(start + hour) }, {}]) {
    const answer = await as(id).update({ id: other.id, body, receivedAt: start });
    expectProblem(answer, 403, 'forbidden');
    expect(answer.body.detail).toContain('links:write');
  }
  expect((await all()).get(other.id)).not.toHaveProperty('revision');
});

test("A key shortens another's expiry even to a time after its own, and prolongs it only up to its own.", async () => {
  const { update, other, newKey } = await newPair(permissions, iso(start + hour));
  const send = (id: string, expiresAt: string | null) => update({ id, body: { expiresAt }, receivedAt: start });
  expect((await send(other.id, iso(start + 3 * hour))).status).toBe(200);
  expect((await send(other.id, iso(start + 2 * hour))).status).toBe(200);
  for (const later of [iso(start + 2 * hour + 1), null]) {
    const answer = await send(other.id, later);
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path: '/expiresAt', code: 'too_late' }]);
  }
  const long = await update({ id: other.id, body: { expiresInSeconds: 7_201 }, receivedAt: start });
  expect(long.body.errors).toMatchObject([{ path: '/expiresInSeconds', code: 'too_late' }]);
  const short = await newKey(['links:read'], iso(start + 60_000));
  expect((await send(short.id, iso(start + hour))).status).toBe(200);
});

test('A key that another key has created never gets a later expiry than its creator had then, not even from a key without one.', async () => {
  const { owner, as, newKey, all } = await newPair();
  const maker = await newKey(permissions, iso(start + 10 * hour));
  const made = (await as(maker.id).create({ body: { expiresAt: iso(start + hour) }, receivedAt: start })).body;
  const madeByMade = await as(maker.id).create({ body: { permissions: ['keys:write'] }, receivedAt: start });
  const chain = (await as(madeByMade.body.id).create({ body: { permissions: ['keys:write'] }, receivedAt: start })).body;
  expect(chain.expiresAt).toBe(iso(start + 10 * hour));
  // The creator gets a later expiry, and then an earlier one. Neither changes the limit of its keys.
  const send = (id: string, expiresAt: string | null) => as(owner.id).update({ id, body: { expiresAt }, receivedAt: start });
  for (const until of [iso(start + 20 * hour), iso(start + 2 * hour)]) {
    expect((await send(maker.id, until)).status).toBe(200);
    for (const { id } of [made, chain]) {
      expectProblem(await send(id, iso(start + 10 * hour + 1)), 422, 'validation_failed');
      expectProblem(await send(id, null), 422, 'validation_failed');
      expect((await send(id, iso(start + 10 * hour))).status).toBe(200);
    }
  }
  // A replacement is limited by the caller's expiry. The operator is not limited.
  expect((await as(owner.id).rotate({ id: made.id, body: { expiresAt: null }, receivedAt: start })).body.expiresAt).toBeNull();
  await store.updateApiKey(chain.id, { expiresAt: null });
  expect((await all()).get(chain.id)).not.toHaveProperty('endsBy');
});

test('A key that was replaced without an overlap is not revived, not even by its creator or its replacement.', async () => {
  const { owner, other, as, get } = await newPair();
  const { body: next } = await as(owner.id).rotate({ id: other.id, body: { overlapSeconds: 0 }, receivedAt: start });
  for (const body of [{ expiresAt: null }, { expiresAt: iso(start + hour) }, { expiresInSeconds: 60, name: 'Back' }]) {
    const answer = await as(owner.id).update({ id: other.id, body, receivedAt: start + 1 });
    expectProblem(answer, 409, 'key_replaced');
    expect(answer.body.detail).toContain(next.id);
  }
  expect((await as(owner.id).update({ id: other.id, body: { name: 'Leaked' }, receivedAt: start + 1 })).status).toBe(200);
  expect((await get({ id: other.id })).body).toMatchObject({ name: 'Leaked', expiresAt: iso(start), replacedBy: next.id });
});

test('The overlap of a replaced key can be shortened, but not prolonged.', async () => {
  const { owner, other, as } = await newPair();
  await as(owner.id).rotate({ id: other.id, body: { overlapSeconds: 3_600 }, receivedAt: start });
  const until = (time: number) => as(owner.id).update({ id: other.id, body: { expiresAt: iso(time) }, receivedAt: start });
  expectProblem(await until(start + hour + 1), 409, 'key_replaced');
  expect((await until(start + hour / 2)).status).toBe(200);
  expectProblem(await until(start + hour), 409, 'key_replaced');
  // The operator may prolong it.
  await store.updateApiKey(other.id, { expiresAt: iso(start + 2 * hour) });
  expect((await until(start + 2 * hour)).status).toBe(200);
});

describe('A key that changes itself', () => {
  test('A key may give up permissions, keys:write included, and time, but cannot take either back.', async () => {
    const { owner, update, all } = await newPair(permissions, iso(start + 2 * hour));
    const self = (body: object) => update({ id: owner.id, body, receivedAt: start });
    expect((await self({ expiresAt: iso(start + hour) })).status).toBe(200);
    expectProblem(await self({ expiresAt: iso(start + 2 * hour) }), 422, 'validation_failed');
    expect((await self({ permissions: ['links:read', 'keys:write'] })).status).toBe(200);
    expectProblem(await self({ permissions: ['links:read', 'links:write'] }), 403, 'forbidden');
    expect((await self({ permissions: ['links:read'] })).status).toBe(200);
    expectProblem(await self({ name: 'Back' }), 403, 'forbidden');
    expect((await all()).get(owner.id)).toMatchObject({ permissions: ['links:read'], expiresAt: iso(start + hour) });
  });

  test('A key may rotate and revoke itself. Its replacement ends with it at the latest.', async () => {
    const { owner, rotate, revoke, as, get } = await newPair(permissions, iso(start + 2 * hour));
    const { status, body } = await rotate({ id: owner.id, body: {}, receivedAt: start });
    expect([status, body]).toMatchObject([201, { replaces: owner.id, expiresAt: iso(start + 2 * hour) }]);
    expect((await revoke({ id: owner.id, receivedAt: start })).status).toBe(204);
    expectProblem(await rotate({ id: owner.id, body: {}, receivedAt: start }), 401, 'unauthorized');
    expect((await as(body.id).get({ id: owner.id })).body).toMatchObject({ replacedBy: body.id, revokedAt: iso(start) });
    expect((await get({ id: body.id })).status).toBe(200);
  });
});

test.for<[object, string, string]>([
  [{ name: '' }, '/name', 'too_short'],
  [{ permissions: [] }, '/permissions', 'too_few'],
  [{ permissions: ['*'] }, '/permissions/0', 'invalid_value'],
  [{ expiresAt: iso(start - 1) }, '/expiresAt', 'not_in_future'],
  [{ expiresInSeconds: 1, expiresAt: iso(start + hour) }, '/expiresInSeconds', 'not_together'],
  [{ revokedAt: null }, '/revokedAt', 'unknown_field'],
  [{ createdBy: null }, '/createdBy', 'unknown_field'],
  [{ endsBy: null }, '/endsBy', 'unknown_field'],
])('The body %j is refused, and the response names the field and the rule.', async ([body, path, code]) => {
  const { update, other } = await newPair();
  const answer = await update({ id: other.id, body, receivedAt: start });
  expectProblem(answer, 422, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ path, code }]);
});

test('A revoked key is not changed, and an unknown one is not found.', async () => {
  const { update, revoke, other } = await newPair();
  await revoke({ id: other.id });
  expectProblem(await update({ id: other.id, body: { name: 'New' } }), 409, 'key_ended');
  const { id: theirs } = await (await newKeyring(store)).newKey(['links:read']);
  for (const id of [theirs, `key_${'0'.repeat(43)}`, 'nonsense']) {
    expectProblem(await update({ id, body: { name: 'New' } }), 404, 'not_found');
  }
});
