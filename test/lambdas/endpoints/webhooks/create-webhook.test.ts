import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { webhooksPerWorkspace } from '../../../../lambdas/core/limits.ts';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import { type Attempt, underFaults } from '../../../support/faults/faults.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { newHookedWorkspace } from '../../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => vi.restoreAllMocks());

const url = 'https://hooks.example.com/links?a=1,2';
const body = { url, events: ['link.clicked', 'link.deleted'] };
const headers = { 'Idempotency-Key': 'key' };

test('A creation responds with 201, exactly seven keys, its location and the entity tag that the webhook has without its secret.', async () => {
  const { create, get } = await newHookedWorkspace(store);
  const made = await create({
    body: { url: 'HTTPS://Hooks.example.com', events: ['link.deleted', 'link.clicked', 'link.deleted'] },
  });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    id: expect.stringMatching(/^whk_/),
    url: 'https://hooks.example.com/',
    events: ['link.deleted', 'link.clicked'],
    active: true,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    status: { state: 'ok', since: null, error: null, redirectsTo: null, backlog: null },
    secret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{43}=$/),
  });
  expect(made.headers.Location).toBe(`/api/v1/webhooks/${made.body.id}`);
  const { secret, ...webhook } = made.body;
  const got = await get({ id: made.body.id });
  expect(got.body).toEqual(webhook);
  expect(made.headers.ETag).toBe(got.headers.ETag);
});

test('A webhook can start inactive, and then needs no clicks.', async () => {
  const { create, host } = await newHookedWorkspace(store);
  expect((await create({ body: { ...body, active: false } })).body.active).toBe(false);
  expect((await store.getDomain(host))?.wantsClicks).toBe(false);
  await create({ body });
  expect((await store.getDomain(host))?.wantsClicks).toBe(true);
});

test('A creation that is repeated with the same key, also many times at once, returns the same webhook and secret, and creates no other.', async () => {
  const { create, list, valid } = await newHookedWorkspace(store);
  const responses = await Promise.all(Array.from({ length: 10 }, () => create({ headers, body })));
  const later = await create({ headers, body });
  for (const { status, body, headers } of responses) {
    expect([status, body, headers.ETag]).toEqual([201, later.body, later.headers.ETag]);
  }
  expect((await list({})).body.webhooks).toHaveLength(1);
  expect(await valid(later.body.id)).toEqual([later.body.secret]);
  expectProblem(await create({ headers, body: { ...body, active: false } }), 422, 'idempotency_key_reused');
});

test('If a function dies before or after its transaction, the retry makes or finds the one webhook.', async () => {
  for (const fault of ['dead-before', 'dead-after'] as const) {
    const { create, list, valid, host } = await newHookedWorkspace(store);
    const dies = ({ command }: Attempt) => (command === 'TransactWriteItems' ? fault : undefined);
    expect((await underFaults(dies, () => create({ headers, body }))).result.status).toBe(500);
    const again = await create({ headers, body });
    expect(again.status).toBe(201);
    expect((await list({})).body.webhooks).toMatchObject([{ id: again.body.id }]);
    expect(await valid(again.body.id)).toEqual([again.body.secret]);
    expect((await store.getDomain(host))?.wantsClicks).toBe(true);
  }
});

test('The transaction of a dead function that arrives after the retry writes nothing, even if the webhook was deleted since.', async () => {
  const { create, list, remove, listSecrets } = await newHookedWorkspace(store);
  let arrive: (() => Promise<unknown>) | undefined;
  const stop = intercept(async (operation, input, next) => {
    if (operation !== 'TransactWriteItems') return next(input);
    arrive = () => next(input);
    throw new Error('died');
  });
  await create({ headers, body });
  stop();
  const { id } = (await create({ headers, body })).body;
  await remove({ id });
  await expect(arrive?.()).rejects.toMatchObject({ name: 'TransactionCanceledException' });
  expect([(await list({})).body.webhooks, (await listSecrets({})).body.secrets]).toEqual([[], []]);
});

