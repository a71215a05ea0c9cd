import { beforeAll, describe, expect, test } from 'vitest';
import { membersPerWorkspace } from '../../../../lambdas/core/limits.ts';
import { apiHost, callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newOwner, newPerson } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const start = Date.parse('2030-01-02T03:04:05.678Z');
const day = 86_400_000;
const iso = (time: number) => new Date(time).toISOString();

describe('POST /members', () => {
  test('The response has the member and the link of the invitation, which a person with that address can accept.', async () => {
    const { plain, workspaceId } = await newOwner(store);
    const { invite, list } = plain;
    const ada = await newPerson();
    const { status, body } = await invite({ body: { email: ` ${ada.email} `, role: 'editor' }, receivedAt: start });
    const { invitationUrl, ...shown } = body;
    expect([status, shown]).toEqual([
      201,
      {
        id: expect.stringMatching(/^mbr_/),
        email: ada.email,
        emailVerified: null,
        name: null,
        role: 'editor',
        state: 'invited',
        createdAt: iso(start),
        lastSignedInAt: null,
      },
    ]);
    const { origin, pathname, search, hash } = new URL(invitationUrl);
    expect([origin, pathname, search]).toEqual([`https://${apiHost}`, '/console', '']);
    expect((await list({ receivedAt: start })).body.members[0]).toEqual(shown);
    await store.acceptInvitation(ada, hash.replace('#invitation=', ''), start + day);
    expect((await list({ receivedAt: start + day })).body.members[0]).toEqual({
      ...shown,
      emailVerified: true,
      name: ada.name,
      state: 'active',
      lastSignedInAt: iso(start + day),
    });
    expect(await store.membershipsOf(ada.id)).toMatchObject([{ workspaceId, memberId: body.id }]);
  });

  test.for<[object, string, string]>([
    [{}, '/email', 'required'],
    [{ email: 'ada', role: 'viewer' }, '/email', 'invalid_email'],
    [{ email: `${'a'.repeat(300)}@example.com`, role: 'viewer' }, '/email', 'too_long'],
    [{ email: 7, role: 'viewer' }, '/email', 'invalid_type'],
    [{ email: 'ada@example.com' }, '/role', 'required'],
    [{ email: 'ada@example.com', role: 'admin' }, '/role', 'invalid_value'],
    [{ email: 'ada@example.com', role: 'viewer', state: 'active' }, '/state', 'unknown_field'],
  ])('The body %j is refused, and the response names the field and the rule.', async ([body, path, code]) => {
    const { invite, there } = await newOwner(store);
    const answer = await invite({ body });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toEqual(expect.arrayContaining([expect.objectContaining({ path, code })]));
    expect((await there()).size).toBe(1);
  });

  test('Nobody is invited twice, whatever the case of the address, until the invitation has expired or is withdrawn.', async () => {
    const { plain, owner } = await newOwner(store);
    const { invite, remove } = plain;
    const sent = { email: 'ada@example.com', role: 'viewer' };
    const { body } = await invite({ body: sent, receivedAt: start });
    const again = await invite({ body: { ...sent, email: 'Ada@Example.com' }, receivedAt: start });
    expectProblem(again, 409, 'already_member');
    expect(again.body.detail).toContain(body.id);
    expectProblem(await invite({ body: { ...sent, email: owner.person.email } }), 409, 'already_member');
    expect((await remove({ id: body.id, receivedAt: start })).status).toBe(204);
    expect((await invite({ body: sent, receivedAt: start })).status).toBe(201);
    expect((await invite({ body: sent, receivedAt: start + 7 * day })).status).toBe(201);
  });

  test('Of 20 invitations of one address at once, one is made.', async () => {
    const { invite, there } = await newOwner(store);
    const body = { email: 'ada@example.com', role: 'viewer' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => invite({ body })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect((await there()).size).toBe(2);
  });

  test('A workspace has at most 500 members, however many are invited at once, and expired invitations do not count.', async () => {
    const { invite, there, workspaceId } = await newOwner(store);
    const { newMemberItem } = await import('../../../../lambdas/store/members/items.ts');
    const ended = iso(Date.now() - 1);
    const fill = Array.from({ length: membersPerWorkspace - 3 + 10 }, (_, number) => {
      const id = `mbr_${String(number).padStart(16, '0')}`;
      const common = { id, workspaceId, email: `${id}@example.com`, name: null, createdAt: iso(start), revision: 0 };
      const state = number < 10 ? ({ state: 'invited', invitedUntil: ended } as const) : ({ state: 'active' } as const);
      return newMemberItem({ ...common, role: 'viewer', ...state });
    });
    for (const item of fill) await store.putItem(item);
    const one = (number: number) => invite({ body: { email: `new${number}@example.com`, role: 'viewer' } });
    const answers = await Promise.all(Array.from({ length: 6 }, (_, number) => one(number)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409)) expectProblem(answer, 409, 'member_limit_reached');
    expect((await there()).size).toBe(membersPerWorkspace);
  });

  test('A request that is repeated with the same Idempotency-Key invites nobody again, and names the first invitation.', async () => {
    const { invite, there, owner } = await newOwner(store);
    const request = { headers: { 'Idempotency-Key': 'once' }, body: { email: 'ada@example.com', role: 'viewer' } };
    const { body } = await invite(request);
    const again = await invite(request);
    expectProblem(again, 409, 'member_already_invited');
    expect(again.body.detail).toContain(body.id);
    expect((await there()).size).toBe(2);
    expectProblem(await invite({ ...request, body: { ...request.body, role: 'owner' } }), 422, 'idempotency_key_reused');
    await owner.session.end();
    expectProblem(await invite(request), 401, 'unauthorized');
  });
});

test('A key that is missing in the table manages nobody, even if the gateway lets it pass.', async () => {
  const { workspaceId, owner } = await newOwner(store);
  const body = { email: 'eve@example.com', role: 'viewer' };
  expectProblem(await callEndpoint('create-member', { workspaceId, body }), 401, 'unauthorized');
  expectProblem(await callEndpoint('update-member', { workspaceId, id: owner.id, body: {} }), 401, 'unauthorized');
  expectProblem(await callEndpoint('delete-member', { workspaceId, id: owner.id }), 401, 'unauthorized');
  expectProblem(await callEndpoint('leave-workspace', { workspaceId }), 401, 'unauthorized');
});
