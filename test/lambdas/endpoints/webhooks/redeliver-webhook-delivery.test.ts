import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { receiverPk, wakeKey } from '../../../../lambdas/store/table/keys.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { failedAttempt, makeDelivery } from '../../../support/things/made-deliveries.ts';

let store: Store;
let deliveries: typeof import('../../../../lambdas/store/webhooks/deliveries.ts');
beforeAll(async () => {
  store = await useStore();
  deliveries = await import('../../../../lambdas/store/webhooks/deliveries.ts');
});

const newWorkspaceId = () => `ws_${randomBase62(16)}`;

test('A failed delivery is pending again, keeps its id and attempts, and requests a sender.', async () => {
  const workspaceId = newWorkspaceId();
  const made = await makeDelivery(workspaceId);
  await deliveries.giveUp(made, failedAttempt);
  const { status, body } = await callEndpoint('redeliver-webhook-delivery', { workspaceId, id: made.id });
  expect([status, body.id, body.state]).toEqual([202, made.id, 'pending']);
  expect(body.attempts).toEqual([{ ...failedAttempt, redirectsTo: null }]);
  expect(await store.getItem(wakeKey(receiverPk(workspaceId, made.url), made.id))).toBeDefined();
});

test("An unknown delivery and another workspace's are not found, and nothing is sent again.", async () => {
  const owner = newWorkspaceId();
  const made = await makeDelivery(owner);
  for (const id of ['dlv_0123456789abcdefghijkl', made.id, 'nonsense']) {
    expectProblem(await callEndpoint('redeliver-webhook-delivery', { workspaceId: newWorkspaceId(), id }), 404, 'not_found');
  }
  expect(await store.getItem(wakeKey(receiverPk(owner, made.url), made.id))).toBeUndefined();
});

test('However many requests redeliver a delivery at once, each makes it due again.', async () => {
  const made = await makeDelivery(newWorkspaceId());
  const times = Array.from({ length: 12 }, (_, number) => Date.parse('2030-01-03T00:00:00.000Z') + number);
  const again = await Promise.all(times.map((now) => deliveries.redeliver(made, now)));
  expect(again.map((one) => one && Date.parse(one.nextAttemptAt ?? ''))).toEqual(times);
});
