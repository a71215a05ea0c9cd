import { beforeAll, expect, test } from 'vitest';
import { theService } from '../../../../lambdas/core/history/author.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { changeRecord, deliver, recordOf } from '../../../support/things/history.ts';
import { newTeam, type Team } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.HISTORY_DAYS = '30';
});

const erase = async (team: Team, id: string) => {
  const { eraseMember } = await import('../../../../lambdas/store/member-changes/erasure.ts');
  return eraseMember(team.workspaceId, id, { keys: 'revoke', keptDays: 0 });
};

const itemOf = async ({ workspaceId }: Team, id: string) =>
  (await store.getItem({ pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${id}` })) ?? {};

const history = async ({ workspaceId }: Team) =>
  (await callEndpoint('list-history', { workspaceId })).body.entries.map(
    ({ action, actor, subject, changes }: Record<string, unknown>) => ({ action, actor, subject, changes }),
  );

test('An erased person is in no item of any of their workspaces, their keys are revoked, and the last owner is erased too.', async () => {
  const [one, other] = [await newTeam(store), await newTeam(store)];
  const ada = await one.join('owner', { email: 'ada.lovelace@example.com', name: 'Ada Lovelace' });
  const { body } = await one.as(ada).createKey({ body: { permissions: ['links:read'] } });
  // In the other workspace, they were removed, and came back.
  const before = await other.invite(ada.person.email, 'viewer');
  await store.acceptInvitation(ada.person, before.secret, Date.now());
  await store.removeMember(other.workspaceId, before.member.id, { keys: 'keep', keptDays: 30 });
  const again = await other.invite(ada.person.email, 'editor');
  await store.acceptInvitation(ada.person, again.secret, Date.now());

  expect(await erase(one, ada.id)).toEqual({ members: 3, workspaces: 2 });
  expect(await store.membershipsOf(ada.person.id)).toEqual([]);
  for (const team of [one, other]) {
    const left = await Array.fromAsync(store.query({ pk: `MEMBERS#${team.workspaceId}`, between: ['0', '~'] }));
    expect(JSON.stringify(left)).not.toMatch(/lovelace/i);
    expect(await team.owners()).toBe(0);
  }
  expect((await store.listApiKeys(one.workspaceId)).find(({ id }) => id === body.id)).toHaveProperty('revokedAt');
  await expect(erase(one, ada.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('An invitation that nobody has accepted is erased by itself.', async () => {
  const team = await newTeam(store);
  const { member } = await team.invite('ada@example.com', 'viewer');
  expect(await erase(team, member.id)).toEqual({ members: 1, workspaces: 1 });
  expect(await itemOf(team, member.id)).toEqual({});
});

test('The history records what becomes of a member without naming anybody, names them as they are now, and says former member once they are erased.', async () => {
  const team = await newTeam(store);
  const owner = await team.join('owner', { name: 'Olga' });
  const { status, body } = await team.as(owner).invite({ body: { email: 'ada@example.com', role: 'viewer' } });
  expect(status).toBe(201);
  const key = { pk: `MEMBERS#${team.workspaceId}`, sk: `MEMBER#${body.id}` };
  const invited = await itemOf(team, body.id);
  const ada = { id: 'per_ada', email: 'ada@example.com', name: 'Ada', emailVerified: true };
  const secret = body.invitationUrl.split('=')[1];
  const records = [
    { ...changeRecord({ ...key }, invited), eventName: 'INSERT' as const },
    await recordOf(store, key, () => store.acceptInvitation(ada, secret, Date.now()), theService),
    await recordOf(store, key, () => store.noteSignIn({ ...ada, name: 'Ada L.' }, Date.now() + 1_000), theService),
    await recordOf(store, key, () => team.as(owner).update({ id: body.id, body: { role: 'editor' } }), theService),
    await recordOf(store, key, () => team.as(owner).remove({ id: body.id }), theService),
  ];
  // The stream has no image of what was not there.
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
