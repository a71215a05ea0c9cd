import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endpoint } from '../../../lambdas/http/endpoint.ts';
import { reply } from '../../../lambdas/http/reply.ts';
import { ask, expectProblem } from '../../support/http/api-event.ts';

beforeEach(() => {
  vi.stubEnv('PERMISSION', 'things:write');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const expiresAt = '2030-01-02T03:04:05.678Z';
const handle = vi.fn(async () => reply(200, {}));
const handler = endpoint({}, handle);
const askAt = (time: number, sent: Parameters<typeof ask>[1] = {}) => {
  vi.useFakeTimers({ now: time, toFake: ['Date'] });
  return ask(handler, { expiresAt, ...sent });
};

test.for([86_400_000, 1])('A key passes %d ms before its expiry.', async (before) => {
  expect(await askAt(Date.parse(expiresAt) - before)).toMatchObject({ status: 200 });
});

test.for([0, 1, 59_999])(
  'A key is refused %d ms after its expiry, even if the gateway still lets it pass, before anything else is checked or done.',
  async (after) => {
    handle.mockClear();
    const response = await askAt(Date.parse(expiresAt) + after, { permissions: 'things:read', query: { x: '1' } });
    expectProblem(response, { status: 401, code: 'unauthorized', headers: { 'WWW-Authenticate': 'Bearer' } });
    expect(handle).not.toHaveBeenCalled();
  },
);

test.for([-3_600_000, 3_600_000])(
  "The time when the gateway received the request decides whether a key has expired, not the function's clock, which is wrong by %i ms.",
  async (skew) => {
    const end = Date.parse(expiresAt);
    const statusOf = async (receivedAt: number) => (await askAt(receivedAt + skew, { receivedAt })).status;
    expect([await statusOf(end - 1), await statusOf(end)]).toEqual([200, 401]);
  },
);

test.for(['', 'never', 'null'])('A key whose expiry is the unreadable %j is refused.', async (text) => {
  const response = await askAt(0, { expiresAt: text });
  expectProblem(response, { status: 401, code: 'unauthorized', headers: { 'WWW-Authenticate': 'Bearer' } });
});
