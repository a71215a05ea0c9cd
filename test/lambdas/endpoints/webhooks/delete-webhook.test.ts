import { beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newHookedWorkspace } from '../../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('A deleted webhook is gone with its secrets, and its clicks are no longer needed.', async () => {
  const { newWebhook, remove, get, list, listSecrets, rotate, host } = await newHookedWorkspace(store);
  const { webhook } = await newWebhook(['link.clicked']);
  await rotate({ body: { webhookId: webhook.id } });
  expect(await remove({ id: webhook.id })).toMatchObject({ status: 204, body: undefined });
  expectProblem(await get({ id: webhook.id }), 404, 'not_found');
  expect([(await list({})).body, (await listSecrets({})).body]).toEqual([
    { webhooks: [], nextCursor: null },
    { secrets: [], nextCursor: null },
  ]);
  expect((await store.getDomain(host))?.wantsClicks).toBe(false);
  expectProblem(await remove({ id: webhook.id }), 404, 'not_found');
});

test("An unknown webhook, another workspace's and a malformed id are all not found, and the other webhook stays.", async () => {
  const [own, other] = [await newHookedWorkspace(store), await newHookedWorkspace(store)];
  const { webhook, secret } = await other.newWebhook();
  for (const id of ['whk_0123456789abcdef', webhook.id, 'nonsense']) expectProblem(await own.remove({ id }), 404, 'not_found');
  expect((await other.get({ id: webhook.id })).body).toEqual(webhook);
  expect(await other.valid(webhook.id)).toEqual([secret]);
});
