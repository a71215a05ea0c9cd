import { beforeAll, describe, expect, test } from 'vitest';
import { webhooksPerWorkspace } from '../../../../lambdas/core/limits.ts';
import type { WebhookEvent } from '../../../../lambdas/core/webhook/webhook.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const settings = { url: 'https://hooks.example.com/', events: ['link.created'] as WebhookEvent[], active: true };

describe('A webhook', () => {
  test('A new webhook is found by its id, and listed in the order of creation.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const { webhook } = await store.createWebhook(workspaceId, settings);
    expect(webhook).toEqual({
      ...settings,
      id: expect.stringMatching(/^whk_[0-9A-Za-z]{16}$/),
      createdAt: expect.any(String),
      revision: 0,
    });
    expect(await store.getWebhook(workspaceId, webhook.id)).toEqual(webhook);
    const all = [webhook];
    for (let made = 0; made < 4; made++) all.push((await store.createWebhook(workspaceId, settings)).webhook);
    const listed = await store.webhooksOf(workspaceId);
    expect(listed.map(({ createdAt }) => createdAt)).toEqual(all.map(({ createdAt }) => createdAt));
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(all.map(({ id }) => id)));
  });

  test("A workspace can neither find, list, change nor delete another workspace's webhook.", async () => {
    const [own, other] = [await store.newWorkspace(), await store.newWorkspace()];
    const { webhook } = await store.createWebhook(own.workspaceId, settings);
    const theirs = other.workspaceId;
    expect(await store.getWebhook(theirs, webhook.id)).toBeUndefined();
    expect(await store.webhooksOf(theirs)).toEqual([]);
    const notFound = { code: 'not_found' };
    await expect(store.updateWebhook(theirs, webhook.id, { active: false })).rejects.toMatchObject(notFound);
    await expect(store.deleteWebhook(theirs, webhook.id)).rejects.toMatchObject(notFound);
    expect(await store.webhooksOf(own.workspaceId)).toEqual([webhook]);
  });

  test.for(['', 'whk_', `whk_${'x'.repeat(2000)}`, 'WORKSPACE', 'whk_0123456789abcde\0'])(
    'No webhook has the id %j.',
    async (id) => {
      expect(await store.getWebhook('ws_unknown', id)).toBeUndefined();
    },
  );

  test('However many are created at once, a workspace never has more webhooks than its limit, and a deleted one makes room.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const create = () => store.createWebhook(workspaceId, settings);
    for (let made = 0; made < webhooksPerWorkspace - 2; made++) await create();
    const results = await Promise.allSettled(Array.from({ length: 6 }, create));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'webhook_limit_reached' });
    }
    const [first] = await store.webhooksOf(workspaceId);
    await store.deleteWebhook(workspaceId, first?.id ?? '');
    await create();
    expect(await store.webhooksOf(workspaceId)).toHaveLength(webhooksPerWorkspace);
  });

  test('Overlapping changes are all kept, and a change for an earlier version is refused.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const { webhook } = await store.createWebhook(workspaceId, settings);
    const { id } = webhook;
    await Promise.all([
      store.updateWebhook(workspaceId, id, { active: false }),
      store.updateWebhook(workspaceId, id, { url: 'https://hooks.example.com/2' }),
      store.updateWebhook(workspaceId, id, { events: ['link.deleted'] }),
    ]);
    const changed = { ...webhook, active: false, url: 'https://hooks.example.com/2', events: ['link.deleted'], revision: 3 };
    expect(await store.getWebhook(workspaceId, id)).toEqual(changed);
    const outdated = { code: 'precondition_failed' };
    await expect(store.updateWebhook(workspaceId, id, { active: true }, webhook)).rejects.toMatchObject(outdated);
    await expect(store.deleteWebhook(workspaceId, id, webhook)).rejects.toMatchObject(outdated);
    expect(await store.webhooksOf(workspaceId)).toEqual([changed]);
  });

  test('Of many deletions of a webhook at once, exactly one succeeds.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const { webhook } = await store.createWebhook(workspaceId, settings);
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => store.deleteWebhook(workspaceId, webhook.id)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' })).toMatchObject({ webhookCount: 0 });
  });
});
