import { beforeAll, describe, expect, test } from 'vitest';
import { overtaken } from '../../support/faults/overtaken.ts';
import { refusalOf } from '../../support/faults/scenario.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { type Joined, newPerson, newTeam, type Team } from '../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.HISTORY_DAYS = '30';
});

const memberOf = ({ workspaceId }: Team, { id }: { readonly id: string }) => ({
  pk: `MEMBERS#${workspaceId}`,
  sk: `MEMBER#${id}`,
});
const membershipOf = ({ workspaceId }: Team, { person }: Joined) => ({
  pk: `MEMBERSHIPS#${person.id}`,
  sk: `WORKSPACE#${workspaceId}`,
});
const identityOf = ({ person }: Joined) => ({ pk: `IDENTITY#${person.identity}`, sk: 'IDENTITY' });
const rosterOf = ({ workspaceId }: Team) => ({ pk: `MEMBERS#${workspaceId}`, sk: 'ROSTER' });

const verify = async ({ workspaceId }: Team, repair = false) =>
  (await store.checkMembers({ workspaceId, repair })).findings.map(({ problem, repaired }) => [problem, repaired]);

/** Two owners, and a former owner who was removed. */
async function restored() {
  const team = await newTeam(store);
  const [ada, eve, former] = [await team.join('owner'), await team.join('owner'), await team.join('owner')];
  await store.removeMember(team.workspaceId, former.id, { keys: 'keep', keptDays: 30 });
  return { team, ada, eve, former };
}
type Restored = Awaited<ReturnType<typeof restored>>;

/** Whether a person can enter the workspace as the provider knows them. */
async function enters({ team }: Restored, { identity }: Joined): Promise<string | undefined> {
  const person = await store.rememberPerson(identity, Date.now() + 60_000);
  const { newKey } = await team.signIn(person);
  return refusalOf(newKey());
}

/** Partial restorations, with the findings about them, and the expectations after a repair. */
const damages: Record<
  string,
  readonly [problems: readonly string[], damage: (of: Restored) => Promise<unknown>, isGood: (of: Restored) => Promise<void>]
