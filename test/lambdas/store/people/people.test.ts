import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../../../lambdas/core/member/person.ts';
import type { Identity } from '../../../../lambdas/core/sign-in/claims.ts';
import { type Fate, lostAnswer } from '../../../support/faults/lost-answer.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { refusalOf } from '../../../support/faults/scenario.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newIdentity, newTeam } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const day = 86_400_000;
const start = Date.parse('2030-01-02T03:04:05.678Z');
/** The expiry of a person who signs in then, in seconds since 1970: after a session of 12 hours, and 30 days. */
const expiryAfter = (at: number) => Math.ceil((at + 30.5 * day) / 1_000);

const identityItem = ({ identity }: Person) => store.getItem({ pk: `IDENTITY#${identity}`, sk: 'IDENTITY' });
const personItem = ({ id }: Person) => store.getItem({ pk: `PERSON#${id}`, sk: 'PERSON' });
/** The expiry of identity and person; undefined for never. */
const endsOf = async (person: Person) => [await identityItem(person), await personItem(person)].map((item) => item?.ttl);

test('A person stays the same if their address, its verification and their name change.', async () => {
  const ada = newIdentity({ name: 'Ada' });
  const first = await store.rememberPerson(ada, start);
  const { id, identity } = first;
  expect(first).toMatchObject({ id: expect.stringMatching(/^per_\w{16}$/), email: ada.email, name: 'Ada', emailVerified: true });
  for (const [index, change] of [
    { email: 'new@example.org', name: null, emailVerified: false },
    { email: 'other@example.org', name: 'Countess', emailVerified: undefined },
  ].entries()) {
    const now = { id, identity, ...change, lastSignedInAt: new Date(start + index + 1).toISOString() };
    expect(await store.rememberPerson({ ...ada, ...change }, start + index + 1)).toEqual(now);
    expect(await store.getPerson(id)).toEqual(now);
  }
});

test('Two people are never taken for one, whatever their addresses, and the same subject at another provider is another person.', async () => {
  const ada = newIdentity();
  const others = [
    newIdentity({ email: ada.email }),
    { ...ada, issuer: 'https://accounts.example/ada' },
    { ...ada, subject: `${ada.subject}x` },
  ];
  const ids = await Promise.all([ada, ...others].map(async (one) => (await store.rememberPerson(one, start)).id));
  expect(new Set(ids).size).toBe(4);
});

test('Somebody who signs in for the first time in many tabs at once is one person.', async () => {
  const ada = newIdentity();
  const found = await Promise.all(Array.from({ length: 20 }, (_, tab) => store.rememberPerson(ada, start + tab)));
  expect(new Set(found.map(({ id }) => id)).size).toBe(1);
  expect((await store.everybody()).get(found[0]?.id ?? '')).toBe(found[0]?.identity);
});

test('After any number of sign-ins at once with different addresses, the person has that of the latest.', async () => {
  const ada = newIdentity();
  const last = start + 19;
  const order = Array.from({ length: 20 }, (_, tab) => start + ((tab * 7) % 20));
  const found = await Promise.all(order.map((at) => store.rememberPerson({ ...ada, email: `ada@${at}.example` }, at)));
  const [one] = found as [Person];
  expect(await store.getPerson(one.id)).toMatchObject({ email: `ada@${last}.example` });
  expect(await endsOf(one)).toEqual([expiryAfter(last), expiryAfter(last)]);
});

test.for<Fate>(['done', 'never done', 'done late'])(
  'If the response to the write of a sign-in is lost (%s) and the person signs in again with another address, that one is kept.',
  async (fate) => {
    const ada = newIdentity({ email: 'old@example.com' });
    const { id } = await store.rememberPerson(ada, start);
    await lostAnswer(fate, {
      other: () => store.rememberPerson({ ...ada, email: 'new@example.com' }, start + 2),
      work: () => store.rememberPerson({ ...ada, email: 'old@example.com' }, start + 1),
    });
    expect(await store.getPerson(id)).toMatchObject({ email: 'new@example.com' });
  },
);