test('Without a key, the error of an unfinished creation says to check before sending it again.', async () => {
  const { create } = await newHookedWorkspace(store);
  const down = ({ command }: Attempt) => (command === 'Query' ? 'throttle' : undefined);
  const { result } = await underFaults(down, () => create({ body, budget: 300 }));
  expectProblem(result, 503, 'temporarily_unavailable');
  expect(result.body.detail).toContain('Check that before you retry');
});

test('A request is forgotten after 24 hours: the same request then creates another webhook.', async () => {
  const { workspaceId, create, list } = await newHookedWorkspace(store);
  await create({ headers, body });
  const [record] = await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspaceId}`, skPrefix: 'REQUEST#' }));
  const lifetime = Number(record?.expiresAt) - Date.now();
  expect(Math.round(lifetime / 60_000)).toBe(24 * 60);
  vi.spyOn(Date, 'now').mockImplementation(() => Number(record?.expiresAt));
  await create({ headers, body });
  expect((await list({})).body.webhooks).toHaveLength(2);
});

test('The record of a creation contains no secret.', async () => {
  const { workspaceId, create } = await newHookedWorkspace(store);
  const { secret } = (await create({ headers, body })).body;
  const items = await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspaceId}`, skPrefix: 'REQUEST#' }));
  expect(items).toHaveLength(1);
  expect(JSON.stringify(items)).not.toContain(secret.slice('whsec_'.length));
});

test('Once its secret has expired, or the webhook is deleted, a repeated creation says so, and creates nothing.', async () => {
  const { create, list, remove, end, listSecrets } = await newHookedWorkspace(store);
  const made = await create({ headers, body });
  const [{ id }] = (await listSecrets({})).body.secrets;
  await end({ id });
  expectProblem(await create({ headers, body }), 409, 'secret_ended');
  await remove({ id: made.body.id });
  expectProblem(await create({ headers, body }), 409, 'secret_ended');
  expect((await list({})).body.webhooks).toEqual([]);
});

test('A workspace with 20 webhooks cannot create another one, but can retry the last one.', async () => {
  const { create } = await newHookedWorkspace(store);
  for (let made = 1; made < webhooksPerWorkspace; made++) await create({ body });
  const last = await create({ headers, body });
  expectProblem(await create({ body }), 409, 'webhook_limit_reached');
  expect((await create({ headers, body })).body).toEqual(last.body);
});

test.for([
  [{ events: ['link.created'] }, '/url', 'required'],
  [{ url }, '/events', 'required'],
  [{ url, events: [] }, '/events', 'too_few'],
  [{ url, events: 'link.created' }, '/events', 'invalid_type'],
  [{ url, events: ['webhook.test'] }, '/events/0', 'invalid_value'],
  [{ url, events: ['link.created', null] }, '/events/1', 'null_not_allowed'],
  [{ url, events: null }, '/events', 'null_not_allowed'],
  [{ ...body, active: null }, '/active', 'null_not_allowed'],
  [{ ...body, active: 'yes' }, '/active', 'invalid_type'],
  [{ ...body, secret: 'whsec_mine' }, '/secret', 'unknown_field'],
  [{ ...body, url: 'http://hooks.example.com/' }, '/url', 'webhook_scheme'],
  [{ ...body, url: 'hooks.example.com' }, '/url', 'webhook_invalid'],
  [{ ...body, url: 'https://me@hooks.example.com/' }, '/url', 'webhook_credentials'],
  [{ ...body, url: 'https://127.0.0.1/' }, '/url', 'webhook_private'],
  [{ ...body, url: 'https://intranet/' }, '/url', 'webhook_private'],
  [{ ...body, url: `https://hooks.example.com/${'x'.repeat(2_048)}` }, '/url', 'webhook_too_long'],
] as const)('The webhook %j is refused at %s as %s, and nothing is created.', async ([wrong, path, code]) => {
  const { create, list } = await newHookedWorkspace(store);
  const response = await create({ body: wrong });
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
  expect((await list({})).body).toEqual({ webhooks: [], nextCursor: null });
});
