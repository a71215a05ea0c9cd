import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../../../lambdas/core/member/person.ts';
import type { Role } from '../../../../lambdas/core/member/roles.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newOwner, newPerson, newTeam, type Team } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** The result of a stage's rules for a person in a team, at a sign-in. */
const following =
  ({ workspaceId }: Pick<Team, 'workspaceId'>, person: Person) =>
  (role: Role | undefined, isKnown = true, at = Date.now()) =>
    store.followRules(person, { workspaceId, role, isKnown }, at, 30);

/** A workspace with an owner, and a member by a rule. */
async function withMember(role: Role = 'viewer', former = '') {
  const team = await newOwner(store);
  const person = await newPerson();
  const follow = following(team, person);
  await following(team, { ...person, email: `${former}${person.email}` })(role);
  const current = async () => (await store.membershipsOf(person.id))[0];
  const { memberId = '' } = (await current()) ?? {};
  return { ...team, person, follow, current, memberId };
}

describe('A member who has left the group', () => {
  test('is removed at the next sign-in, with the keys that they made, and the history says so.', async () => {
    const { person, follow, current, memberId, memberOf, as, signIn, workspaceId, sweep } = await withMember('owner');
    const session = await signIn(person);
    const { body } = await as({ keyId: (await session.newKey()).id, id: memberId }).createKey({ body: { name: 'Mine' } });
    await follow(undefined);
    expect(await current()).toBeUndefined();
    expect(await memberOf(memberId)).toMatchObject({ state: 'removed', revokesKeys: true });
    await sweep(memberId);
    expect((await store.listApiKeys(workspaceId)).find(({ id }) => id === body.id)?.revokedAt).toBeDefined();
    const item = await store.getItem({ pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${memberId}` });
    expect(item?.by).toMatch(new RegExp(`^${memberId} `));
  });

  test('stays while the provider does not send all groups.', async () => {
    const { follow, current } = await withMember();
    await follow(undefined, false);
    expect(await current()).toMatchObject({ role: 'viewer', state: 'active' });
  });

  test('rejoins on return, as another member, any number of times.', async () => {
    const { follow, current, memberId } = await withMember();
    for (let time = 0; time < 3; time++) {
      await follow(undefined);
      expect(await current()).toBeUndefined();
      await follow('editor');
      expect(await current()).toMatchObject({ role: 'editor', state: 'active' });
    }
    expect((await current())?.memberId).not.toBe(memberId);
  });

  test('stays if an owner has changed their role since, and if they have accepted an invitation.', async () => {
    const changed = await withMember();
    await changed.update({ id: changed.memberId, body: { role: 'editor' } });
    await changed.follow(undefined);
    expect(await changed.current()).toMatchObject({ role: 'editor' });

    // With a former address of theirs.
    const invited = await withMember('viewer', 'former.');
    const { secret } = await store.inviteMember(invited.workspaceId, { email: invited.person.email, role: 'viewer' });
    await store.acceptInvitation(invited.person, secret, Date.now());
    await invited.follow(undefined, true, Date.now() + 1_000);
    expect(await invited.current()).toMatchObject({ role: 'viewer' });
  });

  test('stays if they have joined by an invitation, even if a rule applied it.', async () => {
    const team = await newOwner(store);
    const person = await newPerson();
    await store.inviteMember(team.workspaceId, { email: person.email, role: 'viewer' });
    await following(team, person)('editor');
    await following(team, person)(undefined);
    expect(await store.membershipsOf(person.id)).toMatchObject([{ role: 'editor' }]);
  });

  test('does not rejoin by a rule once an owner has removed them, even if they left the group before.', async () => {
    const { follow, current, remove, memberId } = await withMember();
    await follow(undefined);
    await follow('viewer');
    expect((await remove({ id: (await current())?.memberId ?? memberId })).status).toBe(204);
    await follow('viewer');
    expect(await current()).toBeUndefined();
  });

  test('stays while they are the last owner, and is removed once there is another one.', async () => {
    const team = await newTeam(store);
    const person = await newPerson();
    const follow = following(team, person);
    await follow('owner');
    for (const role of [undefined, 'viewer'] as const) {
      await follow(role);
      expect([(await store.membershipsOf(person.id))[0]?.role, await team.owners()]).toEqual(['owner', 1]);
    }
    await team.join('owner');
    await follow(undefined);
    expect([await store.membershipsOf(person.id), await team.owners()]).toEqual([[], 1]);
  });

  test('stays if an owner changes their role at the same time.', async () => {
    const { follow, current, update, memberId } = await withMember();
    await overtaken(
      () => update({ id: memberId, body: { role: 'editor' } }),
      () => follow(undefined),
    );
    expect(await current()).toMatchObject({ role: 'editor' });
  });

  test('stays if a later sign-in, already noted, had the group.', async () => {
    const { person, follow, current } = await withMember();
    await store.noteSignIn({ ...person, lastSignedInAt: new Date(Date.now() + 60_000).toISOString() });
    await follow(undefined);
    expect(await current()).toMatchObject({ role: 'viewer' });
  });
});

describe('A member who has changed groups', () => {
  test('gets the role of the new group, and loses that of the former one only if the provider sends all groups.', async () => {
    const { follow, current, owners } = await withMember('viewer');
    for (const [role, isKnown, expected] of [
      ['owner', false, 'owner'],
      ['editor', false, 'owner'],
      ['editor', true, 'editor'],
      ['viewer', true, 'viewer'],
    ] as const) {
      await follow(role, isKnown);
      expect([(await current())?.role, await owners()]).toEqual([expected, expected === 'owner' ? 2 : 1]);
    }
  });

  test('keeps the role that an owner has given.', async () => {
    const { follow, current, update, memberId } = await withMember('viewer');
    await update({ id: memberId, body: { role: 'editor' } });
    await follow('owner');
    expect(await current()).toMatchObject({ role: 'editor' });
  });
});

test('After many sign-ins at once, in the group and out of it, a person is a member or not, and the count of owners is right.', async () => {
  const { follow, person, there, owners } = await withMember('owner');
  const roles = ['owner', undefined, 'viewer', undefined, 'owner', 'editor'] as const;
  await Promise.all(roles.map((role) => follow(role)));
  const members = [...(await there()).values()];
  expect(members.filter(({ personId }) => personId === person.id).length).toBe((await store.membershipsOf(person.id)).length);
  expect(await owners()).toBe(members.filter(({ role }) => role === 'owner').length);
});
