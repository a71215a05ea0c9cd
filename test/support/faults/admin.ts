import { expect } from 'vitest';
import type { Permission } from '../../../lambdas/core/key/permissions.ts';
import { newPerson, newTeam } from '../things/members.ts';
import {
  answerOf,
  batchGet,
  get,
  linkWithTags,
  put,
  query,
  remove,
  type Scenario,
  type Scenarios,
  store,
  transact,
  update,
} from './scenario.ts';

let hosts = 0;

async function newKey() {
  const workspace = await store.newWorkspace();
  const permissions: Permission[] = ['links:read', 'links:write'];
  const { id } = await store.createApiKey(workspace, { name: 'Before', permissions });
  const keys = () => store.listApiKeys(workspace.id);
  const current = async () => (await keys()).find((key) => key.id === id);
  return { id, keys, current };
}

/** Sets something to one of two values. Another operator sets it to the other one: the later of the two must win. */
function setting<T>(ours: T, theirs: T, read: () => Promise<T>, set: (value: T) => Promise<unknown>) {
  let isLater = false;
  return {
    act: (budget: number) => answerOf(budget, () => set(ours)),
    check: async () => expect(await read()).toEqual(ours),
    meanwhile: async () => {
      isLater = (await read()) === ours;
      await set(theirs);
    },
    checkBoth: async ({ status }: { readonly status: number }) =>
      expect([status, await read()]).toEqual([200, isLater ? theirs : ours]),
  };
}

const disabling = (ours: boolean): Scenario => ({
  calls: [transact, get],
  arrange: async () => {
    const { workspaceId, id, current } = await linkWithTags();
    const found = await store.getLink(workspaceId, id);
    if (!found) throw new Error('no link');
    await store.setDisabled(found.link, !ours);
    const read = async () => typeof (await current())?.disabledAt === 'string';
    return setting(ours, !ours, read, (isDisabled) => store.setDisabled(found.link, isDisabled));
  },
});

const blocking = (ours: boolean): Scenario => ({
  calls: [transact],
  arrange: async () => {
    const host = `other${++hosts}.evil.example`;
    const set = async (isBlocked: boolean): Promise<unknown> => (isBlocked ? store.blockHost(host) : store.unblockHost(host));
    await set(!ours);
    return setting(ours, !ours, async () => (await store.getBlockedHosts()).has(host), set);
  },
});

const revoke = { keys: 'revoke', keptDays: 0 } as const;

/** An owner, one of two, who has made a key. */
async function withOwner() {
  const team = await newTeam(store);
  const ada = await team.join('owner');
  await team.join('owner');
  const { body } = await team.as(ada).createKey({ body: { permissions: ['links:read'] } });
  const key = async () => (await store.listApiKeys(team.workspaceId)).find(({ id }) => id === body.id);
  /** The items that name the person, or refer to them. */
  const left = async (id = ada.person.id) => {
    const partitions = [
      `PERSON#${id}`,
      `IDENTITY#${ada.person.identity}`,
      `MEMBERSHIPS#${id}`,
      `MEMBERS#${team.workspaceId}`,
      `MADE#${ada.id}`,
    ];
    const items = await Promise.all(partitions.map((pk) => Array.fromAsync(store.query({ pk, between: ['0', '~'] }))));
    return items.flat().filter((item) => [id, ada.id, ada.person.email].some((text) => JSON.stringify(item).includes(text)));
  };
  return { ...team, ada, key, left };
}

/** Erases a person. Meanwhile, they sign in again as a new person, who stays. */
const erasure = (isRemoved: boolean): Scenario => ({
  calls: [get, transact, query, transact, get, get, query, batchGet, transact, remove, remove, get, remove, query, query, remove],
  arrange: async () => {
    const { ada, workspaceId, key, left, owners } = await withOwner();
    if (isRemoved) await store.removeMember(workspaceId, ada.id, { keys: 'keep', keptDays: 30 });
    const erase = async () => {
      await store.forgetPerson(ada.person.id);
      await store.eraseMembers(ada.person.id, [workspaceId], revoke);
    };
    const check = async () => {
      expect(await left()).toEqual([]);
      expect(await key()).toHaveProperty('revokedAt');
      expect(await owners()).toBe(1);
    };
    let again = '';
    return {
      act: (budget) => answerOf(budget, erase),
      check,
      meanwhile: async () => {
        again = (await store.rememberPerson(ada.identity, Date.now() + 1_000)).id;
      },
      checkBoth: async ({ status }) => {
        expect(status).toBe(200);
        await check();
        expect((await store.getPerson(again))?.id).toBe(again === ada.person.id ? undefined : again);
      },
    };
  },
});

/** Somebody who waits is approved. Meanwhile, they are removed: a late approval does not bring them back. */
const approval: Scenario = {
  calls: [get, transact],
  arrange: async () => {
    const { workspaceId, invite } = await newTeam(store);
    const person = await newPerson({ emailVerified: undefined });
    const { member, secret } = await invite(person.email, 'editor');
    await store.acceptInvitation(person, secret, Date.now());
    const state = async () => (await store.membershipsOf(person.id))[0]?.state;
    return {
      act: (budget) => answerOf(budget, () => store.approveMember(workspaceId, member.id)),
      check: async () => expect(await state()).toBe('active'),
      meanwhile: () => store.removeMember(workspaceId, member.id, { keys: 'keep', keptDays: 1 }),
      checkBoth: async () => expect(await state()).toBeUndefined(),
    };
  },
};

