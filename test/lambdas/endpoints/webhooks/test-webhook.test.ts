import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { checkWebhook } from '../../../support/http/openapi.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newHookedWorkspace } from '../../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('Each test of a webhook is a delivery of its own, which is listed and requests a sender.', async () => {
  const { workspaceId, newWebhook } = await newHookedWorkspace(store);
  const { webhook } = await newWebhook();
  const responses = [
    await callEndpoint('test-webhook', { workspaceId, id: webhook.id }),
    await callEndpoint('test-webhook', { workspaceId, id: webhook.id }),
  ];
  for (const { status, body } of responses) {
    expect(status).toBe(202);
    expect(body).toMatchObject({ type: 'webhook.test', webhookId: webhook.id, linkId: null, url: webhook.url, state: 'pending' });
    const { body: found } = await callEndpoint('get-webhook-delivery', { workspaceId, id: body.id });
    checkWebhook(found.body);
    expect(JSON.parse(found.body)).toEqual({ type: 'webhook.test', timestamp: expect.any(String), data: {} });
  }
  const { body } = await callEndpoint('list-webhook-deliveries', { workspaceId });
  expect(body.deliveries.map(({ id }: { id: string }) => id).sort()).toEqual(
    responses.map((response) => response.body.id).sort(),
  );
});

test("An unknown webhook and another workspace's are not found.", async () => {
  const [own, other] = [await newHookedWorkspace(store), await newHookedWorkspace(store)];
  const { webhook } = await other.newWebhook();
  for (const id of ['whk_0123456789abcdef', webhook.id, 'nonsense']) {
    expectProblem(await callEndpoint('test-webhook', { workspaceId: own.workspaceId, id }), 404, 'not_found');
  }
});
