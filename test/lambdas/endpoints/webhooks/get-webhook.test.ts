import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { queuedKey, receiverKey, receiverPk } from '../../../../lambdas/store/table/keys.ts';
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

test('A webhook shows where its URL redirects to as long as that fails.', async () => {
  const { workspaceId, newWebhook, get } = await newHookedWorkspace(store);
  const { webhook } = await newWebhook();
  const at = '2030-01-02T03:04:05.678Z';
  const failing = { failingSince: at, failedAt: at, error: 'redirect', redirectsTo: 'https://www.example.com/hooks' };
  await store.putItem({ ...receiverKey(receiverPk(workspaceId, webhook.url)), ...failing });
  const { state, redirectsTo } = (await get({ id: webhook.id })).body.status;
  expect([state, redirectsTo]).toEqual(['failing', failing.redirectsTo]);
});

const minute = 60_000;
const day = 24 * 60 * minute;

test.for([
  ['nothing is due', [-minute, 5 * minute], null],
  ['a delivery has been due for three minutes', [-minute, -3 * minute, 5 * minute], -3 * minute],
  ['deliveries have been due for 13 days', [-13 * day, -minute], -13 * day],
  ['deliveries over 14 days old are lost, but not removed yet', [-15 * day, -minute], null],
] as const)('A webhook shows since when it is behind: %s.', async ([, dues, expected]) => {
  const { workspaceId, newWebhook, get } = await newHookedWorkspace(store);
  const { webhook } = await newWebhook();
  const now = Date.now();
  const at = (due: number) => new Date(now + due).toISOString();
  for (const due of dues) {
    await store.putItem(queuedKey(receiverPk(workspaceId, webhook.url), at(due), `dlv_${randomBase62(22)}`));
  }
  const { status } = (await get({ id: webhook.id })).body;
  expect(status).toEqual({
    state: 'ok',
    since: null,
    error: null,
    redirectsTo: null,
    backlog: expected === null ? null : { oldestDueAt: at(expected) },
  });
});
