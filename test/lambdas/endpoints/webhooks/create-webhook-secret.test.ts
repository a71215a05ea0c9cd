import { beforeAll, expect, test } from 'vitest';
import { secretsAtOnce } from '../../../../lambdas/core/limits.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newHookedWorkspace } from '../../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const headers = { 'Idempotency-Key': 'key' };

test.for([{}, { webhookId: null }])(
  'A secret for the URLs of links gets 201 and exactly five keys; the request is %j.',
  async (body) => {
    const { rotate, valid } = await newHookedWorkspace(store);
    const made = await rotate({ body });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^whs_[0-9A-Za-z]{16}$/),
        webhookId: null,
        createdAt: expect.any(String),
        expiresAt: null,
        secret: expect.stringMatching(/^whsec_/),
      },
    ]);
    expect(await valid(null)).toEqual([made.body.secret]);
  },
);

test('A rotated secret is shown with its webhook, and the former one stays valid for now.', async () => {
  const { newWebhook, rotate, valid } = await newHookedWorkspace(store);
  const { webhook, secret } = await newWebhook();
  const { status, body } = await rotate({ body: { webhookId: webhook.id } });
  expect([status, body.webhookId]).toEqual([201, webhook.id]);
  expect(await valid(webhook.id)).toEqual([body.secret, secret]);
});

test('A rotation that is repeated with the same key, also many times at once, returns the same secret and creates no other.', async () => {
  const { workspaceId, newWebhook, rotate, valid } = await newHookedWorkspace(store);
  const { webhook, secret } = await newWebhook();
  const body = { webhookId: webhook.id };
  const responses = await Promise.all(Array.from({ length: 8 }, () => rotate({ headers, body })));
  const again = await rotate({ headers, body });
  for (const response of responses) expect([response.status, response.body]).toEqual([201, again.body]);
  expect(await valid(webhook.id)).toEqual([again.body.secret, secret]);
  expectProblem(await rotate({ headers, body: {} }), 422, 'idempotency_key_reused');
  const records = await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspaceId}`, skPrefix: 'REQUEST#' }));
  expect(JSON.stringify(records)).not.toContain(again.body.secret.slice('whsec_'.length));
});

test('If another attempt of the same request creates the last secret allowed, both get the same response.', async () => {
  const { rotate, valid } = await newHookedWorkspace(store);
  for (let made = 1; made < secretsAtOnce; made++) await rotate({ body: {} });
  const request = { headers, body: {} };
  let first: Awaited<ReturnType<typeof rotate>> | undefined;
  // The second attempt has found no record.
  const second = await overtaken(
    async () => {
      first = await rotate(request);
    },
    () => rotate(request),
    { command: 'GetItem', number: 1 },
  );
  expect([second.status, second.body]).toEqual([201, first?.body]);
  expect(await valid(null)).toHaveLength(secretsAtOnce);
});

test('Once the secret has expired, a repeated rotation says so, and creates nothing.', async () => {
  const { rotate, end, valid } = await newHookedWorkspace(store);
  const { body } = await rotate({ headers, body: {} });
  await end({ id: body.id });
  expectProblem(await rotate({ headers, body: {} }), 409, 'secret_ended');
  expect(await valid(null)).toEqual([]);
});

test('While five secrets are valid, another one is refused, but a retry of the last one is not.', async () => {
  const { rotate, valid } = await newHookedWorkspace(store);
  for (let made = 1; made < secretsAtOnce; made++) await rotate({ body: {} });
  const last = await rotate({ headers, body: {} });
  expectProblem(await rotate({ body: {} }), 409, 'secret_limit_reached');
  expect((await rotate({ headers, body: {} })).body).toEqual(last.body);
  expect(await valid(null)).toHaveLength(secretsAtOnce);
});

test("An unknown webhook, another workspace's and a malformed id are refused alike, and the other's secret stays the only one.", async () => {
  const [own, other] = [await newHookedWorkspace(store), await newHookedWorkspace(store)];
  const { webhook, secret } = await other.newWebhook();
  for (const webhookId of ['whk_0123456789abcdef', webhook.id, 'nonsense', '', 'x'.repeat(2_000)]) {
    expectProblem(await own.rotate({ body: { webhookId } }), 422, 'webhook_not_found');
  }
  expect(await other.valid(webhook.id)).toEqual([secret]);
});

test.for([
  [{ webhookId: 5 }, '/webhookId', 'invalid_type'],
  [{ secret: 'whsec_mine' }, '/secret', 'unknown_field'],
] as const)('The request %j is refused at %s as %s.', async ([body, path, code]) => {
  const { rotate } = await newHookedWorkspace(store);
  const response = await rotate({ body });
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
});