describe('The expiry of a person', () => {
  test('A person who never joined a workspace expires 30 days after their last session, and each sign-in postpones that.', async () => {
    const ada = newIdentity();
    for (const at of [start, start + 20 * day]) {
      const person = await store.rememberPerson(ada, at);
      expect(await endsOf(person)).toEqual([expiryAfter(at), expiryAfter(at)]);
    }
    // A session of a week, instead of 12 hours.
    const person = await store.rememberPerson(ada, start + 21 * day, 168);
    const end = expiryAfter(start + 21 * day) + (168 - 12) * 3_600;
    expect(await endsOf(person)).toEqual([end, end]);
  });

  test("A present or former member stays the same person, but the provider's address and name still expire.", async () => {
    const team = await newTeam(store);
    const ada = newIdentity();
    const person = await store.rememberPerson(ada, start);
    const { secret, member } = await team.invite(ada.email, 'viewer', start);
    await store.acceptInvitation(person, secret, start);
    const expires = async () => (await endsOf(person)).map((end) => end !== undefined);
    expect(await expires()).toEqual([false, true]);
    await store.rememberPerson(ada, start + day);
    expect(await expires()).toEqual([false, true]);
    await store.removeMember(team.workspaceId, member.id, { keys: 'revoke', keptDays: 1 });
    expect(await expires()).toEqual([false, true]);
    // The person's item expires. They sign in again, and the removal is still known.
    await store.deleteItem({ pk: `PERSON#${person.id}`, sk: 'PERSON' });
    expect(await store.rememberPerson(ada, start + 99 * day)).toMatchObject({ id: person.id, identity: person.identity });
    await store.joinWorkspace(person, { workspaceId: team.workspaceId, role: 'viewer' }, start + 99 * day);
    expect(await store.membershipsOf(person.id)).toEqual([]);
  });

  test("The provider's data of an expired person or removed member are not shown, even if the table still has them.", async () => {
    const { workspaceId, join } = await newTeam(store);
    const { person, id: memberId } = await join('viewer');
    await store.removeMember(workspaceId, memberId, { keys: 'keep', keptDays: 1 });
    const shown = async () => {
      const { people } = await store.listPeople({ workspaceId }, Date.now());
      const named = await store.memberNames(workspaceId, [memberId]);
      return [await store.getPerson(person.id), people.find(({ id }) => id === person.id), named.size];
    };
    expect(await shown()).toMatchObject([{ email: person.email }, { email: person.email, members: [{ id: memberId }] }, 1]);
    const ttl = Math.floor(Date.now() / 1_000);
    for (const key of [
      { pk: `PERSON#${person.id}`, sk: 'PERSON' },
      { pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${memberId}` },
    ]) {
      await store.putItem({ ...key, ...(await store.getItem(key)), ttl });
    }
    expect(await shown()).toEqual([
      undefined,
      { id: person.id, email: null, emailVerified: null, name: null, lastSignedInAt: null, members: [] },
      0,
    ]);
  });

  test('A sign-in that is under way while the person joins their first workspace does not let their identity expire.', async () => {
    const team = await newTeam(store);
    const ada = newIdentity();
    const person = await store.rememberPerson(ada, start);
    const join = () => store.joinWorkspace(person, { workspaceId: team.workspaceId, role: 'viewer' }, start);
    await overtaken(join, () => store.rememberPerson(ada, start + 1));
    expect((await endsOf(person))[0]).toBeUndefined();
  });

  test('If only one of the items has expired, the person can still sign in.', async () => {
    for (const [lost, isSame] of [
      ['PERSON', true],
      ['IDENTITY', false],
    ] as const) {
      const ada = newIdentity();
      const person = await store.rememberPerson(ada, start);
      await store.deleteItem({ pk: `${lost}#${lost === 'PERSON' ? person.id : person.identity}`, sk: lost });
      const again = await store.rememberPerson(ada, start + 1);
      expect(again.id === person.id).toBe(isSame);
      expect(await store.getPerson(again.id)).toEqual(again);
    }
  });
});

describe('An erasure', () => {
  test('An erased person leaves no items, and is a new person when they sign in again.', async () => {
    const ada = newIdentity();
    const person = await store.rememberPerson(ada, start);
    const { id } = person;
    await Promise.all([store.forgetPerson(id), store.forgetPerson(id)]);
    expect([await identityItem(person), await personItem(person)]).toEqual([undefined, undefined]);
    expect((await store.everybody()).has(id)).toBe(false);
    await store.forgetPerson(id);
    const again = await store.rememberPerson(ada, start);
    expect(again.id).not.toBe(id);
    // A late retry of the first erasure must not erase the new person.
    await store.forgetPerson(id);
    expect(await store.getPerson(again.id)).toEqual(again);
  });

  test('An expired person who is still known by their identity can be erased.', async () => {
    const person = await store.rememberPerson(newIdentity(), start);
    await store.deleteItem({ pk: `PERSON#${person.id}`, sk: 'PERSON' });
    await store.forgetPerson(person.id);
    expect(await identityItem(person)).toBeUndefined();
  });

  test('If the identity belongs to another person by now, that one stays, and the former person is still erased.', async () => {
    const ada = newIdentity();
    const before = await store.rememberPerson(ada, start);
    await store.deleteItem({ pk: `IDENTITY#${before.identity}`, sk: 'IDENTITY' });
    const now = await store.rememberPerson(ada, start);
    await store.forgetPerson(before.id);
    expect(await store.getPerson(before.id)).toBeUndefined();
    expect((await store.rememberPerson(ada, start + 1)).id).toBe(now.id);
  });

  test('Whether a person is erased before, during or after a sign-in, they are complete or gone.', async () => {
    for (let round = 0; round < 10; round++) {
      const ada = newIdentity();
      const { id } = await store.rememberPerson(ada, start);
      const [, seen] = await Promise.all([store.forgetPerson(id), store.rememberPerson({ ...ada, name: 'Late' }, start + 1)]);
      expect(await store.getPerson(id)).toBeUndefined();
      const now = await store.rememberPerson(ada, start + 2);
      expect(now.id === seen.id || seen.id === id).toBe(true);
      expect(now.id).not.toBe(id);
    }
  });

  test('A person who was erased meanwhile does not become a member, neither by an invitation nor by a rule.', async () => {
    const team = await newTeam(store);
    const joining: Record<string, (person: Person, identity: Identity) => Promise<unknown>> = {
      invitation: async (person, { email }) =>
        store.acceptInvitation(person, (await team.invite(email, 'owner', start)).secret, start),
      rule: (person) => store.joinWorkspace(person, { workspaceId: team.workspaceId, role: 'owner' }, start),
    };
    for (const [way, join] of Object.entries(joining)) {
      const ada = newIdentity();
      const person = await store.rememberPerson(ada, start);
      const erase = () => store.erasePerson(person.id, { keys: 'revoke', keptDays: 0 });
      const number = way === 'invitation' ? 1 : 0;
      const refusal = await overtaken(erase, () => refusalOf(join(person, ada)), { number });
      expect([way, refusal]).toEqual([way, way === 'invitation' ? 'unauthorized' : undefined]);
      expect((await store.everyMember(team.workspaceId)).filter(({ personId }) => personId === person.id)).toEqual([]);
      expect(await Array.fromAsync(store.query({ pk: `MEMBERSHIPS#${person.id}`, between: ['0', '~'] }))).toEqual([]);
      expect(await identityItem(person)).toBeUndefined();
    }
    expect(await team.owners()).toBe(0);
  });
});
