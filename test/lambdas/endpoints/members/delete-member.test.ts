import { beforeAll, describe, expect, test } from 'vitest';
import { rolePermissions } from '../../../../lambdas/core/member/roles.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newOwner } from '../../../support/things/members.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.HISTORY_DAYS = '30';
});

const start = Date.parse('2030-01-02T03:04:05.678Z');
const day = 86_400_000;

describe('DELETE /members/{id}', () => {
  test('A removed member is not listed, loses the workspace, and is not found.', async () => {
    const { join, remove, update, there, list } = await newOwner(store);
    const ada = await join('editor');
    expect((await remove({ id: ada.id })).status).toBe(204);
    expect([...(await there()).keys()]).not.toContain(ada.id);
    expect(JSON.stringify((await list({})).body)).not.toContain(ada.id);
    expect(await store.membershipsOf(ada.person.id)).toEqual([]);
    expectProblem(await remove({ id: ada.id }), 404, 'not_found');
    expectProblem(await update({ id: ada.id, body: { role: 'viewer' } }), 404, 'not_found');
    for (const id of ['mbr_0123456789abcdef', 'nobody', '', 'me']) expectProblem(await remove({ id }), 404, 'not_found');
  });

  test('The item of a removed member is kept as long as the history, and at least a day.', async () => {
    const { join, plain, workspaceId } = await newOwner(store);
    for (const [days, kept] of [
      ['30', 30],
      ['0', 1],
    ] as const) {
      const ada = await join('viewer');
      process.env.HISTORY_DAYS = days;
      await plain.remove({ id: ada.id, receivedAt: start });
      process.env.HISTORY_DAYS = '30';
      const item = await store.getItem({ pk: `MEMBERS#${workspaceId}`, sk: `MEMBER#${ada.id}` });
      expect(item).toMatchObject({ state: 'removed', ttl: Math.ceil((start + kept * day) / 1_000) });
    }
  });

  test('A member of another workspace is not found.', async () => {
    const [one, other] = [await newOwner(store), await newOwner(store)];
    expectProblem(await one.remove({ id: other.owner.id }), 404, 'not_found');
    expectProblem(await one.update({ id: other.owner.id, body: { role: 'viewer' } }), 404, 'not_found');
    expect(await other.owners()).toBe(1);
  });

  test('A person who was removed can rejoin by an invitation, but not by a rule.', async () => {
    const { join, remove, invite, workspaceId } = await newOwner(store);
    const { id, person } = await join('editor');
    await remove({ id });
    await store.joinWorkspace(person, { workspaceId, role: 'owner' }, Date.now());
    expect(await store.membershipsOf(person.id)).toEqual([]);
    const { body } = await invite({ body: { email: person.email, role: 'viewer' } });
    await store.acceptInvitation(person, body.invitationUrl.split('=')[1], Date.now());
    expect(await store.membershipsOf(person.id)).toMatchObject([{ memberId: body.id, role: 'viewer' }]);
  });
});

