import { expect } from 'vitest';
import { needsClicks, type WebhookEvent } from '../../../lambdas/core/webhook/webhook.ts';
import { callEndpoint } from '../http/invoke.ts';
import {
  type Answer,
  batchGet,
  get,
  ifMatch,
  query,
  refusalOf,
  type Scenario,
  type Scenarios,
  store,
  transact,
  update,
} from './scenario.ts';

const url = 'https://hooks.example.com/';
const onClicks = { url, events: ['link.clicked'] as WebhookEvent[], active: true };
const keyed = { 'Idempotency-Key': 'key' };

/** A workspace with a domain and one webhook. */
async function withWebhook(settings = onClicks) {
  const { workspaceId, domain } = await store.newWorkspace();
  const { webhook, secret } = await store.changeWebhooks(workspaceId, () => store.createWebhook(workspaceId, settings));
  return { workspaceId, host: domain.host, id: webhook.id, secret };
}

/** Expects that exactly the webhooks have secrets, that the domain knows whether one wants clicks, and that they are counted. */
async function expectAgreement(workspaceId: string, host: string): Promise<void> {
  const webhooks = await store.webhooksOf(workspaceId);
  const secrets = await store.listSecrets(workspaceId);
  expect(new Set(secrets.map(({ webhookId }) => webhookId))).toEqual(new Set(webhooks.map(({ id }) => id)));
  expect(await store.getDomain(host)).toMatchObject({ wantsClicks: webhooks.some(needsClicks) });
  const workspace = await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' });
  expect(workspace?.webhookCount).toBe(webhooks.length);
}

/** The calls that copy an interest to the only domain of a workspace. */
const copying = [get, query, batchGet, update] as const;

/** Activates a webhook. Somebody else deactivates it. */
async function activation(isConditional: boolean) {
  const { workspaceId, host, id } = await withWebhook({ ...onClicks, active: false });
  const headers = isConditional ? await ifMatch('get-webhook', workspaceId, id) : {};
  const isActive = async () => (await store.getWebhook(workspaceId, id))?.active;
  let isLater = false;
  const expectActive = async (expected: boolean) => {
    expect(await isActive()).toBe(expected);
    await expectAgreement(workspaceId, host);
  };
  return {
    act: (budget: number) => callEndpoint('update-webhook', { workspaceId, id, headers, body: { active: true }, budget }),
    check: () => expectActive(true),
    meanwhile: async () => {
      isLater = (await isActive()) === true;
      await store.changeWebhooks(workspaceId, () => store.updateWebhook(workspaceId, id, { active: false }));
    },
    checkBoth: async ({ status }: Answer) => {
      const isRefused = isConditional && !isLater;
      expect(status).toBe(isRefused ? 412 : 200);
      await expectActive(!isLater && !isRefused);
    },
  };
}

/** Deletes the only webhook. Somebody else creates another. */
async function deletion(isConditional: boolean) {
  const { workspaceId, host, id } = await withWebhook();
  const headers = isConditional ? await ifMatch('get-webhook', workspaceId, id) : {};
  const theirs: string[] = [];
  const check = async () => {
    expect((await store.webhooksOf(workspaceId)).map((webhook) => webhook.id)).toEqual(theirs);
    await expectAgreement(workspaceId, host);
  };
  return {
    act: (budget: number) => callEndpoint('delete-webhook', { workspaceId, id, headers, budget }),
    check,
    meanwhile: async () => {
      const { webhook } = await store.changeWebhooks(workspaceId, () => store.createWebhook(workspaceId, onClicks));
      theirs.push(webhook.id);
    },
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(204);
      await check();
    },
  };
}

/** Creates a secret of a webhook, or of links. Somebody else does the same. */
async function rotation(isOfLinks: boolean) {
  const { workspaceId, id, secret } = await withWebhook();
  const webhookId = isOfLinks ? null : id;
  const first = isOfLinks ? [] : [secret.secret];
  const theirs: string[] = [];
  let ours: unknown;
  const check = async () => {
    const valid = await store.validSecrets(workspaceId, webhookId, Date.now());
    expect(valid.toSorted()).toEqual([...first, ...theirs, ours].sort());
  };
  return {
    act: async (budget: number) => {
      const body = isOfLinks ? {} : { webhookId };
      const response = await callEndpoint('create-webhook-secret', { workspaceId, headers: keyed, body, budget });
      if (response.status === 201) {
        // Each attempt that succeeds shows the same secret.
        expect([undefined, response.body.secret]).toContain(ours);
        ours = response.body.secret;
      }
      return response;
    },
    check,
    meanwhile: async () => void theirs.push((await store.rotateSecret(workspaceId, webhookId)).secret),
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(201);
      await check();
    },
  };
}

