import { beforeAll, describe, expect, test, vi } from 'vitest';
import { membersPerWorkspace } from '../../../../lambdas/core/limits.ts';
import { type Fate, lostAnswer } from '../../../support/faults/lost-answer.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { refusalOf } from '../../../support/faults/scenario.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newIdentity, newPerson, newTeam, type Team } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const start = Date.parse('2030-01-02T03:04:05.678Z');
const day = 86_400_000;
const iso = (time: number) => new Date(time).toISOString();

describe('An invitation', () => {
  test('Whatever the case of the address, a person with the invited address, verified by the provider, is a member at once.', async () => {
    const { invite, memberOf, workspaceId } = await newTeam(store);
    const { member, secret } = await invite('ADA@example.com', 'editor', start);
    const ada = await newPerson({ email: 'ada@Example.com', name: 'Ada' });
    const joined = await store.acceptInvitation(ada, secret, start + day);
    expect(joined).toEqual({ workspaceId, memberId: member.id, role: 'editor', state: 'active' });
    const { revision, invitationHash, invitedUntil, ...kept } = member;
    expect(await memberOf(member.id)).toEqual({
      ...kept,
      email: 'ada@Example.com',
      emailVerified: true,
      emailAt: ada.lastSignedInAt,
      name: 'Ada',
      state: 'active',
      personId: ada.id,
      lastSignedInAt: iso(start + day),
      invitationHash,
      origin: 'invitation',
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
    ['another address', { email: 'eve@example.com' }, 'a different email address'],
    ['another address that may be verified', { email: 'eve@example.com', emailVerified: undefined }, 'a different email address'],
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
    'A person who is invited as %s and made a %s by a rule is one member with the role %s, whichever is first.',
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
        // A person who accepts first has the role of the invitation, because a rule changes no role.
        const expected = first.startsWith('invitation') ? invited : role;
        const joined = { workspaceId, memberId: member.id, role: expected, state: 'active' };
        expect([first, await accept()]).toEqual([first, joined]);
        expect(await store.listMembers(workspaceId, Date.now())).toMatchObject([{ id: member.id, role: expected }]);
        expect(await store.membershipsOf(ada.id)).toMatchObject([{ memberId: member.id, role: expected }]);
        expect(await owners()).toBe(expected === 'owner' ? 1 : 0);
      }
    },
  );

  test('A member with another address gets the higher role by an invitation, and each retry says so.', async () => {
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
      // Nobody else can use it, and it does not undo a later removal.
      expect(await refusalOf(store.acceptInvitation(await newPerson({ email: ada.email }), secret, Date.now()))).toBe(
        'not_found',
      );
      await join('owner');
      await store.removeMember(workspaceId, id, { keys: 'keep', keptDays: 1 });
      expect(await refusalOf(accept())).toBe('not_found');
      expect(await memberOf(id)).toMatchObject({ state: 'removed' });
    }
  });

  test('A member whose provider does not verify addresses gets no higher role by an invitation.', async () => {
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
  test('A matching person becomes a member once, however often they sign in at once, and keeps the role that the workspace sets.', async () => {
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

  test('30 matching people at once all become members.', async () => {
    const { workspaceId } = await newTeam(store);
    const people = await Promise.all(Array.from({ length: 30 }, () => newPerson()));
    await Promise.all(people.map((person) => store.joinWorkspace(person, { workspaceId, role: 'viewer' }, Date.now())));
    expect(await store.listMembers(workspaceId, Date.now())).toHaveLength(30);
  });

  test('A workspace that is full, deleted or unknown gets no member, and the sign-in does not fail.', async () => {
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
  type Said = { readonly email: string; readonly emailVerified?: boolean | undefined; readonly name?: string | null };
  /** A member of two workspaces, and their sign-ins, this many milliseconds after they joined. */
  const withMember = async (more: Partial<Said> = {}) => {
    const teams = [await newTeam(store), await newTeam(store)] as const;
    const identity = newIdentity(more);
    const joined = Date.now();
    const person = await store.rememberPerson(identity, joined);
    for (const { workspaceId } of teams) await store.joinWorkspace(person, { workspaceId, role: 'viewer' }, joined);
    const signIn = async (after: number, said: Said) =>
      store.noteSignIn(await store.rememberPerson({ ...identity, emailVerified: undefined, ...said }, joined + after));
    /** The profile in both workspaces. */
    const known = async () => {
      const [one, other] = await Promise.all(teams.map(async ({ there }) => [...(await there()).values()]));
      const { email, emailVerified, name, lastSignedInAt, revision } = one?.[0] ?? expect.unreachable();
      expect(other).toMatchObject([{ email, name, lastSignedInAt }]);
      return { email, emailVerified, name, after: Date.parse(lastSignedInAt ?? '') - joined, revision };
    };
    return { teams, identity, person, signIn, known };
  };
  const said = {
    verified: { email: 'new@example.com', emailVerified: true, name: 'New' },
    unverified: { email: 'ceo@example.com', emailVerified: false, name: 'The CEO' },
    unsaid: { email: 'cfo@example.com', name: null },
  } as const;

  test.for<[keyof typeof said, keyof typeof said, keyof typeof said]>([
    ['verified', 'unverified', 'verified'],
    ['verified', 'unsaid', 'verified'],
    ['unverified', 'verified', 'verified'],
    ['unverified', 'unsaid', 'unsaid'],
    ['unsaid', 'unverified', 'unverified'],
  ])(
    'If an address that is %s is followed by one that is %s, all workspaces have the one that is %s, in whatever order the sign-ins are noted, even if a response is lost.',
    async ([first, second, expected]) => {
      const { email, emailVerified } = { emailVerified: undefined, ...said[expected] };
      const { name } = said[second];
      const atUpdate = { command: 'UpdateItem', partition: 'MEMBERS#' } as const;
      type Order = (one: () => Promise<void>, other: () => Promise<void>) => Promise<unknown>;
      // The first write of a sign-in is the person's, the second one a member's.
      const lost =
        (fate: Fate): Order =>
        (work, other) =>
          lostAnswer(fate, { work, other, number: 1 });
      const orders: Record<string, Order> = {
        'in order': (one, other) => one().then(other),
        'in reverse order': (one, other) => other().then(one),
        'the second before a write of the first': (one, other) => overtaken(other, one, atUpdate),
        'the first before a write of the second': (one, other) => overtaken(one, other, atUpdate),
        'at once': (one, other) => Promise.all([one(), other(), one(), other()]),
        'the answer lost, done': lost('done'),
        'the answer lost, never done': lost('never done'),
        'the answer lost, done late': lost('done late'),
      };
      for (const [order, run] of Object.entries(orders)) {
        const { signIn, known } = await withMember({ emailVerified: false });
        await run(
          () => signIn(1, said[first]),
          () => signIn(2, said[second]),
        );
        expect([order, await known()]).toEqual([order, { email, emailVerified, name, after: 2, revision: 0 }]);
      }
    },
  );

  test('Of 12 sign-ins at once, the latest with a verified address determines the address, and the latest of all the name.', async () => {
    const { signIn, known } = await withMember();
    const order = Array.from({ length: 12 }, (_, tab) => 1 + ((tab * 7) % 12));
    await Promise.all(
      order.map((after) => signIn(after, { email: `ada@${after}.example`, emailVerified: after <= 5, name: `Ada ${after}` })),
    );
    expect(await known()).toMatchObject({ email: 'ada@5.example', emailVerified: true, name: 'Ada 12', after: 12 });
  });

  test("A workspace that a person joins later has the provider's data of then, and the others have the last verified address.", async () => {
    const { signIn, known, identity, person } = await withMember({ email: 'ada@example.com' });
    await signIn(1, said.unverified);
    const now = (await store.getPerson(person.id)) ?? expect.unreachable();
    const { workspaceId, there } = await newTeam(store);
    await store.joinWorkspace(now, { workspaceId, role: 'viewer' }, Date.now());
    expect([...(await there()).values()]).toMatchObject([said.unverified]);
    expect(await known()).toMatchObject({ email: 'ada@example.com', emailVerified: true, name: 'The CEO' });
    await store.noteSignIn(await store.rememberPerson({ ...identity, ...said.verified }, Date.now() + 3));
    expect([...(await there()).values()]).toMatchObject([said.verified]);
    expect(await known()).toMatchObject(said.verified);
  });

  test('An acceptance that a later sign-in overtakes does not restore the earlier address.', async () => {
    const { invite, memberOf } = await newTeam(store);
    const identity = newIdentity();
    const now = Date.now();
    const before = await store.rememberPerson(identity, now);
    const { member, secret } = await invite(before.email, 'viewer', now);
    const later = await store.rememberPerson({ ...identity, email: 'new@example.com' }, now + 1);
    await store.acceptInvitation(before, secret, now + 2);
    await store.noteSignIn(later);
    expect(await memberOf(member.id)).toMatchObject({ email: 'new@example.com', lastSignedInAt: iso(now + 2) });
  });
});

describe('An address', () => {
  const isTaken = async ({ invite }: Team, email: string) => (await refusalOf(invite(email, 'viewer'))) === 'already_member';

  test('A person with an unverified address, member or pending, does not block the person with the verified one.', async () => {
    const team = await newTeam(store);
    const [viewer, waiting] = [
      { email: 'ceo@example.com', emailVerified: false },
      { email: 'cfo@example.com', emailVerified: undefined },
    ];
    await store.joinWorkspace(await newPerson(viewer), { workspaceId: team.workspaceId, role: 'viewer' }, Date.now());
    const { secret } = await team.invite(waiting.email, 'viewer');
    expect(await isTaken(team, waiting.email)).toBe(true);
    await store.acceptInvitation(await newPerson(waiting), secret, Date.now());
    for (const { email } of [viewer, waiting]) {
      const { secret } = await team.invite(email, 'owner');
      expect(await isTaken(team, email)).toBe(true);
      expect(await store.acceptInvitation(await newPerson({ email }), secret, Date.now())).toMatchObject({ state: 'active' });
      expect(await isTaken(team, email)).toBe(true);
    }
    const shown = [...(await team.there()).values()].map(({ email, emailVerified, role }) => `${email} ${emailVerified} ${role}`);
    expect(shown.sort()).toEqual([
      'ceo@example.com false viewer',
      'ceo@example.com true owner',
      'cfo@example.com true owner',
      'cfo@example.com undefined viewer',
    ]);
  });

  test('An address that moves to another person is theirs, and its former person keeps it until they have another verified one.', async () => {
    const team = await newTeam(store);
    const { id, identity, person } = await team.join('viewer');
    const { email } = person;
    const signIn = async (more: object, at: number) => store.noteSignIn(await store.rememberPerson({ ...identity, ...more }, at));
    const now = Date.now();
    await signIn({ email: 'private@example.org', emailVerified: false }, now + 1);
    const successor = await newPerson({ email });
    await store.joinWorkspace(successor, { workspaceId: team.workspaceId, role: 'viewer' }, now + 1);
    const emails = async () => [...(await team.there()).values()].map((one) => [one.personId, one.email, one.emailVerified]);
    expect(await emails()).toEqual(
      expect.arrayContaining([
        [person.id, email, true],
        [successor.id, email, true],
      ]),
    );
    expect(await isTaken(team, email)).toBe(true);
    expect(await isTaken(team, 'private@example.org')).toBe(false);
    await signIn({ email: 'other@example.org' }, now + 2);
    expect(await team.memberOf(id)).toMatchObject({ email: 'other@example.org', emailVerified: true });
    // The provider's present data decide about invitations.
    const { secret } = await (await newTeam(store)).invite(email, 'owner');
    const former = (await store.getPerson(person.id)) ?? expect.unreachable();
    expect(await refusalOf(store.acceptInvitation(former, secret, now + 3))).toBe('forbidden');
  });
});

test("A person's workspaces are listed by name, without those that are being deleted.", async () => {
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