> = {
  'a member without a membership': [
    ['membership_missing'],
    ({ team, ada }) => store.deleteItem(membershipOf(team, ada)),
    async (of) => expect(await enters(of, of.ada)).toBeUndefined(),
  ],
  'a member whose membership says that they were removed': [
    ['membership_missing'],
    ({ team, ada }) =>
      store.updateItem(membershipOf(team, ada), { text: 'SET #removedAt = :at', values: { ':at': '2030-01-01T00:00:00.000Z' } }),
    async (of) => expect(await enters(of, of.ada)).toBeUndefined(),
  ],
  'a removed person whose membership does not say so': [
    ['removal_missing'],
    ({ team, former }) => store.updateItem(membershipOf(team, former), { text: 'REMOVE #removedAt' }),
    async ({ team, former }) => {
      await store.joinWorkspace(former.person, { workspaceId: team.workspaceId, role: 'viewer' }, Date.now());
      expect((await store.membershipsOf(former.person.id)).length).toBe(0);
    },
  ],
  'a removed person without a membership, whom a rule would let in': [
    ['removal_missing'],
    ({ team, former }) => store.deleteItem(membershipOf(team, former)),
    async ({ team, former }) => {
      await store.joinWorkspace(former.person, { workspaceId: team.workspaceId, role: 'viewer' }, Date.now());
      expect(await store.membershipsOf(former.person.id)).toEqual([]);
    },
  ],
  'a membership without its member': [
    ['member_missing', 'owners_miscounted'],
    ({ team, ada }) => store.deleteItem(memberOf(team, ada)),
    async ({ team, ada, eve }) => {
      // They can be invited again, and the last owner remains.
      const { secret } = await team.invite(ada.person.email, 'viewer');
      expect(await store.acceptInvitation(ada.person, secret, Date.now())).toMatchObject({ state: 'active' });
      expect(await team.as(eve).leave({})).toMatchObject({ status: 409, body: { code: 'last_owner' } });
    },
  ],
  'a member without an identity': [
    ['identity_missing'],
    ({ ada }) => store.deleteItem(identityOf(ada)),
    async (of) => expect(await enters(of, of.ada)).toBeUndefined(),
  ],
  'a member whose identity is another person, because they have signed in since': [
    ['identity_taken'],
    async ({ ada }) => {
      await store.deleteItem(identityOf(ada));
      expect((await store.rememberPerson(ada.identity, Date.now() + 1_000)).id).not.toBe(ada.person.id);
    },
    async (of) => expect(await enters(of, of.ada)).toBeUndefined(),
  ],
  'a member whose identity expires': [
    ['identity_expires'],
    ({ ada }) => store.updateItem(identityOf(ada), { text: 'SET #ttl = :ttl', values: { ':ttl': 1_900_000_000 } }),
    async ({ ada }) => expect(await store.getItem(identityOf(ada))).not.toHaveProperty('ttl'),
  ],
  'an identity without its person': [
    [],
    ({ ada }) => store.deleteItem({ pk: `PERSON#${ada.person.id}`, sk: 'PERSON' }),
    async (of) => expect(await enters(of, of.ada)).toBeUndefined(),
  ],
  'a roster that counts an owner too many': [
    ['owners_miscounted'],
    ({ team }) => store.updateItem(rosterOf(team), { text: 'SET #owners = :owners', values: { ':owners': 3 } }),
    async ({ team, ada, eve }) => {
      expect(await team.as(eve).leave({})).toMatchObject({ status: 204 });
      expect(await team.as(ada).leave({})).toMatchObject({ status: 409, body: { code: 'last_owner' } });
    },
  ],
  'a roster that counts an owner too few': [
    ['owners_miscounted'],
    ({ team }) => store.updateItem(rosterOf(team), { text: 'SET #owners = :owners', values: { ':owners': 1 } }),
    async ({ team, eve }) => expect(await team.as(eve).leave({})).toMatchObject({ status: 204 }),
  ],
  'no roster': [
    ['owners_miscounted'],
    ({ team }) => store.deleteItem(rosterOf(team)),
    async ({ team, eve }) => expect(await team.as(eve).leave({})).toMatchObject({ status: 204 }),
  ],
};

test('A consistent workspace has no findings, however people joined and left.', async () => {
  const { team, former } = await restored();
  await team.invite('later@example.com', 'viewer');
  await team.join('viewer', former.identity);
  const pending = await newPerson({ emailVerified: undefined });
  await store.acceptInvitation(pending, (await team.invite(pending.email, 'owner')).secret, Date.now());
  expect(await verify(team)).toEqual([]);
});

describe.for(Object.entries(damages))('After a restoration with %s', ([, [problems, damage, isGood]]) => {
  test('the comparison finds exactly that and changes nothing, and the repair corrects it.', async () => {
    const of = await restored();
    await damage(of);
    for (const _ of [1, 2]) expect(await verify(of.team)).toEqual(problems.map((problem) => [problem, false]));
    expect(await verify(of.team, true)).toEqual(problems.map((problem) => [problem, true]));
    expect(await verify(of.team)).toEqual([]);
    await isGood(of);
    expect(await verify(of.team)).toEqual([]);
  });
});

test('A finding that only a human can decide is reported, and never repaired.', async () => {
  const ownerless = await newTeam(store);
  await ownerless.join('viewer');
  expect(await verify(ownerless, true)).toEqual([['no_owner', false]]);

  const { team, ada } = await restored();
  await store.deleteItem({ pk: `PERSON#${ada.person.id}`, sk: 'PERSON' });
  await store.deleteItem(identityOf(ada));
  expect(await verify(team, true)).toEqual([['person_unknown', false]]);

  // Another person by the provider's word, who has joined another workspace.
  const of = await restored();
  await store.deleteItem(identityOf(of.ada));
  const other = await store.rememberPerson(of.ada.identity, Date.now() + 1_000);
  await store.joinWorkspace(other, { workspaceId: (await newTeam(store)).workspaceId, role: 'viewer' }, Date.now());
  expect(await verify(of.team, true)).toEqual([['identity_taken', false]]);
});

