import { beforeAll, describe, expect, test } from 'vitest';
import { rolePermissions } from '../../../../lambdas/core/member/roles.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { type Joined, newPerson, newTeam, type Team } from '../../../support/things/members.ts';

// Whatever happens at once, the result is that of some order of the requests, and an owner remains. For a minute, the
// gateway uses a key's former permissions, so only the table decides.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** Expects that an active owner exists, and that the roster has the right count. */
async function expectAnOwner({ there, owners }: Team): Promise<void> {
  const active = [...(await there()).values()].filter(({ role, state }) => role === 'owner' && state === 'active');
  expect(active.length).toBeGreaterThan(0);
  expect(await owners()).toBe(active.length);
}

test('If two owners remove each other, one succeeds and stays, and the other is refused.', async () => {
  for (let round = 0; round < 5; round++) {
    const team = await newTeam(store);
    const [one, other] = [await team.join('owner'), await team.join('owner')];
    const answers = await Promise.all([team.as(one).remove({ id: other.id }), team.as(other).remove({ id: one.id })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
    expect([...(await team.there()).keys()]).toEqual([answers[0].status === 204 ? one.id : other.id]);
    await expectAnOwner(team);
  }
});

test('If two owners both leave, or are both demoted by a key, one stays.', async () => {
  for (const act of ['leave', 'demote'] as const) {
    const team = await newTeam(store);
    const members = [await team.join('owner'), await team.join('owner')];
    const manager = team.as(await team.newKey(rolePermissions.owner));
    const answers = await Promise.all(
      members.map((one) => (act === 'leave' ? team.as(one).leave({}) : manager.update({ id: one.id, body: { role: 'viewer' } }))),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expectProblem(answers.find(({ status }) => status >= 300) as (typeof answers)[number], 409, 'last_owner');
    await expectAnOwner(team);
  }
});

test('If ten owners remove the next one in a circle, each success removes one owner, the others get 401, and an owner stays.', async () => {
  const team = await newTeam(store);
  const members: Joined[] = [];
  for (let number = 0; number < 10; number++) members.push(await team.join('owner'));
  const nextOf = (index: number) => members[(index + 1) % members.length] as Joined;
  const answers = await Promise.all(members.map((one, index) => team.as(one).remove({ id: nextOf(index).id })));
  for (const { status } of answers) expect([204, 401]).toContain(status);
  const left = await team.there();
  for (const [index, { status }] of answers.entries()) expect(left.has(nextOf(index).id)).toBe(status !== 204);
  await expectAnOwner(team);
});

test('If six owners demote and remove each other and leave at once, an owner stays, and the count agrees.', async () => {
  const team = await newTeam(store);
  const members: Joined[] = [];
  for (let number = 0; number < 6; number++) members.push(await team.join('owner'));
  await Promise.all(
    members.flatMap((one, index) => {
      const [next, over] = [members[(index + 1) % 6] as Joined, members[(index + 2) % 6] as Joined];
      const { update, remove, leave } = team.as(one);
      return [
        update({ id: next.id, body: { role: index % 2 ? 'viewer' : 'editor' } }),
        remove({ id: over.id }),
        index % 3 ? leave({}) : update({ id: one.id, body: { role: 'editor' } }),
      ];
    }),
  );
  await expectAnOwner(team);
});

/** Events that end the right of an owner who has signed in. */
const ends: Readonly<Record<string, (team: Team, owner: Joined, other: Joined) => Promise<unknown>>> = {
  'is removed': (team, owner, other) => team.as(other).remove({ id: owner.id }),
  'is demoted': (team, owner, other) => team.as(other).update({ id: owner.id, body: { role: 'editor' } }),
  'is demoted in the table, without a request': async (team, owner) => {
    const key = { pk: `MEMBERS#${team.workspaceId}`, sk: `MEMBER#${owner.id}` };
    await store.updateItem(key, { text: 'SET #role = :role', values: { ':role': 'viewer' } });
  },
  'signs out': (_, owner) => owner.session.end(),
};

/** Requests of an owner. */
const requests: Readonly<
  Record<
    string,
    (team: Team, owner: Joined, third: Joined, keyId: string) => Promise<{ status: number; body: { code?: string } }>
  >
> = {
  'POST /keys': (team, owner) => team.as(owner).createKey({ body: { permissions: ['keys:write', 'links:read'] } }),
  'PATCH /keys/{id}': (team, owner, _, id) => team.as(owner).updateKey({ id, body: { permissions: ['stats:write'] } }),
  'POST /keys/{id}/rotate': (team, owner, _, id) => team.as(owner).rotateKey({ id, body: {} }),
  'DELETE /keys/{id}': (team, owner, _, id) => team.as(owner).revokeKey({ id }),
  'POST /members': (team, owner) => team.as(owner).invite({ body: { email: 'new@example.com', role: 'owner' } }),
  'PATCH /members/{id}': (team, owner, third) => team.as(owner).update({ id: third.id, body: { role: 'owner' } }),
  'PATCH of their own': (team, owner) => team.as(owner).update({ id: owner.id, body: { role: 'owner' } }),
  'DELETE /members/{id}': (team, owner, third) => team.as(owner).remove({ id: third.id }),
  'DELETE /members/me': (team, owner) => team.as(owner).leave({}),
};

/** All members and keys of a workspace in the table. */
const everything = async ({ workspaceId }: Team) => ({
  members: await store.everyMember(workspaceId),
  keys: await store.listApiKeys(workspaceId),
});

describe.for(Object.keys(ends))('If an owner %s', (what) => {
  test.for(Object.keys(requests))(
    '%s is refused from then on, and also if this happens at any moment before its write.',
    async (name) => {
      // Before the request, before its second read, before its third, and before its write.
      for (const command of ['none', 'BatchGetItem', 'Query', 'TransactWriteItems'] as const) {
        const team = await newTeam(store);
        const [owner, other, third] = [await team.join('owner'), await team.join('owner'), await team.join('viewer')];
        const { body } = await team.as(other).createKey({ body: { permissions: ['links:read'] } });
        const send = () => (requests[name] as (typeof requests)[string])(team, owner, third, body.id);
        let before: Awaited<ReturnType<typeof everything>> | undefined;
        const end = async () => {
          await (ends[what] as (typeof ends)[string])(team, owner, other);
          before = await everything(team);
        };
        if (command === 'none') await end();
        const answer = command === 'none' ? await send() : await overtaken(end, send, { command });
        // Some requests don't make that call.
        if (!before) continue;
        // Setting one's own present role writes nothing.
        if (name === 'PATCH of their own' && answer.status === 200) continue;
        expectProblem(answer as never, 401, 'unauthorized');
        expect(await everything(team)).toEqual(before);
      }
    },
  );
});

test('An owner who is demoted between two reads does not promote themselves with the key of the former role.', async () => {
  const team = await newTeam(store);
  const [owner, other] = [await team.join('owner'), await team.join('owner')];
  const demote = () => team.as(other).update({ id: owner.id, body: { role: 'viewer' } });
  for (const number of [0, 1, 2]) {
    const answer = await overtaken(demote, () => team.as(owner).update({ id: owner.id, body: { role: 'owner' } }), {
      command: 'GetItem',
      number,
    });
    expect([200, 401]).toContain(answer.status);
    expect((await team.memberOf(owner.id))?.role).toBe(answer.status === 200 ? 'owner' : 'viewer');
    if (number < 2) expect(answer.status).toBe(401);
    await team.as(other).update({ id: owner.id, body: { role: 'owner' } });
  }
});

test('If a role changes while a member makes a key, the key is made with the old role before the change, or not at all.', async () => {
  for (let round = 0; round < 8; round++) {
    const team = await newTeam(store);
    const [owner, other] = [await team.join('owner'), await team.join('owner')];
    const [made, demoted] = await Promise.all([
      team.as(other).createKey({ body: { permissions: ['members:write', 'links:read'] } }),
      team.as(owner).update({ id: other.id, body: { role: 'viewer' } }),
    ]);
    expect(demoted.status).toBe(200);
    const keys = await store.listApiKeys(team.workspaceId);
    expect([made.status, keys.length]).toEqual(made.status === 201 ? [201, 1] : [401, 0]);
  }
});

test('If a member is removed while they make keys, directly or with another key, the sweep revokes all of them.', async () => {
  const team = await newTeam(store);
  const [owner, other] = [await team.join('owner'), await team.join('owner')];
  const { body } = await team.as(other).createKey({ body: { permissions: ['keys:write', 'links:read'] } });
  const makers = [team.as(other), team.as({ keyId: body.id })];
  const [removed, ...answers] = await Promise.all([
    team.as(owner).remove({ id: other.id }),
    ...Array.from({ length: 10 }, (_, index) =>
      (makers[index % 2] as (typeof makers)[number]).createKey({ body: { permissions: ['links:read'] } }),
    ),
  ]);
  expect(removed.status).toBe(204);
  await team.sweep(other.id);
  const keys = await store.listApiKeys(team.workspaceId);
  expect(keys).toHaveLength(1 + answers.filter(({ status }) => status === 201).length);
  expect(keys.filter(({ revokedAt }) => !revokedAt)).toEqual([]);
});

test('If an invitation is accepted while it is withdrawn or its role changes, the result is that of some order of the two.', async () => {
  for (let round = 0; round < 8; round++) {
    const team = await newTeam(store);
    const owner = await team.join('owner');
    const ada = await newPerson();
    const { member, secret } = await team.invite(ada.email, 'owner');
    const accept = () =>
      store.acceptInvitation(ada, secret, Date.now()).then(
        () => 204,
        () => 404,
      );
    const act =
      round % 2 ? team.as(owner).remove({ id: member.id }) : team.as(owner).update({ id: member.id, body: { role: 'viewer' } });
    const [accepted, acted] = await Promise.all([accept(), act]);
    expect(acted.status).toBeLessThan(300);
    const found = (await team.there()).get(member.id);
    if (round % 2) expect([found, await store.membershipsOf(ada.id)]).toEqual([undefined, []]);
    else expect([accepted, found?.role, found?.state]).toEqual([204, 'viewer', 'active']);
    await expectAnOwner(team);
  }
});