describe('The keys that a member has made', () => {
  /** A member with a key that may make keys, and a key that it has made. */
  async function withKeys() {
    const team = await newOwner(store);
    const ada = await team.join('owner');
    const made = (await team.as(ada).createKey({ body: { permissions: ['keys:write', 'links:read'] } })).body.id as string;
    const theirs = (await team.as({ keyId: made }).createKey({ body: { permissions: ['links:read'] } })).body.id as string;
    const others = (await team.createKey({ body: { permissions: ['links:read'] } })).body.id as string;
    const revoked = async () => {
      await team.sweep(ada.id);
      const keys = await store.listApiKeys(team.workspaceId);
      return keys.flatMap(({ id, revokedAt }) => (revokedAt ? id : [])).sort();
    };
    return { ...team, ada, made, theirs, others, revoked };
  }

  test.for([undefined, 'revoke'])(
    'With keys=%s, all of them, also indirectly made ones, are revoked in the name of the person who removed the member.',
    async (keys) => {
      const { remove, ada, made, theirs, revoked, owner, workspaceId } = await withKeys();
      expect((await remove({ id: ada.id, ...(keys && { query: { keys } }) })).status).toBe(204);
      expect(await revoked()).toEqual([made, theirs].sort());
      expect(await store.getItem({ pk: `KEY#${made.slice(4)}`, sk: 'KEY' })).toMatchObject({
        by: expect.stringMatching(`^${owner.id} `),
      });
      expect(await Array.fromAsync(store.query({ pk: `MADE#${ada.id}`, between: ['0', '~'] }))).toEqual([]);
      const counted = (await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.keyCount;
      expect(counted).toBe(2);
    },
  );

  test('With keys=keep, they stay, and can still make keys.', async () => {
    const { remove, ada, made, revoked, as } = await withKeys();
    expect((await remove({ id: ada.id, query: { keys: 'keep' } })).status).toBe(204);
    expect(await revoked()).toEqual([]);
    expect((await as({ keyId: made }).createKey({ body: {} })).status).toBe(201);
  });

  test('Members who leave decide about their own keys.', async () => {
    const { as, ada, made, theirs, revoked } = await withKeys();
    expect((await as(ada).leave({ query: { keys: 'revoke' } })).status).toBe(204);
    expect(await revoked()).toEqual([made, theirs].sort());
  });

  test('As soon as the member is removed, even before the sweep, none of them can manage keys or members.', async () => {
    const { remove, ada, as, others, made } = await withKeys();
    const lasting = (await as(ada).createKey({ body: { permissions: ['keys:write', 'members:write', 'links:read'] } })).body.id;
    const holding = as({ keyId: lasting });
    await remove({ id: ada.id });
    for (const answer of [
      await holding.createKey({ body: {} }),
      await holding.updateKey({ id: others, body: { name: 'x' } }),
      await holding.rotateKey({ id: others, body: {} }),
      await holding.revokeKey({ id: made }),
      await holding.invite({ body: { email: 'eve@example.com', role: 'viewer' } }),
      await holding.remove({ id: ada.id }),
    ]) {
      expectProblem(answer, 401, 'unauthorized');
    }
  });

  test('A caller that lacks a permission of one of them can remove the member only with keys=keep.', async () => {
    const { update, ada, newKey, as, revoked } = await withKeys();
    await update({ id: ada.id, body: { role: 'viewer' } });
    const manager = as(await newKey([...rolePermissions.viewer, 'members:write']));
    const refused = await manager.remove({ id: ada.id });
    expectProblem(refused, 403, 'forbidden');
    expect(refused.body.detail).toContain('keys=keep');
    expect((await manager.remove({ id: ada.id, query: { keys: 'keep' } })).status).toBe(204);
    expect(await revoked()).toEqual([]);
  });

  test("All of a member's 200 keys are revoked, however often the sweep dies.", async () => {
    const { join, remove, as, workspaceId } = await newOwner(store);
    const ada = await join('owner');
    const { apiKeyId, fingerprintOf } = await import('../../../../lambdas/core/key/api-key.ts');
    const first = (await as(ada).createKey({ body: {} })).body.id as string;
    const item = await store.getItem({ pk: `KEY#${first.slice(4)}`, sk: 'KEY' });
    for (let number = 1; number < 200; number++) {
      const fingerprint = fingerprintOf(`${first} ${number}`);
      const id = apiKeyId(fingerprint);
      await store.putItem({ ...item, pk: `KEY#${fingerprint}`, sk: 'KEY', gsi1sk: `${item?.createdAt}#${id}`, id });
      await store.putItem({ pk: `MADE#${ada.id}`, sk: `KEY#${id}` });
    }
    await store.updateItem(
      { pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' },
      { text: 'SET #keyCount = :n', values: { ':n': 201 } },
    );
    await remove({ id: ada.id });
    const { underFaults } = await import('../../../support/faults/faults.ts');
    let deaths = 0;
    while (await store.getItem({ pk: `MADE#${ada.id}`, sk: 'SWEEP' })) {
      const dies = deaths++ < 10;
      const page = () => store.revokeMadeKeys(ada.id).catch(() => undefined);
      await underFaults(({ index }) => (dies && index === 3 + deaths * 4 ? 'dead-after' : undefined), page);
    }
    expect((await store.listApiKeys(workspaceId)).filter(({ revokedAt }) => !revokedAt)).toMatchObject([{ name: 'Plain' }]);
    expect((await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.keyCount).toBe(1);
  });
});
