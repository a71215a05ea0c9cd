import { beforeAll, expect, test } from 'vitest';
import { receiverPk } from '../../../../lambdas/store/table/keys.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { makeDelivery } from '../../../support/things/made-deliveries.ts';
import { newHookedWorkspace } from '../../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('Fields that are sent change, and all others and the secret stay.', async () => {
  const { newWebhook, update, get, valid } = await newHookedWorkspace(store);
  const { webhook, secret } = await newWebhook();
  const expected = { ...webhook };
  for (const body of [{}, { url: 'https://other.example.com/' }, { events: ['link.clicked'] }, { active: false }]) {
    Object.assign(expected, body);
    expect(await update({ id: webhook.id, body })).toMatchObject({ status: 200, body: expected });
    expect((await get({ id: webhook.id })).body).toEqual(expected);
  }
  expect(await valid(webhook.id)).toEqual([secret]);
});

test('Clicks are recorded for webhooks exactly while one of them is active and subscribes to them.', async () => {
  const { newWebhook, update, host } = await newHookedWorkspace(store);
  const { webhook } = await newWebhook(['link.created']);
  const after = async (body: object) => {
    await update({ id: webhook.id, body });
    return (await store.getDomain(host))?.wantsClicks;
  };
  expect(await after({ events: ['link.clicked'] })).toBe(true);
  expect(await after({ url: 'https://other.example.com/' })).toBe(true);
  expect(await after({ active: false })).toBe(false);
  expect(await after({ active: true, events: ['link.cap_reached'] })).toBe(true);
  expect(await after({ events: ['link.deleted'] })).toBe(false);
});

test('Pending deliveries go to the URL that they were created for, with the same secret; later events go to the new URL.', async () => {
  const { newWebhook, update, valid, workspaceId } = await newHookedWorkspace(store);
  const { webhook, secret } = await newWebhook(['link.created']);
  const waiting = await makeDelivery(workspaceId, { webhookId: webhook.id, url: webhook.url });
  const url = 'https://other.example.com/';
  await update({ id: webhook.id, body: { url } });
  const { subscribersOf } = await import('../../../../lambdas/store/webhooks/targets.ts');
  expect(subscribersOf(await store.webhooksOf(workspaceId), 'link.created')).toEqual([{ webhookId: webhook.id, url }]);
  await update({ id: webhook.id, body: { active: false } });
  const { findDelivery } = await import('../../../../lambdas/store/webhooks/deliveries.ts');
  expect(await findDelivery(workspaceId, waiting.id)).toEqual(waiting);
  const queueOf = (one: string) => Array.fromAsync(store.query({ pk: receiverPk(workspaceId, one), skPrefix: 'QUEUE#' }));
  expect([(await queueOf(webhook.url)).length, (await queueOf(url)).length]).toEqual([1, 0]);
  expect(await valid(webhook.id)).toEqual([secret]);
});

test.for([
  [{ url: null }, '/url', 'null_not_allowed'],
  [{ url: 'http://hooks.example.com/' }, '/url', 'webhook_scheme'],
  [{ events: [] }, '/events', 'too_few'],
  [{ active: 1 }, '/active', 'invalid_type'],
  [{ id: 'whk_x' }, '/id', 'unknown_field'],
] as const)('The update %j is refused at %s as %s, and nothing changes.', async ([body, path, code]) => {
  const { newWebhook, update, get } = await newHookedWorkspace(store);
  const { webhook } = await newWebhook();
  const response = await update({ id: webhook.id, body });
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
  expect((await get({ id: webhook.id })).body).toEqual(webhook);
});

test("An unknown webhook, another workspace's and a malformed id are all not found, and the other webhook stays as it is.", async () => {
  const [own, other] = [await newHookedWorkspace(store), await newHookedWorkspace(store)];
  const { webhook } = await other.newWebhook();
  for (const id of ['whk_0123456789abcdef', webhook.id, 'nonsense']) {
    expectProblem(await own.update({ id, body: { active: false } }), 404, 'not_found');
  }
  expect((await other.get({ id: webhook.id })).body).toEqual(webhook);
});
