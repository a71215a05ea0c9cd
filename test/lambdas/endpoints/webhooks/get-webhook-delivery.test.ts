import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { useStore } from '../../../support/store/store.ts';
import { failedAttempt, makeDelivery } from '../../../support/things/made-deliveries.ts';

let deliveries: typeof import('../../../../lambdas/store/webhooks/deliveries.ts');
beforeAll(async () => {
  await useStore();
  deliveries = await import('../../../../lambdas/store/webhooks/deliveries.ts');
});

const newWorkspaceId = () => `ws_${randomBase62(16)}`;

test('A delivery has its body and its attempts, of which only the newest has its response.', async () => {
  const workspaceId = newWorkspaceId();
  const made = await makeDelivery(workspaceId);
  const once = await deliveries.recordAttempt(made, failedAttempt, { now: Date.parse(failedAttempt.at) });
  const later = { ...failedAttempt, at: '2030-01-02T03:10:05.678Z', status: 200, error: null, response: 'thanks' };
  if (once) await deliveries.recordAttempt(once, later, { now: Date.parse(later.at) });
  const { status, body } = await callEndpoint('get-webhook-delivery', { workspaceId, id: made.id });
  expect([status, body.state, body.body]).toEqual([200, 'succeeded', '{"some":"thing"}']);
  // Attempts that were stored before redirects were recorded show none.
  expect(body.attempts).toEqual([
    { ...failedAttempt, response: null, redirectsTo: null },
    { ...later, redirectsTo: null },
  ]);
});

test('However often a delivery is tried, it shows the newest 20 attempts.', async () => {
  const workspaceId = newWorkspaceId();
  let delivery = await makeDelivery(workspaceId);
  for (let second = 0; second < 25; second++) {
    const at = new Date(Date.parse('2030-01-02T03:04:05.678Z') + second * 1_000).toISOString();
    const found = await deliveries.giveUp(await again(delivery), { ...failedAttempt, at });
    if (found) delivery = found;
  }
  const { body } = await callEndpoint('get-webhook-delivery', { workspaceId, id: delivery.id });
  expect(body.attempts).toHaveLength(20);
  expect(body.attempts.at(-1).at).toBe('2030-01-02T03:04:29.678Z');
});

/** The delivery after a redelivery. */
const again = async (delivery: Awaited<ReturnType<typeof makeDelivery>>) =>
  (await deliveries.redeliver(delivery, Date.parse('2030-01-02T03:04:05.678Z'))) ?? delivery;

test("An unknown delivery and another workspace's are not found.", async () => {
  const made = await makeDelivery(newWorkspaceId());
  for (const id of ['dlv_0123456789abcdefghijkl', made.id, 'nonsense', 'x'.repeat(2_000)]) {
    expectProblem(await callEndpoint('get-webhook-delivery', { workspaceId: newWorkspaceId(), id }), 404, 'not_found');
  }
});
