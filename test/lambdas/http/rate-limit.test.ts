import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { unavailable } from '../../../lambdas/core/errors.ts';
import type { Slot } from '../../../lambdas/core/slots.ts';
import { endpoint } from '../../../lambdas/http/endpoint.ts';
import { rateLimit } from '../../../lambdas/http/rate-limit.ts';
import { reply } from '../../../lambdas/http/reply.ts';
import { ask, expectProblem } from '../../support/http/api-event.ts';

beforeEach(() => {
  vi.stubEnv('PERMISSION', 'things:write');
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const takeSlot = vi.fn<(name: string, workspaceId: string, token: string, receivedAt: number) => Promise<Slot>>();
const handle = vi.fn(async () => reply(200, {}));
const handler = endpoint({ body: z.strictObject({}), before: [rateLimit('bulk', takeSlot)] }, handle);

const limit = { quota: 3, windowSeconds: 60 };
const passed = { passed: true, remaining: 2, resetSeconds: 0, limit };
const headers = { RateLimit: '"bulk";r=2;t=0', 'RateLimit-Policy': '"bulk";q=3;w=60' };

test('A request that passes is handled, and its response says how many are left.', async () => {
  takeSlot.mockResolvedValueOnce(passed);
  expect(await ask(handler, { body: {} })).toMatchObject({ status: 200, headers });
  expect(takeSlot).toHaveBeenCalledOnce();
});

test("A slot is taken for the time when the gateway received the request, whatever the function's clock says.", async () => {
  takeSlot.mockResolvedValueOnce(passed);
  await ask(handler, { body: {}, receivedAt: 1_900_000_000_000 });
  expect(takeSlot.mock.lastCall).toEqual(['bulk', 'ws_caller', expect.any(String), 1_900_000_000_000]);
});

test('Each request takes its own slot, even if the client gives all requests the same id.', async () => {
  takeSlot.mockClear().mockResolvedValue(passed);
  for (let sent = 0; sent < 5; sent++) await ask(handler, { body: {} });
  expect(new Set(takeSlot.mock.calls.map(([, , token]) => token)).size).toBe(5);
});

test('A throttled request gets 429 with Retry-After, and is not handled.', async () => {
  handle.mockClear();
  takeSlot.mockResolvedValueOnce({ passed: false, remaining: 0, resetSeconds: 17, limit });
  expectProblem(await ask(handler, { body: {} }), {
    status: 429,
    code: 'rate_limited',
    headers: { RateLimit: '"bulk";r=0;t=17', 'RateLimit-Policy': '"bulk";q=3;w=60', 'Retry-After': '60' },
  });
  expect(handle).not.toHaveBeenCalled();
});

test('The headers and the message have the present limit.', async () => {
  takeSlot.mockResolvedValueOnce({ passed: false, remaining: 0, resetSeconds: 2, limit: { quota: 30, windowSeconds: 60 } });
  const { headers, body } = await ask(handler, { body: {} });
  expect(headers).toMatchObject({ 'RateLimit-Policy': '"bulk";q=30;w=60' });
  expect(body.detail).toContain('may send 30 imports in any 60 seconds');
});

test('Retry-After is never too early.', async () => {
  takeSlot.mockResolvedValueOnce({ passed: false, remaining: 0, resetSeconds: 64, limit });
  const { headers } = await ask(handler, { body: {} });
  expect(headers).toMatchObject({ RateLimit: '"bulk";r=0;t=64', 'Retry-After': '64' });
});

test.for([
  ['that fails validation', { body: { x: 1 } }, 422, 'validation_failed', {}],
  ['that is not JSON', { body: '{' }, 400, 'invalid_json', {}],
  ['that has query parameters', { body: {}, query: { x: '1' } }, 422, 'validation_failed', {}],
  [
    'of an unsupported type',
    { body: {}, headers: {} },
    415,
    'unsupported_media_type',
    { 'Accept-Patch': 'application/json, application/merge-patch+json' },
  ],
] as const)('A request %s takes a slot, and its response says so.', async ([, sent, status, code, more]) => {
  takeSlot.mockClear().mockResolvedValueOnce(passed);
  const response = await ask(handler, sent);
  expectProblem(response, {
    status,
    code,
    headers: { ...headers, ...more },
    ...(response.body.errors && { errors: response.body.errors }),
  });
  expect(takeSlot).toHaveBeenCalledOnce();
});

test('The response to an internal error has the RateLimit headers too.', async () => {
  takeSlot.mockResolvedValueOnce(passed);
  handle.mockRejectedValueOnce(new Error('secret'));
  expectProblem(await ask(handler, { body: {} }), { status: 500, code: 'internal_error', headers });
});

test('A key that lacks the permission takes no slot.', async () => {
  takeSlot.mockClear();
  expectProblem(await ask(handler, { body: {}, permissions: 'things:read' }), { status: 403, code: 'forbidden' });
  expect(takeSlot).not.toHaveBeenCalled();
});

test('No request passes if the limit cannot be read.', async () => {
  handle.mockClear();
  takeSlot.mockRejectedValueOnce(unavailable());
  expectProblem(await ask(handler, { body: {} }), {
    status: 503,
    code: 'temporarily_unavailable',
    headers: { 'Retry-After': '1' },
  });
  expect(handle).not.toHaveBeenCalled();
});

test('A response never has the RateLimit headers of an earlier request.', async () => {
  takeSlot.mockResolvedValueOnce(passed);
  await ask(handler, { body: {} });
  takeSlot.mockResolvedValueOnce({ passed: true, remaining: 1, resetSeconds: 5, limit });
  expect((await ask(handler, { body: {} })).headers).toMatchObject({ RateLimit: '"bulk";r=1;t=5' });
  expect((await ask(handler, { body: {}, permissions: '' })).headers).not.toHaveProperty('RateLimit');
});
