import { expect } from 'vitest';
import type { ApiKey } from '../../../lambdas/core/key/api-key.ts';
import { permissions } from '../../../lambdas/core/key/permissions.ts';
import { callEndpoint } from '../http/invoke.ts';
import { newKeyring } from '../things/keys.ts';
import { type Answer, batchGet, get, ifMatch, query, type Scenario, type Scenarios, store, transact } from './scenario.ts';

/** A workspace with an owner's key and another one. The count of its keys must be right. */
async function withKeys() {
  const ring = await newKeyring(store);
  const [owner, other] = [await ring.newKey(permissions), await ring.newKey(['links:read'])];
  const call = (name: string, budget: number, more: object) =>
    callEndpoint(name, { workspaceId: ring.workspaceId, keyId: owner.id, budget, ...more });
  /** The keys besides these two. */
  const added = async () => [...(await ring.all()).values()].filter(({ id }) => id !== owner.id && id !== other.id);
  const current = async (): Promise<ApiKey | undefined> => (await ring.all()).get(other.id);
  const expectCount = async () => {
    const left = [...(await ring.all()).values()].filter(({ revokedAt, replacedBy }) => !revokedAt && !replacedBy);
    expect(await ring.counted()).toBe(left.length);
  };
  return { ...ring, owner, other, call, added, current, expectCount };
}

/** Creates a key. The operator revokes the key, if it was created. */
const creation: Scenario = {
  calls: [get, get, transact],
  succeeds: 201,
  repeated: [409],
  arrange: async () => {
    const { call, added, expectCount } = await withKeys();
    let revoked = 0;
    return {
      act: (budget) => call('create-key', budget, { headers: { 'Idempotency-Key': 'key' }, body: { name: 'New' } }),
      check: async () => {
        expect(await added()).toMatchObject([{ name: 'New' }]);
        await expectCount();
      },
      meanwhile: async () => {
        for (const { id } of await added()) if (await store.revokeApiKey(id)) revoked++;
      },
      checkBoth: async ({ status }) => {
        const keys = await added();
        expect([status, keys.length, keys.filter(({ revokedAt }) => revokedAt).length]).toEqual([201, 1, revoked]);
        await expectCount();
      },
    };
  },
};

/** Revokes a key. The operator gives it another name before; if it is revoked already, that is refused. */
const revocation: Scenario = {
  calls: [batchGet, transact],
  succeeds: 204,
  arrange: async () => {
    const { call, other, current, expectCount } = await withKeys();
    const expectRevoked = async () => {
      expect(await current()).toHaveProperty('revokedAt');
      await expectCount();
    };
    let wasRenamed = false;
    return {
      act: (budget) => call('delete-key', budget, { id: other.id }),
      check: expectRevoked,
      meanwhile: async () => {
        wasRenamed = (await store.updateApiKey(other.id, { name: 'Theirs' })) !== 'revoked';
      },
      checkBoth: async ({ status }) => {
        expect([status, (await current())?.name]).toEqual([204, wasRenamed ? 'Theirs' : 'Made']);
        await expectRevoked();
      },
    };
  },
};

/** Rotates a key. The operator revokes it: a revoked key is not rotated. */
const rotation: Scenario = {
  calls: [batchGet, transact],
  succeeds: 201,
  repeated: [409],
  arrange: async () => {
    const { call, other, added, current, expectCount } = await withKeys();
    let made = 0;
    return {
      act: (budget) => call('rotate-key', budget, { id: other.id, body: {} }),
      check: async () => {
        const [replacement] = await added();
        expect([replacement?.replaces, (await current())?.replacedBy]).toEqual([other.id, replacement?.id]);
        await expectCount();
      },
      meanwhile: async () => {
        made = (await added()).length;
        await store.revokeApiKey(other.id);
      },
      checkBoth: async ({ status }: Answer) => {
        expect([status, (await added()).length]).toEqual([made === 1 ? 201 : 409, made]);
        expect(await current()).toHaveProperty('revokedAt');
        await expectCount();
      },
    };
  },
};

/** Changes what a key may do. The operator takes a permission away. */
const update = (isConditional: boolean): Scenario => ({
  calls: [batchGet, transact],
  ...(isConditional && { repeated: [412] }),
  arrange: async () => {
    const { call, other, current, workspaceId } = await withKeys();
    const headers = isConditional ? await ifMatch('get-key', workspaceId, other.id) : {};
    const ours = { permissions: ['links:read', 'tags:write'] as const };
    let isLater = false;
    const read = async () => (await current())?.permissions;
    return {
      act: (budget) => call('update-key', budget, { id: other.id, headers, body: ours }),
      check: async () => expect(await read()).toEqual(ours.permissions),
      meanwhile: async () => {
        isLater = (await read())?.length === 2;
        await store.updateApiKey(other.id, { permissions: ['tags:write'] });
      },
      // Without the entity tag, the later of the two wins.
      checkBoth: async ({ status }) => {
        expect(status).toBe(isConditional && !isLater ? 412 : 200);
        expect(await read()).toEqual(isConditional || isLater ? ['tags:write'] : ours.permissions);
      },
    };
  },
});

/** Requests for API keys. */
export const keyScenarios: Scenarios = {
  'create-key': creation,
  'list-keys': {
    calls: [query, batchGet],
    arrange: async () => {
      const { call } = await withKeys();
      return { act: (budget) => call('list-keys', budget, {}), check: async () => {} };
    },
  },
  'get-key': {
    calls: [get],
    arrange: async () => {
      const { call, other } = await withKeys();
      return { act: (budget) => call('get-key', budget, { id: other.id }), check: async () => {} };
    },
  },
  'update-key': update(false),
  'update-key: as it was known': update(true),
  'delete-key': revocation,
  'rotate-key': rotation,
};
