import { beforeAll, describe, expect, test, vi } from 'vitest';
import { membersPerWorkspace } from '../../../../lambdas/core/limits.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { refusalOf } from '../../../support/faults/scenario.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newPerson, newTeam } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const start = Date.parse('2030-01-02T03:04:05.678Z');
const day = 86_400_000;
const iso = (time: number) => new Date(time).toISOString();

describe('An invitation', () => {
  test('A person with the invited address, which the provider has verified, is a member at once, whatever the case of the address.', async () => {
    const { invite, memberOf, workspaceId } = await newTeam(store);
    const { member, secret } = await invite('ADA@example.com', 'editor', start);
    const ada = await newPerson({ email: 'ada@Example.com', name: 'Ada' });
    const joined = await store.acceptInvitation(ada, secret, start + day);
    expect(joined).toEqual({ workspaceId, memberId: member.id, role: 'editor', state: 'active' });
    const { revision, invitationHash, invitedUntil, ...kept } = member;
    expect(await memberOf(member.id)).toEqual({
      ...kept,
      email: 'ada@Example.com',
      name: 'Ada',
      state: 'active',
      personId: ada.id,
      lastSignedInAt: iso(start + day),
      invitationHash,
      revision: 1,
    });
    const item = await store.getItem({ pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${member.id}` });
    expect(item).not.toHaveProperty('ttl');
    expect(item).toMatchObject({ createdBy: 'service -', by: `${member.id} -` });
  });

  test('If the provider does not say whether the address is verified, the person waits for an approval.', async () => {
    const { invite, owners } = await newTeam(store);
    const { secret } = await invite('ada@example.com', 'owner');
    const ada = await newPerson({ email: 'ada@example.com', emailVerified: undefined });
    expect(await store.acceptInvitation(ada, secret, Date.now())).toMatchObject({ state: 'pending' });
    expect(await owners()).toBe(0);
    expect(await store.membershipsOf(ada.id)).toMatchObject([{ state: 'pending', role: 'owner' }]);
  });

  test.for([
    ['an address that the provider has not verified', { emailVerified: false }, 'not verified'],
    ['another address', { email: 'eve@example.com' }, 'another email address'],
    ['another address that may be verified', { email: 'eve@example.com', emailVerified: undefined }, 'another email address'],
  ] as const)('A person with %s is refused, and the invitation still works.', async ([_, more, message]) => {
    const { invite, memberOf } = await newTeam(store);
    const { member, secret } = await invite('ada@example.com', 'viewer');
    const eve = await newPerson({ email: 'ada@example.com', ...more });
    await expect(store.acceptInvitation(eve, secret, Date.now())).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining(message),
    });
    expect(await memberOf(member.id)).toEqual(member);
    expect(await store.membershipsOf(eve.id)).toEqual([]);
    const ada = await newPerson({ email: 'ada@example.com' });
    expect(await store.acceptInvitation(ada, secret, Date.now())).toMatchObject({ state: 'active' });
  });

  test('An invitation works until the millisecond before its 7 days are over, and is not listed from then on.', async () => {
    const { invite, workspaceId } = await newTeam(store);
    const ada = await newPerson();
    const { secret, member } = await invite(ada.email, 'viewer', start);
    const listed = async (now: number) => (await store.listMembers(workspaceId, now)).map(({ id }) => id);
    expect(await listed(start + 7 * day - 1)).toEqual([member.id]);
    expect(await listed(start + 7 * day)).toEqual([]);
    expect(await refusalOf(store.acceptInvitation(ada, secret, start + 7 * day))).toBe('not_found');
    expect(await store.acceptInvitation(ada, secret, start + 7 * day - 1)).toMatchObject({ state: 'active' });
    const item = await store.getItem({ pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${member.id}` });
    expect(item?.ttl).toBeUndefined();
    const other = await invite('other@example.com', 'viewer', start);
    const unused = await store.getItem({ pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${other.member.id}` });
    expect(unused?.ttl).toBe(Math.ceil((start + 7 * day) / 1_000));
  });

  test('A secret that is wrong, used by somebody else, or of a workspace that is being deleted is refused in the same words.', async () => {
    const { invite, workspaceId } = await newTeam(store);
    const ada = await newPerson();
    const { secret } = await invite(ada.email, 'viewer');
    const { secret: later } = await invite('later@example.com', 'viewer');
    const refusals: string[] = [];
    const refused = (person: typeof ada, text: string) =>
      store.acceptInvitation(person, text, Date.now()).then(
        () => expect.unreachable(),
        (error: Error) => refusals.push(error.message),
      );
    await refused(ada, 'inv_');
    await refused(ada, `${secret.slice(0, -1)}${secret.endsWith('0') ? '1' : '0'}`);
    await refused(ada, `inv_${'0'.repeat(64)}`);
    await store.acceptInvitation(ada, secret, Date.now());
    await refused(await newPerson({ email: ada.email }), secret);
    await store.beginDeletion(workspaceId);
    await refused(await newPerson({ email: 'later@example.com' }), later);
    expect(new Set(refusals)).toEqual(new Set(['There is no such invitation, or it has been used or has ended.']));
    expect(refusals).toHaveLength(5);
  });

  test('Of 50 acceptances at once, by the invited person and by others with the same address, one person becomes the member.', async () => {
    const { invite, owners, workspaceId } = await newTeam(store);
    const { secret, member } = await invite('ada@example.com', 'owner');
    const people = await Promise.all(Array.from({ length: 5 }, () => newPerson({ email: 'ada@example.com' })));
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const person = people[index % people.length] as (typeof people)[number];
        const refusal = await refusalOf(store.acceptInvitation(person, secret, Date.now()));
        return { personId: person.id, refusal };
      }),
    );
    const winners = new Set(outcomes.filter(({ refusal }) => !refusal).map(({ personId }) => personId));
    expect(winners.size).toBe(1);
    const [winner] = winners;
    for (const { personId, refusal } of outcomes) expect(refusal).toBe(personId === winner ? undefined : 'not_found');
    expect(await store.listMembers(workspaceId, Date.now())).toMatchObject([
      { id: member.id, state: 'active', personId: winner },
    ]);
    expect(await owners()).toBe(1);
    const memberships = await Promise.all(people.map(({ id }) => store.membershipsOf(id)));
    expect(memberships.flat()).toMatchObject([{ memberId: member.id }]);
  });

  test.for([
    ['editor', 'viewer', 'editor'],
    ['viewer', 'editor', 'editor'],
    ['owner', 'viewer', 'owner'],
  ] as const)(
    'If somebody is invited as %s and a rule makes them a %s, they are one member, with the role %s, whichever comes first.',
    async ([invited, byRule, role]) => {
      const orders = {
        rule: (join: () => Promise<unknown>, accept: () => Promise<unknown>) => join().then(accept),
        invitation: (join: () => Promise<unknown>, accept: () => Promise<unknown>) => accept().then(join),
        'rule between': (join: () => Promise<unknown>, accept: () => Promise<unknown>) => overtaken(join, accept),
        'invitation between': (join: () => Promise<unknown>, accept: () => Promise<unknown>) => overtaken(accept, join),
      };
      for (const [first, order] of Object.entries(orders)) {
        const { invite, workspaceId, owners } = await newTeam(store);
        const ada = await newPerson();
        const { secret, member } = await invite(ada.email, invited);
        const accept = () => store.acceptInvitation(ada, secret, Date.now());
        await order(() => store.joinWorkspace(ada, { workspaceId, role: byRule }, Date.now()), accept);
        // Whoever accepts first has the role of the invitation: a rule changes no role.
        const expected = first.startsWith('invitation') ? invited : role;
        const joined = { workspaceId, memberId: member.id, role: expected, state: 'active' };
        expect([first, await accept()]).toEqual([first, joined]);
        expect(await store.listMembers(workspaceId, Date.now())).toMatchObject([{ id: member.id, role: expected }]);
        expect(await store.membershipsOf(ada.id)).toMatchObject([{ memberId: member.id, role: expected }]);
        expect(await owners()).toBe(expected === 'owner' ? 1 : 0);
      }
    },
  );

  test('Whoever is a member already, with another address, gets the higher role by an invitation, and each repetition says so.', async () => {
    for (const [before, invited, role] of [
      ['viewer', 'owner', 'owner'],
      ['editor', 'viewer', 'editor'],
    ] as const) {
      const { join, invite, workspaceId, owners, memberOf } = await newTeam(store);
      const { id, identity } = await join(before);
      const ada = await newPerson({ ...identity, email: `new.${identity.email}` });
      const { secret } = await invite(ada.email, invited);
      const accept = () => store.acceptInvitation(ada, secret, Date.now());
      const joined = { workspaceId, memberId: id, role, state: 'active' };
      expect(await Promise.all([accept(), accept(), accept()])).toEqual([joined, joined, joined]);
      expect(await accept()).toEqual(joined);
      expect(await store.listMembers(workspaceId, Date.now())).toMatchObject([{ id, role }]);
      expect(await owners()).toBe(role === 'owner' ? 1 : 0);
      // Nobody else can use it, and a later removal is not undone by it.
      expect(await refusalOf(store.acceptInvitation(await newPerson({ email: ada.email }), secret, Date.now()))).toBe(
        'not_found',
      );
      await join('owner');
      await store.removeMember(workspaceId, id, { keys: 'keep', keptDays: 1 });
      expect(await refusalOf(accept())).toBe('not_found');
      expect(await memberOf(id)).toMatchObject({ state: 'removed' });
    }
  });

  test('A member whose provider does not verify addresses is not raised by an invitation.', async () => {
    const { invite, workspaceId } = await newTeam(store);
    const ada = await newPerson({ emailVerified: undefined });
    const { secret } = await invite(ada.email, 'owner');
    await store.joinWorkspace(ada, { workspaceId, role: 'viewer' }, Date.now());
    expect(await refusalOf(store.acceptInvitation(ada, secret, Date.now()))).toBe('already_member');
    expect(await store.membershipsOf(ada.id)).toMatchObject([{ role: 'viewer' }]);
  });

  test('The table has the hash of a secret, and not the secret.', async () => {
    const { invite, workspaceId } = await newTeam(store);
    const { secret } = await invite('ada@example.com', 'owner');
    const items = await Array.fromAsync(store.query({ pk: `MEMBERS#${workspaceId}`, between: ['0', '~'] }));
    expect(items).toHaveLength(2);
    expect(JSON.stringify(items)).not.toContain(secret.slice(-32));
  });
});

describe('A rule that lets people in', () => {
  test('A person who matches becomes a member once, however often at once, and keeps the role that the workspace gives.', async () => {
    const { workspaceId, owners } = await newTeam(store);
    const ada = await newPerson();
    const join = () => store.joinWorkspace(ada, { workspaceId, role: 'owner' }, Date.now());
    await Promise.all(Array.from({ length: 20 }, join));
    expect(await store.listMembers(workspaceId, Date.now())).toMatchObject([
      { state: 'active', role: 'owner', email: ada.email },
    ]);
    expect(await owners()).toBe(1);
    await store.joinWorkspace(ada, { workspaceId, role: 'viewer' }, Date.now());
    expect(await store.membershipsOf(ada.id)).toMatchObject([{ workspaceId, role: 'owner', state: 'active' }]);
  });

  test('30 people who match at once all become members.', async () => {
    const { workspaceId } = await newTeam(store);
    const people = await Promise.all(Array.from({ length: 30 }, () => newPerson()));
    await Promise.all(people.map((person) => store.joinWorkspace(person, { workspaceId, role: 'viewer' }, Date.now())));
    expect(await store.listMembers(workspaceId, Date.now())).toHaveLength(30);
  });

  test('A workspace that is full, deleted or unknown takes nobody, and the sign-in does not fail.', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const { workspaceId } = await newTeam(store);
    const ada = await newPerson();
    const { newMemberItem } = await import('../../../../lambdas/store/members/items.ts');
    for (let number = 0; number < membersPerWorkspace; number++) {
      const id = `mbr_${String(number).padStart(16, '0')}`;
      const some = { email: `${id}@example.com`, name: null, role: 'viewer', state: 'active', createdAt: iso(start) } as const;
      await store.putItem(newMemberItem({ id, workspaceId, ...some, revision: 0 }));
    }
    await store.joinWorkspace(ada, { workspaceId, role: 'viewer' }, Date.now());
    expect(await store.listMembers(workspaceId, Date.now())).toHaveLength(membersPerWorkspace);
    expect(warn).toHaveBeenCalled();
    warn.mockRestore();
    const gone = await newTeam(store);
    await store.beginDeletion(gone.workspaceId);
    await store.joinWorkspace(ada, { workspaceId: gone.workspaceId, role: 'viewer' }, Date.now());
    await store.joinWorkspace(ada, { workspaceId: 'ws_unknown', role: 'viewer' }, Date.now());
    expect(await store.membershipsOf(ada.id)).toEqual([]);
  });
});

describe('A sign-in that is noted', () => {
  test('The workspaces of a person learn the address and name of the latest sign-in, whichever is noted last.', async () => {
    const team = await newTeam(store);
    const { person, id } = await team.join('viewer');
    const now = Date.now() + day;
    await store.noteSignIn({ ...person, email: 'new@example.com', name: null }, now);
    await store.noteSignIn({ ...person, email: 'old@example.com', name: 'Old' }, now - 1);
    expect(await team.memberOf(id)).toMatchObject({
      email: 'new@example.com',
      name: null,
      lastSignedInAt: iso(now),
      revision: 1,
    });
  });
});

test('A person finds all their workspaces by name, without those that are being deleted.', async () => {
  const teams = [await newTeam(store), await newTeam(store), await newTeam(store)] as const;
  const ada = await newPerson();
  for (const { workspaceId } of teams) await store.joinWorkspace(ada, { workspaceId, role: 'editor' }, Date.now());
  await store.beginDeletion(teams[1].workspaceId);
  const found = await store.membershipsOf(ada.id);
  const expected = [teams[0], teams[2]].map(({ workspace: { id, name } }) => ({
    workspaceId: id,
    workspaceName: name,
    memberId: expect.stringMatching(/^mbr_/),
    role: 'editor',
    state: 'active',
  }));
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(found).toHaveLength(2);
});