test('A membership of a deleted workspace, and an identity without a reason to be kept, are found for the whole stage, and the person then expires.', async () => {
  const [team, ada] = [await newTeam(store), await newPerson()];
  await store.joinWorkspace(ada, { workspaceId: team.workspaceId, role: 'viewer' }, Date.now());
  await store.deleteItem({ pk: `WORKSPACE#${team.workspaceId}`, sk: 'WORKSPACE' });
  const verifyAda = async (repair: boolean) =>
    (await store.checkMembers({ repair })).findings.filter(({ person }) => person === ada.id).map(({ problem }) => problem);
  expect(await verifyAda(true)).toEqual(['workspace_missing']);
  const identity = { pk: `IDENTITY#${ada.identity}`, sk: 'IDENTITY' };
  // The member of the deleted workspace is in none.
  expect(await store.getItem(identity)).toHaveProperty('ttl');
  await store.updateItem(identity, { text: 'REMOVE #ttl' });
  expect(await verifyAda(true)).toEqual(['identity_kept']);
  expect(await verifyAda(false)).toEqual([]);
});

test('A repair keeps changes between the comparison and its write.', async () => {
  const { team, ada, eve } = await restored();
  await store.deleteItem(membershipOf(team, ada));
  await overtaken(
    () => team.as(eve).update({ id: ada.id, body: { role: 'viewer' } }),
    async () => expect(await verify(team, true)).toEqual([['membership_missing', false]]),
  );
  expect(await team.memberOf(ada.id)).toMatchObject({ role: 'viewer' });
  expect(await verify(team, true)).toEqual([['membership_missing', true]]);
});

test('A change during the comparison is not a finding.', async () => {
  const { team } = await restored();
  const joining = () => team.join('owner');
  // Between the roster and the members.
  await overtaken(joining, async () => expect(await verify(team)).toEqual([]), { command: 'Query', number: 2 });
});

describe('After a partial restoration, a request gets a specific error:', () => {
  const refused = { status: 409, body: { code: 'membership_inconsistent' } };

  test('to remove or leave as a member without a membership,', async () => {
    const { team, ada, eve } = await restored();
    await store.deleteItem(membershipOf(team, ada));
    expect(await team.as(eve).remove({ id: ada.id })).toMatchObject(refused);
    expect(await team.as(ada).leave({})).toMatchObject(refused);
    await expect(store.removeMember(team.workspaceId, ada.id, { keys: 'keep', keptDays: 1 })).rejects.toMatchObject(refused.body);
    // An erasure needs no repair.
    await store.eraseMember(team.workspaceId, ada.id, { keys: 'revoke', keptDays: 0 });
    expect(await team.memberOf(ada.id)).toBeUndefined();
  });

  test('to remove, demote or leave as an owner while the roster counts too few,', async () => {
    const { team, ada, eve } = await restored();
    await store.updateItem(rosterOf(team), { text: 'SET #owners = :owners', values: { ':owners': 1 } });
    expect(await team.as(eve).remove({ id: ada.id })).toMatchObject(refused);
    expect(await team.as(eve).update({ id: ada.id, body: { role: 'viewer' } })).toMatchObject(refused);
    expect(await team.as(ada).leave({})).toMatchObject(refused);
  });

  test('to get a key, or to accept an invitation, with a membership whose member is gone.', async () => {
    const { team, ada } = await restored();
    await store.deleteItem(memberOf(team, ada));
    const { secret } = await team.invite(ada.person.email, 'viewer');
    expect(await refusalOf(ada.session.newKey())).toBe('membership_inconsistent');
    expect(await refusalOf(store.acceptInvitation(ada.person, secret, Date.now()))).toBe('membership_inconsistent');
  });
});
