import { expect } from 'vitest';
import { asAuthor } from '../../../lambdas/runtime/author.ts';
import { callEndpoint, contextWith } from '../http/invoke.ts';
import { changeRecord, deliver } from '../things/history.ts';
import { newOwner, newTeam } from '../things/members.ts';
import {
  type Answer,
  answerOf,
  batchGet,
  changeAsOther,
  get,
  ifMatch,
  linkWithTags,
  plenty,
  query,
  remove,
  type Scenario,
  type Scenarios,
  store,
  transact,
  update,
} from './scenario.ts';

/** A workspace with two owners, and a member who has made a key. Its count of keys is right. */
async function withMembers() {
  const team = await newTeam(store);
  const [one, two, other] = [await team.join('owner'), await team.join('owner'), await team.join('owner')];
  const { body } = await team.as(other).createKey({ body: { permissions: ['links:read'] } });
  const current = () => team.memberOf(other.id);
  const isRemoved = async () => (await current())?.state === 'removed';
  /** Whether the owners are counted, and a removed member is no longer a member. */
  const expectAgreement = async () => {
    const active = [...(await team.there()).values()].filter(({ role, state }) => role === 'owner' && state === 'active');
    expect(await team.owners()).toBe(active.length);
    expect(await store.membershipsOf(other.person.id)).toHaveLength((await isRemoved()) ? 0 : 1);
    const sweep = await store.getItem({ pk: `MADE#${other.id}`, sk: 'SWEEP' });
    expect([sweep !== undefined, (await current())?.revokesKeys === true]).toEqual([await isRemoved(), await isRemoved()]);
  };
  const keyOf = async () => (await store.listApiKeys(team.workspaceId)).find(({ id }) => id === body.id);
  return { ...team, one, two, other, madeKey: body.id as string, keyOf, current, isRemoved, expectAgreement };
}

/** Gives a member another role. Another owner gives a third one. */
const roleChange = (isConditional: boolean): Scenario => ({
  calls: [get, batchGet, get, transact],
  ...(isConditional && { repeated: [412] }),
  arrange: async () => {
    const { as, one, two, other, current, expectAgreement, workspaceId } = await withMembers();
    const headers = isConditional ? await ifMatch('get-member', workspaceId, other.id) : {};
    let isLater = false;
    return {
      act: (budget) => as(one).update({ id: other.id, headers, body: { role: 'editor' }, budget }),
      check: async () => {
        expect((await current())?.role).toBe('editor');
        await expectAgreement();
      },
      meanwhile: async () => {
        isLater = (await current())?.role === 'editor';
        await as(two).update({ id: other.id, body: { role: 'viewer' } });
      },
      // Without the entity tag, the later of the two wins.
      checkBoth: async ({ status }) => {
        expect(status).toBe(isConditional && !isLater ? 412 : 200);
        expect((await current())?.role).toBe(isConditional || isLater ? 'viewer' : 'editor');
        await expectAgreement();
      },
    };
  },
});

/** Invites somebody. The operator withdraws the invitation, if it was made. */
const invitation: Scenario = {
  calls: [get, get, batchGet, get, query, transact],
  succeeds: 201,
  repeated: [409],
  arrange: async () => {
    const { as, one, there, workspaceId, expectAgreement } = await withMembers();
    const invited = async () => [...(await there()).values()].filter(({ email }) => email === 'new@example.com');
    let removed = 0;
    return {
      act: (budget) =>
        as(one).invite({ headers: { 'Idempotency-Key': 'key' }, body: { email: 'new@example.com', role: 'owner' }, budget }),
      check: async () => {
        expect(await invited()).toMatchObject([{ role: 'owner', state: 'invited' }]);
        await expectAgreement();
      },
      meanwhile: async () => {
        for (const { id } of await invited()) {
          await store.removeMember(workspaceId, id, { keys: 'keep', keptDays: 1 });
          removed++;
        }
      },
      checkBoth: async ({ status }) => expect([status, (await invited()).length]).toEqual([201, 1 - removed]),
    };
  },
};

/** A member who has signed in changes a key: reads and checks the member and the sign-in, too. The member's role changes. */
const keyRequest = (
  send: (found: Awaited<ReturnType<typeof withMembers>>, budget: number) => Promise<Answer>,
  rest: Pick<Scenario, 'calls' | 'succeeds' | 'repeated'>,
  changed: (found: Awaited<ReturnType<typeof withMembers>>) => Promise<boolean>,
): Scenario => ({
  ...rest,
  arrange: async () => {
    const found = await withMembers();
    const { as, two, other } = found;
    let wasChanged = false;
    return {
      act: (budget) => send(found, budget),
      check: async () => expect(await changed(found)).toBe(true),
      meanwhile: async () => {
        wasChanged = await changed(found);
        await as(two).update({ id: other.id, body: { role: 'viewer' } });
      },
      checkBoth: async ({ status }) =>
        expect([status, await changed(found)]).toEqual([wasChanged ? rest.succeeds : 401, wasChanged]),
    };
  },
});

