import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endpoint } from '../../../lambdas/http/endpoint.ts';
import { reply } from '../../../lambdas/http/reply.ts';
import { apiEvent, ask, expectProblem } from '../../support/http/api-event.ts';

beforeEach(() => {
  vi.stubEnv('PERMISSION', 'tags:write');
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const handle = vi.fn(async () => reply(200, {}));
const handler = endpoint({}, handle);

test.for(['tags:write', 'links:read tags:write', 'tags:write links:read domains:read'])(
  'A key that has the permissions %j passes.',
  async (permissions) => {
    expect(await ask(handler, { permissions })).toMatchObject({ status: 200 });
  },
);

test.for([
  '',
  ' ',
  'tags:read',
  'links:write tags:read',
  'tags:writer',
  'xtags:write',
  'TAGS:WRITE',
  'tags:write,links:read',
  'tags',
  '*',
])('A key that has only the permissions %j is refused, and the response names the missing one.', async (permissions) => {
  handle.mockClear();
  const response = await ask(handler, { permissions });
  expectProblem(response, { status: 403, code: 'forbidden' });
  expect(response.body.detail).toContain('tags:write');
  expect(handle).not.toHaveBeenCalled();
});

test('A request without an authorizer is never handled.', async () => {
  handle.mockClear();
  const event = apiEvent();
  const response = await ask(handler, { ...event, requestContext: { ...event.requestContext, authorizer: null } } as never);
  expectProblem(response, { status: 500, code: 'internal_error' });
  expect(handle).not.toHaveBeenCalled();
});

test('An endpoint without a permission in its deployment refuses every key.', async () => {
  handle.mockClear();
  vi.stubEnv('PERMISSION', '');
  expectProblem(await ask(handler, { permissions: '' }), { status: 500, code: 'internal_error' });
  expect(handle).not.toHaveBeenCalled();
});
