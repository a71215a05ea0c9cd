import { beforeAll, expect, test } from 'vitest';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newHookedWorkspace } from '../../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test("The valid secrets are listed with exactly four keys each: those for links first, then a webhook's, newest first.", async () => {
  const { newWebhook, rotate, listSecrets } = await newHookedWorkspace(store);
  expect(await listSecrets({})).toMatchObject({ status: 200, body: { secrets: [] } });
  const { webhook, secret } = await newWebhook();
  const second = (await rotate({ body: { webhookId: webhook.id } })).body;
  const ofLinks = (await rotate({ body: {} })).body;
  const { body } = await listSecrets({});
  const first = { id: expect.any(String), webhookId: webhook.id, createdAt: webhook.createdAt, expiresAt: expect.any(String) };
  const listed = ({ secret, ...dates }: typeof second) => dates;
  expect(body).toEqual({ secrets: [listed(ofLinks), listed(second), first], nextCursor: null });
  for (const one of [secret, second.secret, ofLinks.secret]) expect(JSON.stringify(body)).not.toContain(one);
});

test("Another workspace's secrets are not listed.", async () => {
  const [own, other] = [await newHookedWorkspace(store), await newHookedWorkspace(store)];
  await other.newWebhook();
  await other.rotate({ body: {} });
  expect((await own.listSecrets({})).body).toEqual({ secrets: [], nextCursor: null });
});