/** Ends the older one of two secrets of a webhook, or of links. Somebody else creates a third. */
const ending = (isOfLinks: boolean): Scenario => ({
  calls: [query, transact],
  succeeds: 204,
  repeated: [404],
  arrange: async () => {
    const { workspaceId, id } = await withWebhook();
    const webhookId = isOfLinks ? null : id;
    const before = await store.validSecrets(workspaceId, webhookId, Date.now());
    const old = before.length > 0 ? undefined : await store.rotateSecret(workspaceId, webhookId);
    const [oldest] = (await store.listSecrets(workspaceId)).filter((secret) => secret.webhookId === webhookId);
    const left = [(await store.rotateSecret(workspaceId, webhookId)).secret];
    const check = async () => expect(await store.validSecrets(workspaceId, webhookId, Date.now())).toEqual(left);
    return {
      act: (budget) => callEndpoint('delete-webhook-secret', { workspaceId, id: old?.id ?? oldest?.id ?? '', budget }),
      check,
      meanwhile: async () => void left.unshift((await store.rotateSecret(workspaceId, webhookId)).secret),
      checkBoth: async ({ status }) => {
        expect(status).toBe(204);
        await check();
      },
    };
  },
});

/** Requests for webhooks and their secrets. */
export const webhookScenarios: Scenarios = {
  'create-webhook': {
    calls: [get, transact, ...copying, batchGet, query],
    succeeds: 201,
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      let isDeleted = false;
      let shown: unknown;
      const check = async () => {
        const webhooks = await store.webhooksOf(workspaceId);
        expect(webhooks).toHaveLength(isDeleted ? 0 : 1);
        for (const { id } of webhooks) expect(await store.validSecrets(workspaceId, id, Date.now())).toEqual([shown]);
        await expectAgreement(workspaceId, domain.host);
      };
      return {
        act: async (budget) => {
          const response = await callEndpoint('create-webhook', { workspaceId, headers: keyed, body: onClicks, budget });
          if (response.status === 201) shown = response.body.secret;
          return response;
        },
        check,
        // Deletes the webhook, if it is there.
        meanwhile: async () => {
          const [webhook] = await store.webhooksOf(workspaceId);
          isDeleted = webhook !== undefined;
          const id = webhook?.id ?? '';
          await refusalOf(store.changeWebhooks(workspaceId, () => store.deleteWebhook(workspaceId, id)));
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(201);
          await check();
        },
      };
    },
  },
  'list-webhooks': {
    calls: [query],
    arrange: async () => {
      const { workspaceId } = await withWebhook();
      return { act: (budget) => callEndpoint('list-webhooks', { workspaceId, budget }), check: async () => {} };
    },
  },
  'get-webhook': {
    calls: [get, batchGet, query],
    arrange: async () => {
      const { workspaceId, id } = await withWebhook();
      return { act: (budget) => callEndpoint('get-webhook', { workspaceId, id, budget }), check: async () => {} };
    },
  },
  'update-webhook': { calls: [get, batchGet, transact, ...copying, batchGet, query], arrange: () => activation(false) },
  'update-webhook: as it was known': {
    calls: [get, batchGet, query, get, batchGet, transact, ...copying, batchGet, query],
    decisive: 5,
    repeated: [412],
    arrange: () => activation(true),
  },
  'delete-webhook': {
    calls: [get, transact, ...copying],
    succeeds: 204,
    settles: 5,
    decisive: 1,
    repeated: [404],
    arrange: () => deletion(false),
  },
  'delete-webhook: as it was known': {
    calls: [get, batchGet, query, get, transact, ...copying],
    succeeds: 204,
    settles: 8,
    decisive: 4,
    repeated: [404],
    arrange: () => deletion(true),
  },
  'create-webhook-secret': { calls: [get, get, transact], succeeds: 201, arrange: () => rotation(false) },
  'create-webhook-secret: of links': { calls: [get, get, transact], succeeds: 201, arrange: () => rotation(true) },
  'list-webhook-secrets': {
    calls: [query],
    arrange: async () => {
      const { workspaceId } = await withWebhook();
      return { act: (budget) => callEndpoint('list-webhook-secrets', { workspaceId, budget }), check: async () => {} };
    },
  },
  'delete-webhook-secret': ending(false),
  'delete-webhook-secret: of links': ending(true),
};
