import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { RequestError } from '../../../lambdas/core/errors.ts';
import type { Middleware } from '../../../lambdas/http/api-event.ts';
import { endpoint } from '../../../lambdas/http/endpoint.ts';
import { reply } from '../../../lambdas/http/reply.ts';
import { currentAuthor } from '../../../lambdas/runtime/author.ts';
import { timeLeft } from '../../../lambdas/runtime/deadline.ts';
import { loggedRequest } from '../../../lambdas/runtime/logged-request.ts';
import { apiEvent, ask, expectProblem } from '../../support/http/api-event.ts';

beforeEach(() => {
  vi.stubEnv('PERMISSION', 'things:write');
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const body = z.strictObject({ name: z.string() });

test('A valid request gets the response of the endpoint.', async () => {
  const seen: unknown[] = [];
  const handler = endpoint({ body }, async ({ workspaceId, id, body }) => {
    seen.push({ workspaceId, id, body });
    return reply(201, { made: body.name }, { Location: '/api/v1/things/1' });
  });
  expect(await ask(handler, { id: 'thing_1', body: { name: 'a' } })).toMatchObject({
    status: 201,
    headers: {
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Type': 'application/json',
      Location: '/api/v1/things/1',
    },
    body: { made: 'a' },
  });
  expect(seen).toEqual([{ workspaceId: 'ws_caller', id: 'thing_1', body: { name: 'a' } }]);
});

test('An endpoint without a body ignores any body that is sent.', async () => {
  const handler = endpoint({}, async ({ id, body }) => reply(200, { id, body: body ?? null }));
  const response = await ask(handler, { method: 'DELETE', body: '{', headers: { 'Content-Type': 'text/plain' } });
  expect(response).toMatchObject({ status: 200, body: { id: '', body: null } });
});

test('A request leaves no trace in the next one of the same function.', async () => {
  const handler = endpoint({ body }, async ({ body }) => reply(200, body));
  expectProblem(await ask(handler, { body: { name: 1 } }), {
    status: 422,
    code: 'validation_failed',
    errors: [{ path: '/name', code: 'invalid_type', message: 'must be a string' }],
  });
  expect(await ask(handler, { body: { name: 'b' } })).toMatchObject({ status: 200, body: { name: 'b' } });
  const both = await Promise.all([ask(handler, { body: { name: 'c' } }), ask(handler, { body: { name: 'd' } })]);
  expect(both.map((response) => response.body.name)).toEqual(['c', 'd']);
});

describe('The order of checks', () => {
  const steps: string[] = [];
  const before: Middleware = {
    before: () => {
      steps.push('before');
    },
  };
  const handler = endpoint({ body, before: [before] }, async () => reply(200, {}));
  const wrong = { body: '{', headers: { 'Content-Type': 'text/plain' }, query: { x: '1' }, permissions: 'things:read' };
  test.for([
    ['the permission, before everything else', wrong, 403, 'forbidden', []],
    ['the query', { ...wrong, permissions: 'things:write' }, 422, 'validation_failed', ['before']],
    ['the content type', { ...wrong, permissions: 'things:write', query: {} }, 415, 'unsupported_media_type', ['before']],
    ['malformed JSON', { body: '{' }, 400, 'invalid_json', ['before']],
    ['a field of the body', { body: '{}' }, 422, 'validation_failed', ['before']],
  ] as const)('Of several errors only the first is reported: %s.', async ([, sent, status, code, done]) => {
    steps.length = 0;
    expect(await ask(handler, sent)).toMatchObject({ status, body: { code } });
    expect(steps).toEqual(done);
  });
});

test('Each of several requests in one function keeps its own deadline, author, and line in the access log.', async () => {
  vi.stubEnv('ACCESS_LOGS', 'on');
  const log = vi.spyOn(console, 'info').mockReturnValue();
  const names = ['a', 'b', 'c'];
  const seen: Record<string, unknown> = {};
  // All are in the handler at once, and continue when the last one has arrived.
  let arrived = 0;
  const { promise: allArrived, resolve: goOn } = Promise.withResolvers<void>();
  const handler = endpoint({}, async ({ id }) => {
    if (++arrived === names.length) goOn();
    await allArrived;
    const { actor, requestId } = currentAuthor();
    seen[id] = { minutes: Math.round(timeLeft() / 60_000), actor, requestId, logged: loggedRequest() };
    if (id === 'b') throw new RequestError('not_found', 'No such thing.');
    return reply(204);
  });
  const own = () => [timeLeft(), currentAuthor(), loggedRequest()];
  const before = own();
  const requests = names.map((id, index) => {
    const event = apiEvent({ id });
    const authorizer = { ...event.requestContext.authorizer, principalId: `key_${id}`, workspaceId: `ws_${id}` };
    const requestContext = { ...event.requestContext, requestId: `request-${id}`, authorizer };
    // 1, 2 and 3 minutes for the store, and 5 seconds for the response.
    const context = { getRemainingTimeInMillis: () => (index + 1) * 60_000 + 5_000 } as Context;
    return handler({ ...event, requestContext }, context);
  });
  expect(own()).toEqual(before);
  await Promise.all(requests);
  expect(own()).toEqual(before);
  const idsOf = (id: string) => ({ requestId: `request-${id}`, workspaceId: `ws_${id}`, keyId: `key_${id}` });
  expect(seen).toEqual(
    Object.fromEntries(
      names.map((id, index) => [
        id,
        {
          minutes: index + 1,
          actor: { type: 'key', id: `key_${id}`, name: null },
          requestId: `request-${id}`,
          logged: idsOf(id),
        },
      ]),
    ),
  );
  const lines = log.mock.calls.map(([line]) => line).sort((one, other) => one.path.localeCompare(other.path));
  expect(lines).toMatchObject(
    names.map((id) => ({ ...idsOf(id), path: `/api/v1/things/${id}`, status: id === 'b' ? 404 : 204 })),
  );
});

test('The store has the time of the invocation, minus a reserve for the response.', async () => {
  let left = 0;
  const handler = endpoint({}, async () => {
    left = timeLeft();
    return reply(204);
  });
  await ask(handler);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(20_000);
  expect(timeLeft()).toBe(Number.POSITIVE_INFINITY);
});

describe('An error of an endpoint', () => {
  test('becomes a problem document with its reason if it is a RequestError.', async () => {
    const handler = endpoint({}, async () => {
      throw new RequestError('tag_not_found', 'No such tag.', {
        fieldErrors: [{ path: '/tagIds/0', code: 'tag_not_found', message: 'does not exist in this workspace' }],
      });
    });
    const response = await ask(handler);
    expectProblem(response, {
      status: 422,
      code: 'tag_not_found',
      errors: [{ path: '/tagIds/0', code: 'tag_not_found', message: 'does not exist in this workspace' }],
    });
    expect(response.body.detail).toBe('No such tag.');
    expect(console.error).not.toHaveBeenCalled();
  });

  test.for([
    ['an error', new TypeError('secret of the inside')],
    [
      'an error of the store',
      Object.assign(new Error('secret'), { name: 'ValidationException', code: 'secret', statusCode: 400 }),
    ],
    ['an error that has a status', Object.assign(new Error('secret'), { statusCode: 418, expose: true })],
    ['a text', 'secret'],
    ['an object', { statusCode: 200, body: 'secret' }],
    ['null', null],
    ['nothing', undefined],
  ] as const)('of any other kind becomes a 500 without details: %s.', async ([, thrown]) => {
    const handler = endpoint({}, async () => {
      throw thrown;
    });
    const response = await ask(handler);
    expectProblem(response, { status: 500, code: 'internal_error' });
    expect(JSON.stringify(response)).not.toMatch(/secret|TypeError|endpoint\.test/);
  });

  test('If the stage has an access log, each request is logged, with its ids and the network of its address, whatever its response.', async () => {
    vi.stubEnv('ACCESS_LOGS', 'on');
    const log = vi.spyOn(console, 'info').mockReturnValue();
    const handler = endpoint({ body }, async () => {
      throw new TypeError('broken');
    });
    await ask(handler, {
      headers: { Authorization: 'Bearer lk_secret', 'Content-Type': 'application/json' },
      body: { name: 'top-secret' },
    });
    vi.unstubAllEnvs();
    const [[line] = [], ...others] = log.mock.calls;
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      message: 'access',
      requestId: 'request-1',
      workspaceId: 'ws_caller',
      keyId: 'key_caller',
      status: 500,
    });
    expect(JSON.stringify(line)).not.toMatch(/secret/);
  });

  test("An internal error is logged once, with the ids of its request, workspace and key, and without the request's values.", async () => {
    const handler = endpoint({ body }, async () => {
      throw new TypeError('broken');
    });
    await ask(handler, {
      body: { name: 'top-secret' },
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer lk_secret', Cookie: 'secret' },
    });
    expect(vi.mocked(console.error).mock.calls).toEqual([
      [
        {
          message: 'unexpected error',
          requestId: 'request-1',
          workspaceId: 'ws_caller',
          keyId: 'key_caller',
          name: 'TypeError',
          stack: expect.stringContaining('TypeError: broken'),
        },
      ],
    ]);
    expect(JSON.stringify(vi.mocked(console.error).mock.calls)).not.toContain('secret');
  });
});
