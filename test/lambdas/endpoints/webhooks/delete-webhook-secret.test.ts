import { beforeAll, expect, test } from 'vitest';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newHookedWorkspace } from '../../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('A deleted secret is neither valid nor listed from then on, and the others stay as they are.', async () => {
  const { newWebhook, rotate, listSecrets, end, valid } = await newHookedWorkspace(store);
  const { webhook, secret } = await newWebhook();
  const second = (await rotate({ body: { webhookId: webhook.id } })).body;
  const [, first] = (await listSecrets({})).body.secrets;
  expect(await end({ id: second.id })).toMatchObject({ status: 204, body: undefined });
  expect(await valid(webhook.id)).toEqual([secret]);
  expect((await listSecrets({})).body).toEqual({ secrets: [first], nextCursor: null });
  expectProblem(await end({ id: second.id }), 404, 'not_found');
});

test('The last secret can be deleted, too, and another one created after it.', async () => {
  const { newWebhook, listSecrets, end, rotate, valid } = await newHookedWorkspace(store);
  const { webhook } = await newWebhook();
  await end({ id: (await listSecrets({})).body.secrets[0].id });
  expect(await valid(webhook.id)).toEqual([]);
  const { body } = await rotate({ body: { webhookId: webhook.id } });
  expect(await valid(webhook.id)).toEqual([body.secret]);
});

test("An unknown secret, another workspace's and a malformed id are all not found, and the other's stays valid.", async () => {
  const [own, other] = [await newHookedWorkspace(store), await newHookedWorkspace(store)];
  const { webhook, secret } = await other.newWebhook();
  const [{ id: theirs }] = (await other.listSecrets({})).body.secrets;
  for (const id of ['whs_0123456789abcdef', theirs, 'nonsense', 'x'.repeat(2_000)]) {
    expectProblem(await own.end({ id }), 404, 'not_found');
  }
  expect(await other.valid(webhook.id)).toEqual([secret]);
});
