import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newOwner, newPerson } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

describe('PATCH /members/{id}', () => {
  test('A pending member is active once somebody approves them, and a repeated approval changes nothing.', async () => {
    const { invite, update, there, owners } = await newOwner(store);
    const ada = await newPerson({ emailVerified: undefined });
    const { body } = await invite({ body: { email: ada.email, role: 'owner' } });
    await store.acceptInvitation(ada, body.invitationUrl.split('=')[1], Date.now());
    expect((await there()).get(body.id)?.state).toBe('pending');
    for (let times = 0; times < 2; times++) {
      expect((await update({ id: body.id, body: { state: 'active' } })).body).toMatchObject({ state: 'active', role: 'owner' });
      expect(await owners()).toBe(2);
    }
    expect((await there()).get(body.id)?.revision).toBe(2);
  });

  test('An invitation that is not accepted cannot be approved, but its role can be changed.', async () => {
    const { invite, update } = await newOwner(store);
    const { body } = await invite({ body: { email: 'ada@example.com', role: 'viewer' } });
    expectProblem(await update({ id: body.id, body: { state: 'active' } }), 409, 'invitation_not_accepted');
    expect((await update({ id: body.id, body: { role: 'owner' } })).body).toMatchObject({ role: 'owner', state: 'invited' });
    const ada = await newPerson({ email: 'ada@example.com' });
    expect(await store.acceptInvitation(ada, body.invitationUrl.split('=')[1], Date.now())).toMatchObject({ role: 'owner' });
  });

  test('With If-Match, only that version is changed; a sign-in keeps the entity tag, and each change makes a new one.', async () => {
    const { join, get, update } = await newOwner(store);
    const { id, identity } = await join('viewer');
    const give = (role: string, etag: string) => update({ id, headers: { 'If-Match': etag }, body: { role } });
    const read = await get({ id });
    const etag = String(read.headers.ETag);
    await store.noteSignIn(await newPerson({ ...identity, name: 'Somebody Else' }));
    const known = await get({ id, headers: { 'If-None-Match': etag } });
    expect([known.status, known.body]).toMatchObject([
      200,
      { ...read.body, name: 'Somebody Else', lastSignedInAt: expect.any(String) },
    ]);
    const mine = await give('editor', etag);
    expect([mine.status, mine.headers.ETag]).toEqual([200, (await get({ id })).headers.ETag]);
    expectProblem(await give('owner', etag), 412, 'precondition_failed');
    expect((await update({ id, body: { role: 'viewer' } })).status).toBe(200);
    expectProblem(await give('owner', etag), 412, 'precondition_failed');
    const now = await get({ id });
    expect(now.body.role).toBe('viewer');
    expect((await get({ id, headers: { 'If-None-Match': String(now.headers.ETag) } })).status).toBe(304);
  });

  test.for<[object, string, string]>([
    [{ state: 'pending' }, '/state', 'invalid_value'],
    [{ role: null }, '/role', 'null_not_allowed'],
    [{ email: 'x@example.com' }, '/email', 'unknown_field'],
  ])('The body %j is refused.', async ([body, path, code]) => {
    const { update, owner } = await newOwner(store);
    const answer = await update({ id: owner.id, body });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path, code }]);
  });
});
