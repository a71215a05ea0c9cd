import { beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newHookedWorkspace } from '../../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('A webhook is returned with exactly six keys, the state of its URL, and no secret.', async () => {
  const { newWebhook, get } = await newHookedWorkspace(store);
  const { webhook } = await newWebhook();
  const { status, body } = await get({ id: webhook.id });
  expect([status, body]).toEqual([200, webhook]);
  expect(Object.keys(body)).toEqual(['id', 'url', 'events', 'active', 'createdAt', 'status']);
});

test("An unknown webhook, another workspace's and a malformed id are all not found.", async () => {
  const [own, other] = [await newHookedWorkspace(store), await newHookedWorkspace(store)];
  const { webhook } = await other.newWebhook();
  for (const id of ['whk_0123456789abcdef', webhook.id, 'nonsense', 'x'.repeat(2_000)]) {
    expectProblem(await own.get({ id }), 404, 'not_found');
  }
});
