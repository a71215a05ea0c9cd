import { expect } from 'vitest';
import { contextWith } from '../http/invoke.ts';
import { newTeam } from '../things/members.ts';
import { batchGet, get, type Scenarios, store, update } from './scenario.ts';

/** The authorizer's answer about a key, as the gateway passes it on. */
const acting = (key: string, gatewayKey: string) => async (budget: number) => {
  const { handler } = await import('../../../lambdas/authorizer/authorize.ts');
  const methodArn = 'arn:aws:execute-api:x:1:api/stage/GET/api';
  try {
    const event = { type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn } as const;
    const { usageIdentifierKey } = await handler(event, contextWith(budget));
    return { status: usageIdentifierKey === gatewayKey ? 200 : 500 };
  } catch (error) {
    // The gateway turns any error but Unauthorized into its own, which stands for a 503 here.
    return (error as Error).message === 'Unauthorized' ? { status: 401 } : { status: 503, headers: { 'Retry-After': '1' } };
  }
};

/** The authorizer, which the gateway calls before each request to the API. */
export const authorizerScenarios: Scenarios = {
  'authorize: a good key': {
    calls: [get, update],
    forgivenFrom: 1,
    arrange: async () => {
      const workspace = await store.newWorkspace();
      const { key, id } = await store.createApiKey(workspace, { name: null, permissions: ['links:write'] });
      return {
        act: acting(key, workspace.gatewayKey),
        check: async () => {
          const [found] = await store.listApiKeys(workspace.id);
          expect(found).toMatchObject({ id, permissions: ['links:write'] });
        },
        meanwhile: () => store.revokeApiKey(id),
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          const [found] = await store.listApiKeys(workspace.id);
          expect(found).toMatchObject({ id, revokedAt: expect.any(String) });
        },
      };
    },
  },
  'authorize: a key of a sign-in': {
    calls: [get, batchGet],
    arrange: async () => {
      const { join, workspace } = await newTeam(store);
      const { key } = await join('viewer');
      return { act: acting(key.key, workspace.gatewayKey), check: async () => {} };
    },
  },
};