/** A membership is deleted with its workspace. Meanwhile, the person joins another one, and stays the same person. */
const dropping: Scenario = {
  calls: [get, get, query, transact],
  arrange: async () => {
    const { ada, workspaceId, left } = await withOwner();
    const other = await newTeam(store);
    const identity = async () => (await left()).find(({ sk }) => sk === 'IDENTITY');
    const membership = async () => (await left()).find(({ sk }) => sk === `WORKSPACE#${workspaceId}`);
    let joins = false;
    const check = async () => {
      expect(await membership()).toBeUndefined();
      expect((await identity())?.ttl === undefined).toBe(joins);
    };
    return {
      act: (budget) => answerOf(budget, () => store.dropMembership(ada.person.id, workspaceId)),
      check,
      meanwhile: async () => {
        joins = true;
        await store.joinWorkspace(ada.person, { workspaceId: other.workspaceId, role: 'viewer' }, Date.now());
      },
      checkBoth: async ({ status }) => {
        expect(status).toBe(200);
        await check();
      },
    };
  },
};

/** The operator's commands on the tables. No function may do the same, so no policy allows it. */
export const adminScenarios: Scenarios = {
  'admin: disable a link': disabling(true),
  'admin: enable a link': disabling(false),
  'admin: block a host': blocking(true),
  'admin: unblock a host': blocking(false),
  'admin: create a workspace': {
    calls: [put],
    settles: true,
    arrange: async () => {
      let id = '';
      let hasTag = false;
      const make = async (made: string) => {
        id = made;
        return 'gateway';
      };
      const key = () => ({ pk: `WORKSPACE#${id}`, sk: 'WORKSPACE' });
      return {
        act: (budget) => answerOf(budget, () => store.createWorkspace('New', make)),
        check: async () => expect(await store.getItem(key())).toMatchObject({ id, name: 'New' }),
        // Somebody uses it already.
        meanwhile: async () => {
          hasTag = (await store.getItem(key())) !== undefined;
          if (hasTag) await store.createTag(id, { name: 'Theirs', color: '#123456' });
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          const item = await store.getItem(key());
          expect([item?.name, item?.tagCount]).toEqual(['New', hasTag ? 1 : undefined]);
        },
      };
    },
  },
  'admin: begin the deletion of a workspace': {
    calls: [update],
    arrange: async () => {
      const { id } = await store.newWorkspace();
      const read = async () => (await store.getWorkspace(id))?.deletingSince;
      let first: string | undefined;
      return {
        act: (budget) => answerOf(budget, () => store.beginDeletion(id)),
        check: async () => expect(await read()).toEqual(expect.any(String)),
        // Another operator begins it too. The first time stays.
        meanwhile: async () => {
          await store.beginDeletion(id);
          first = await read();
        },
        checkBoth: async ({ status }) => expect([status, await read()]).toEqual([200, first]),
      };
    },
  },
  'admin: add a domain': {
    calls: [get, transact, get],
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const host = `added.${domain.host}`;
      const read = async () => (await store.getDomain(host))?.status;
      return setting<Awaited<ReturnType<typeof read>>>('ACTIVE', 'PENDING_DNS', read, async (status) =>
        store.addDomain(workspaceId, host, status ?? 'PENDING_DNS'),
      );
    },
  },
  'admin: create a key': {
    calls: [transact],
    arrange: async () => {
      const workspace = await store.newWorkspace();
      const keys = () => store.listApiKeys(workspace.id);
      let revoked = 0;
      return {
        act: (budget) => answerOf(budget, () => store.createApiKey(workspace, { name: 'New', permissions: ['links:read'] })),
        check: async () => expect((await keys())[0]).toMatchObject({ name: 'New' }),
        meanwhile: async () => {
          for (const { id } of await keys()) if (await store.revokeApiKey(id)) revoked++;
        },
        checkBoth: async ({ status }) => {
          const all = await keys();
          expect([status, all.length, all.filter(({ revokedAt }) => revokedAt).length]).toEqual([200, 1, revoked]);
        },
      };
    },
  },
  'admin: change a key': {
    calls: [batchGet, transact],
    arrange: async () => {
      const { id, current } = await newKey();
      const read = async () => (await current())?.permissions.join();
      return setting<string | undefined>('links:read,tags:write', 'links:read', read, (permissions = '') =>
        store.updateApiKey(id, { permissions: permissions.split(',') as Permission[] }),
      );
    },
  },
  'admin: revoke a key': {
    calls: [batchGet, transact],
    arrange: async () => {
      const { id, current } = await newKey();
      let first: string | undefined;
      return {
        act: (budget) => answerOf(budget, () => store.revokeApiKey(id)),
        check: async () => expect(await current()).toHaveProperty('revokedAt'),
        // Another operator revokes it too. The first time stays.
        meanwhile: async () => {
          first = await store.revokeApiKey(id);
        },
        checkBoth: async ({ status }) => expect([status, (await current())?.revokedAt]).toEqual([200, first]),
      };
    },
  },
  'admin: rotate a key': {
    calls: [batchGet, transact],
    arrange: async () => {
      const { id, keys, current } = await newKey();
      const replacements = async () => (await keys()).filter(({ replaces }) => replaces === id);
      let made = 0;
      return {
        act: (budget) => answerOf(budget, () => store.rotateApiKey(id, { overlapMs: 60_000 })),
        check: async () => {
          expect(await replacements()).toHaveLength(1);
          expect((await current())?.replacedBy).toBe((await replacements())[0]?.id);
        },
        // The key is revoked. A revoked key is not replaced any more.
        meanwhile: async () => {
          made = (await replacements()).length;
          await store.revokeApiKey(id);
        },
        checkBoth: async ({ status }) => {
          expect([status, (await replacements()).length]).toEqual([200, made]);
          expect(await current()).toHaveProperty('revokedAt');
        },
      };
    },
  },
  'admin: approve a member': approval,
  'admin: erase a person': erasure(false),
  'admin: erase somebody who was removed with their keys': erasure(true),
  'admin: end a membership with its workspace': dropping,
};