/** Runs a page of the sweep of the keys that a member made, as the stream triggers it. */
async function sweep(memberId: string, budget: number): Promise<Answer> {
  const { handler } = await import('../../../lambdas/events/sweep.ts');
  const Records = [{ dynamodb: { Keys: { pk: { S: `MADE#${memberId}` } }, SequenceNumber: '1' } }];
  const { batchItemFailures } = await handler({ Records }, contextWith(budget));
  return batchItemFailures.length > 0 ? { status: 503, headers: { 'Retry-After': '1' } } : { status: 200 };
}

/** Revokes the key of a removed member. The page is delivered twice. */
const revocation: Scenario = {
  calls: [get, query, batchGet, transact, remove, remove],
  arrange: async () => {
    const { as, one, other, keyOf, workspaceId } = await withMembers();
    await as(one).remove({ id: other.id });
    const check = async () => {
      expect(await keyOf()).toMatchObject({ revokedAt: expect.any(String) });
      expect(await Array.fromAsync(store.query({ pk: `MADE#${other.id}`, between: ['0', '~'] }))).toEqual([]);
      expect((await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.keyCount).toBe(0);
    };
    return {
      act: (budget) => sweep(other.id, budget),
      check,
      meanwhile: () => sweep(other.id, plenty),
      checkBoth: async ({ status }) => {
        expect(status).toBe(200);
        await check();
      },
    };
  },
};

/** The title of a link that a member has changed, as the history has it. */
async function changedByMember() {
  const { workspaceId, id } = await linkWithTags();
  const author = { actor: { type: 'member', id: 'mbr_0123456789abcdef', name: null }, requestId: 'request-1' } as const;
  const key = { pk: `LINK#${id.slice('lnk_'.length, -6)}`, sk: 'LINK' };
  const before = (await store.getItem(key)) ?? {};
  await asAuthor(author, () => changeAsOther(workspaceId, id, { title: 'New' }));
  await deliver([changeRecord(before, (await store.getItem(key)) ?? {})]);
  return { workspaceId, id };
}

const ofMember = { type: 'member', id: 'mbr_0123456789abcdef', name: 'former member' };

/** Somebody wants the last owner not to be one any more. Meanwhile, there is another one. */
const lastOwner = (send: (team: Awaited<ReturnType<typeof newOwner>>, budget: number) => Promise<Answer>): Scenario => ({
  calls: [get, batchGet, get, transact, query],
  succeeds: 409,
  arrange: async () => {
    const team = await newOwner(store);
    const { owner, there, owners } = team;
    const isOwner = async () => (await there()).get(owner.id)?.role === 'owner';
    let hasOther = false;
    return {
      act: (budget) => send(team, budget),
      check: async () => expect([await isOwner(), await owners()]).toEqual([true, 1]),
      meanwhile: async () => {
        hasOther = true;
        await team.join('owner');
      },
      checkBoth: async ({ status }) => {
        expect(hasOther && status < 300).toBe(!(await isOwner()));
        expect(await owners()).toBe(status < 300 ? 1 : 2);
      },
    };
  },
});

/** Requests for members, by members, and the sweep of the keys that they made. */
export const memberScenarios: Scenarios = {
  'create-member': invitation,
  'list-members': {
    calls: [query],
    arrange: async () => {
      const { as, one } = await withMembers();
      return { act: (budget) => as(one).list({ budget }), check: async () => {} };
    },
  },
  'get-member': {
    calls: [get],
    arrange: async () => {
      const { as, one, other } = await withMembers();
      return { act: (budget) => as(one).get({ id: other.id, budget }), check: async () => {} };
    },
  },
  'update-member': roleChange(false),
  'update-member: as it was known': roleChange(true),
  'delete-member': {
    calls: [get, batchGet, get, query, batchGet, transact],
    succeeds: 204,
    repeated: [404],
    arrange: async () => {
      const { as, one, two, other, isRemoved, expectAgreement } = await withMembers();
      const check = async () => {
        expect(await isRemoved()).toBe(true);
        await expectAgreement();
      };
      return {
        act: (budget) => as(one).remove({ id: other.id, budget }),
        check,
        // Another owner gives the member another role.
        meanwhile: () => as(two).update({ id: other.id, body: { role: 'viewer' } }),
        checkBoth: async ({ status }) => {
          expect(status).toBe(204);
          await check();
        },
      };
    },
  },
  'update-member: the last owner': lastOwner(({ owner, update }, budget) =>
    update({ id: owner.id, body: { role: 'viewer' }, budget }),
  ),
  'delete-member: the last owner': lastOwner(({ owner, remove }, budget) =>
    remove({ id: owner.id, query: { keys: 'keep' }, budget }),
  ),
  'leave-workspace: the last owner': lastOwner(({ leave }, budget) => leave({ query: { keys: 'keep' }, budget })),
  'leave-workspace': {
    calls: [get, batchGet, get, transact],
    succeeds: 204,
    repeated: [401],
    arrange: async () => {
      const { as, two, other, isRemoved, expectAgreement } = await withMembers();
      let hadLeft = false;
      return {
        act: (budget) => as(other).leave({ budget }),
        check: async () => {
          expect(await isRemoved()).toBe(true);
          await expectAgreement();
        },
        // An owner gives the member another role, which ends the key.
        meanwhile: async () => {
          hadLeft = await isRemoved();
          await as(two).update({ id: other.id, body: { role: 'viewer' } });
        },
        checkBoth: async ({ status }) => {
          expect([status, await isRemoved()]).toEqual([hadLeft ? 204 : 401, hadLeft]);
          await expectAgreement();
        },
      };
    },
  },
  'create-key: by a member': keyRequest(
    ({ as, other }, budget) => as(other).createKey({ body: { name: 'New' }, headers: { 'Idempotency-Key': 'key' }, budget }),
    { calls: [get, get, batchGet, transact], succeeds: 201, repeated: [409] },
    async ({ workspaceId }) => (await store.listApiKeys(workspaceId)).some(({ name }) => name === 'New'),
  ),
  'update-key: by a member': keyRequest(
    ({ as, other, madeKey }, budget) => as(other).updateKey({ id: madeKey, body: { name: 'New' }, budget }),
    { calls: [batchGet, batchGet, transact], succeeds: 200 },
    async ({ keyOf }) => (await keyOf())?.name === 'New',
  ),
  'rotate-key: by a member': keyRequest(
    ({ as, other, madeKey }, budget) => as(other).rotateKey({ id: madeKey, body: {}, budget }),
    { calls: [batchGet, batchGet, transact], succeeds: 201, repeated: [409] },
    async ({ keyOf }) => (await keyOf())?.replacedBy !== undefined,
  ),
  'delete-key: by a member': keyRequest(
    ({ as, other, madeKey }, budget) => as(other).revokeKey({ id: madeKey, budget }),
    { calls: [batchGet, batchGet, transact], succeeds: 204 },
    async ({ keyOf }) => (await keyOf())?.revokedAt !== undefined,
  ),
  'sweep: keys of a removed member': revocation,
  'sweep: keys of a removed member, with another page behind it': {
    calls: [get, query, batchGet, transact, remove, update],
    settles: 5,
    arrange: async () => {
      const { as, one, other, keyOf } = await withMembers();
      await as(one).remove({ id: other.id });
      const page = () => store.revokeMadeKeys(other.id, 1);
      const check = async () => {
        expect(await keyOf()).toMatchObject({ revokedAt: expect.any(String) });
        await page();
        expect(await store.getItem({ pk: `MADE#${other.id}`, sk: 'SWEEP' })).toBeUndefined();
      };
      return {
        act: (budget) => answerOf(budget, page),
        check,
        // The page is delivered twice. If it is done already, the next one is, which ends the sweep.
        meanwhile: page,
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
        },
      };
    },
  },
  'list-link-history: by a member': {
    calls: [get, query, batchGet],
    arrange: async () => {
      const { workspaceId, id } = await changedByMember();
      return {
        act: async (budget) => {
          const response = await callEndpoint('list-link-history', { workspaceId, id, budget });
          if (response.status === 200)
            expect(response.body.entries[0]).toMatchObject({ action: 'link.updated', actor: ofMember });
          return response;
        },
        check: async () => {},
      };
    },
  },
  'list-history: by a member': {
    calls: [...Array.from({ length: 8 }, () => query), batchGet, batchGet, batchGet],
    arrange: async () => {
      const { workspaceId } = await changedByMember();
      return {
        act: async (budget) => {
          const response = await callEndpoint('list-history', { workspaceId, budget });
          if (response.status === 200) expect(response.body.entries).toMatchObject([{ action: 'link.updated', actor: ofMember }]);
          return response;
        },
        check: async () => {},
      };
    },
  },
};
