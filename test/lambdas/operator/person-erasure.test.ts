import { beforeAll, describe, expect, test } from 'vitest';
import { theService } from '../../../lambdas/core/history/author.ts';
import type { Person } from '../../../lambdas/core/member/person.ts';
import { type Attempt, type Fault, underFaults } from '../../support/faults/faults.ts';
import { overtaken } from '../../support/faults/overtaken.ts';
import { type Command, isWrite } from '../../support/faults/scenario.ts';
import { callEndpoint } from '../../support/http/invoke.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { changeRecord, deliver, recordOf } from '../../support/things/history.ts';
import { type Joined, newPerson, newTeam, type Team } from '../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.HISTORY_DAYS = '30';
});

const revoke = { keys: 'revoke', keptDays: 0 } as const;
const erase = (team: Team, id: string) => store.eraseMember(team.workspaceId, id, revoke);

/** Removes a member, and lets the item expire. */
async function expire({ workspaceId }: Team, id: string, keys: 'keep' | 'revoke' = 'keep'): Promise<void> {
  await store.removeMember(workspaceId, id, { keys, keptDays: 1 });
  await store.deleteItem({ pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${id}` });
}

/** The items in the table of links that still have a person, or a text that names them. */
async function leftOf(person: Person, teams: readonly Team[]) {
  const partitions = [
    `PERSON#${person.id}`,
    `IDENTITY#${person.identity}`,
    `MEMBERSHIPS#${person.id}`,
    ...teams.map(({ workspaceId }) => `MEMBERS#${workspaceId}`),
  ];
  const items = await Promise.all(partitions.map((pk) => Array.fromAsync(store.query({ pk, between: ['0', '~'] }))));
  return items.flat().filter((item) => [person.id, person.email].some((text) => JSON.stringify(item).includes(text)));
}

/** A key that a member makes, and whether it is valid. */
async function madeKey(team: Team, maker: Joined) {
  const { body } = await team.as(maker).createKey({ body: { permissions: ['links:read', 'keys:read', 'keys:write'] } });
  const isRevoked = async () =>
    (await store.listApiKeys(team.workspaceId)).find(({ id }) => id === body.id)?.revokedAt !== undefined;
  return { id: body.id as string, isRevoked };
}

const itemOf = async ({ workspaceId }: Team, id: string) =>
  (await store.getItem({ pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${id}` })) ?? {};

const history = async ({ workspaceId }: Team) =>
  (await callEndpoint('list-history', { workspaceId })).body.entries.map(
    ({ action, actor, subject, changes }: Record<string, unknown>) => ({ action, actor, subject, changes }),
  );

test('An erased person, even a last owner, is in no item of any of their workspaces, and their keys are revoked.', async () => {
  const [one, other] = [await newTeam(store), await newTeam(store)];
  const ada = await one.join('owner', { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' });
  const { body } = await one.as(ada).createKey({ body: { permissions: ['links:read'] } });
  // In the other workspace, they were removed and rejoined.
  const before = await other.invite(ada.person.email, 'viewer');
  await store.acceptInvitation(ada.person, before.secret, Date.now());
  await store.removeMember(other.workspaceId, before.member.id, { keys: 'keep', keptDays: 30 });
  const again = await other.invite(ada.person.email, 'editor');
  await store.acceptInvitation(ada.person, again.secret, Date.now());

  expect(await erase(one, ada.id)).toEqual({ people: 1, members: 3, workspaces: 2 });
  expect(await store.membershipsOf(ada.person.id)).toEqual([]);
  for (const team of [one, other]) {
    const left = await Array.fromAsync(store.query({ pk: `MEMBERS#${team.workspaceId}`, between: ['0', '~'] }));
    expect(JSON.stringify(left)).not.toMatch(/lovelace/i);
    expect(await team.owners()).toBe(0);
  }
  expect((await store.listApiKeys(one.workspaceId)).find(({ id }) => id === body.id)).toHaveProperty('revokedAt');
  await expect(erase(one, ada.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('An invitation that is not accepted can be erased by itself.', async () => {
  const team = await newTeam(store);
  const { member } = await team.invite('ada@example.com', 'viewer');
  expect(await erase(team, member.id)).toEqual({ people: 0, members: 1, workspaces: 1 });
  expect(await itemOf(team, member.id)).toEqual({});
});

describe('A person without a member', () => {
  test('Somebody who signed in and never joined anything is found by their address, whatever its case, and erased.', async () => {
    const ada = await newPerson({ email: 'Ada@nowhere.example', name: 'Ada' });
    const list = () => store.listPeople({ email: 'ADA@nowhere.example' }, Date.now());
    expect(await list()).toEqual({
      people: [
        {
          id: ada.id,
          email: 'Ada@nowhere.example',
          emailVerified: true,
          name: 'Ada',
          lastSignedInAt: expect.stringMatching(/Z$/),
          members: [],
        },
      ],
      invitations: [],
    });
    expect(await store.erasePerson(ada.id, revoke)).toEqual({ people: 1, members: 0, workspaces: 0 });
    expect(await leftOf(ada, [])).toEqual([]);
    expect((await list()).people).toEqual([]);
    // Doing it again succeeds.
    expect(await store.erasePerson(ada.id, revoke)).toEqual({ people: 0, members: 0, workspaces: 0 });
  });

  test("Somebody whose member expired after a removal is found by the workspace, and erased, even without the provider's data.", async () => {
    const team = await newTeam(store);
    await team.join('owner');
    const ada = await team.join('viewer');
    await expire(team, ada.id);
    await store.deleteItem({ pk: `PERSON#${ada.person.id}`, sk: 'PERSON' });
    const { people } = await store.listPeople({ workspaceId: team.workspaceId }, Date.now());
    expect(people.find(({ id }) => id === ada.person.id)).toMatchObject({ email: null, members: [] });
    await store.erasePerson(ada.person.id, revoke);
    expect(await leftOf(ada.person, [team])).toEqual([]);
  });

  test('Somebody whose only workspace was deleted is found, and expires; a person with another workspace does not.', async () => {
    const [team, other] = [await newTeam(store), await newTeam(store)];
    const [ada, eve] = [await team.join('owner'), await team.join('owner')];
    await store.joinWorkspace(eve.person, { workspaceId: other.workspaceId, role: 'viewer' }, Date.now());
    await store.deleteWorkspace(team.workspaceId, { wait: async () => {} });
    const ttl = async ({ person }: Joined) => (await leftOf(person, [])).find(({ sk }) => sk === 'IDENTITY')?.ttl;
    expect([await ttl(ada), await ttl(eve)]).toEqual([expect.any(Number), undefined]);
    await store.deleteWorkspace(other.workspaceId, { wait: async () => {} });
    expect(await ttl(eve)).toEqual(expect.any(Number));
    expect((await store.listPeople({ email: ada.person.email }, Date.now())).people).toMatchObject([{ id: ada.person.id }]);
  });

  test('If both workspaces of a person are deleted at once, their identity expires, unless they join another one meanwhile.', async () => {
    for (const joins of [false, true]) {
      const teams = [await newTeam(store), await newTeam(store), await newTeam(store)] as const;
      const ada = await newPerson();
      const join = (team: Team) => store.joinWorkspace(ada, { workspaceId: team.workspaceId, role: 'viewer' }, Date.now());
      await Promise.all([join(teams[0]), join(teams[1])]);
      await Promise.all([
        ...teams.slice(0, 2).map(({ workspaceId }) => store.dropMembership(ada.id, workspaceId)),
        ...(joins ? [join(teams[2])] : []),
      ]);
      const [identity] = (await leftOf(ada, [])).filter(({ sk }) => sk === 'IDENTITY');
      expect([joins, identity?.ttl !== undefined]).toEqual([joins, !joins]);
    }
  });

  test('An invitation of the address is listed beside the people until it has expired.', async () => {
    const team = await newTeam(store);
    const now = Date.now();
    const { member } = await team.invite('ada@invited.example', 'viewer', now);
    const invitations = async (at: number) => (await store.listPeople({ email: member.email }, at)).invitations;
    expect(await invitations(now)).toMatchObject([{ id: member.id, workspaceId: team.workspaceId }]);
    expect(await invitations(now + 8 * 86_400_000)).toEqual([]);
  });

  test('A person who had the address only as a member is also found by it.', async () => {
    const team = await newTeam(store);
    const ada = await team.join('viewer', { email: 'ada@former.example' });
    await store.rememberPerson({ ...ada.identity, email: 'ada@new.example' }, Date.now() + 1_000);
    for (const email of ['ada@former.example', 'ada@new.example']) {
      expect((await store.listPeople({ email }, Date.now())).people).toMatchObject([
        { id: ada.person.id, email: 'ada@new.example', members: [{ id: ada.id, state: 'active' }] },
      ]);
    }
  });
});

describe('The keys of an erased person', () => {
  test('Keys that were kept at the removal are revoked, unless they are kept again.', async () => {
    for (const keys of ['revoke', 'keep'] as const) {
      const team = await newTeam(store);
      const ada = await team.join('owner');
      await team.join('owner');
      const key = await madeKey(team, ada);
      await store.removeMember(team.workspaceId, ada.id, { keys: 'keep', keptDays: 30 });
      await store.eraseMember(team.workspaceId, ada.id, { keys, keptDays: 0 });
      expect([keys, await key.isRevoked()]).toEqual([keys, keys === 'revoke']);
    }
  });

  test('Keys of expired members are revoked, including earlier ones, and keys that those make meanwhile.', async () => {
    const team = await newTeam(store);
    await team.join('owner');
    const first = await team.join('owner');
    const key = await madeKey(team, first);
    await expire(team, first.id);
    const second = await team.join('owner', first.identity);
    const other = await madeKey(team, second);
    await expire(team, second.id);
    const late = { keyId: key.id, id: first.id };
    // Earlier transactions erase the person and begin the sweep. The next one revokes the key.
    await overtaken(
      async () => expect(await team.as(late).createKey({ body: { permissions: ['links:read'] } })).toMatchObject({ status: 201 }),
      () => store.erasePerson(first.person.id, revoke),
      { number: 2 },
    );
    expect([await key.isRevoked(), await other.isRevoked()]).toEqual([true, true]);
    for (const id of [first.id, second.id]) {
      expect(await Array.fromAsync(store.query({ pk: `MADE#${id}`, between: ['0', '~'] }))).toEqual([]);
    }
  });
});

/** Dies at the write with this number, and returns whether there was one. */
function dyingAt(number: number, kind: 'dead-before' | 'dead-after') {
  let writes = 0;
  let isDead = false;
  const decide = ({ command }: Attempt): Fault | undefined => {
    if (isDead) return 'dead-before';
    isDead = isWrite(command as Command) && writes++ === number;
    return isDead ? kind : undefined;
  };
  return { decide, isDead: () => isDead };
}

test('An erasure that dies before or after any of its writes is completed by repeating it for the same member.', async () => {
  let deaths = 0;
  for (let number = 0; deaths === number; number++) {
    for (const kind of ['dead-before', 'dead-after'] as const) {
      const [team, other] = [await newTeam(store), await newTeam(store)];
      const ada = await team.join('owner');
      const key = await madeKey(team, ada);
      await store.joinWorkspace(ada.person, { workspaceId: other.workspaceId, role: 'viewer' }, Date.now());
      const death = dyingAt(number, kind);
      const { result } = await underFaults(death.decide, () => erase(team, ada.id).catch(({ message }: Error) => message));
      expect(result === 'injected death').toBe(death.isDead());
      // If it died after its last write, the member no longer exists.
      if (death.isDead()) await erase(team, ada.id).catch(({ code }) => expect(code).toBe('not_found'));
      expect([number, kind, await leftOf(ada.person, [team, other])]).toEqual([number, kind, []]);
      expect(await key.isRevoked()).toBe(true);
      deaths = death.isDead() ? number + 1 : deaths;
    }
  }
  expect(deaths).toBeGreaterThan(8);
});

test('The history stores changes of a member without names, shows the present name, and says former member after an erasure.', async () => {
  const team = await newTeam(store);
  const owner = await team.join('owner', { name: 'Olga' });
  const { status, body } = await team.as(owner).invite({ body: { email: 'ada@example.com', role: 'viewer' } });
  expect(status).toBe(201);
  const key = { pk: `MEMBERS#${team.workspaceId}`, sk: `MEMBER#${body.id}` };
  const invited = await itemOf(team, body.id);
  const ada = await newPerson({ email: 'ada@example.com', name: 'Ada' });
  const secret = body.invitationUrl.split('=')[1];
  const later = new Date(Date.now() + 1_000).toISOString();
  const records = [
    { ...changeRecord({ ...key }, invited), eventName: 'INSERT' as const },
    await recordOf(store, key, () => store.acceptInvitation(ada, secret, Date.now()), theService),
    await recordOf(store, key, () => store.noteSignIn({ ...ada, name: 'Ada L.', lastSignedInAt: later }), theService),
    await recordOf(store, key, () => team.as(owner).update({ id: body.id, body: { role: 'editor' } }), theService),
    await recordOf(store, key, () => team.as(owner).remove({ id: body.id }), theService),
  ];
  // The stream has no image of an absent item.
  delete records[0]?.dynamodb?.OldImage;
  await deliver(records);
  const [olga, subject] = [
    { type: 'member', id: owner.id, name: 'Olga' },
    { type: 'member', id: body.id, name: 'Ada L.' },
  ];
  const removed = { state: { from: 'active', to: 'removed' } };
  expect(await history(team)).toEqual([
    { action: 'member.removed', actor: olga, subject, changes: removed },
    { action: 'member.updated', actor: olga, subject, changes: { role: { from: 'viewer', to: 'editor' } } },
    { action: 'member.joined', actor: subject, subject, changes: { state: { from: 'invited', to: 'active' } } },
    {
      action: 'member.invited',
      actor: olga,
      subject,
      changes: { role: { from: null, to: 'viewer' }, state: { from: null, to: 'invited' } },
    },
  ]);
  await erase(team, body.id);
  const names = (await history(team)).map((entry: { subject: { name: string } }) => entry.subject.name);
  expect(new Set(names)).toEqual(new Set(['former member']));
  const stored = await Array.fromAsync(store.query({ pk: `HISTORY#${body.id}`, between: ['0', 'Z'] }));
  expect([stored.length, JSON.stringify(stored).includes('Ada')]).toEqual([4, false]);
});
