import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { useStore } from '../../support/store/store.ts';

// The limit on attempts of an address, without a provider: an allowed attempt finds no provider.

beforeAll(async () => {
  await useStore();
  process.env.SIGN_IN = JSON.stringify({ issuer: 'http://127.0.0.1:1', clientId: 'links', scope: 'openid' });
  process.env.WEBHOOK_LOOPBACK = 'allowed';
});

beforeEach(() => {
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockReturnValue();
});

/** Not in the past, because the table's clock must not be behind. */
const start = Date.now() - 120_000;

/** Visits `/sign-in` from an address. @returns how many visits passed, and how many were refused */
async function visit(sourceIp: string, times: number, at = start) {
  const { handler } = await import('../../../lambdas/sign-in/sign-in.ts');
  let calls = 0;
  const stop = intercept((_, input, next) => {
    calls++;
    return next(input);
  });
  const requestContext = {
    requestId: 'r',
    requestTimeEpoch: at,
    path: '/sign-in',
    identity: { sourceIp },
    domainName: 'localhost',
  };
  const event = {
    httpMethod: 'GET',
    resource: '/sign-in',
    headers: { 'X-Forwarded-Proto': 'https', Host: 'localhost' },
    requestContext,
  };
  const answers = await Promise.all(Array.from({ length: times }, () => handler(event as never, contextWith(10_000))));
  stop();
  const count = (status: number) => answers.filter(({ statusCode }) => statusCode === status).length;
  return { attempts: count(503), refused: count(429), calls };
}

test('An address without attempts left costs no call of the table until it has one again, and does not use up those of others.', async () => {
  const [flood, other] = ['192.0.2.1', '2001:db8::1'];
  expect(await visit(flood, 40)).toMatchObject({ attempts: 30, refused: 10 });
  expect(await visit(flood, 200, start + 59_999)).toEqual({ attempts: 0, refused: 200, calls: 0 });
  expect(await visit(other, 1)).toEqual({ attempts: 1, refused: 0, calls: 1 });
  expect(await visit(flood, 1, start + 60_000)).toMatchObject({ attempts: 1, refused: 0 });
});

test('A header that must be sent once is no failure of the service if it is sent twice.', async () => {
  const errors = vi.spyOn(console, 'error').mockReturnValue();
  const { handler } = await import('../../../lambdas/sign-in/sign-in.ts');
  const identity = { sourceIp: '192.0.2.2' };
  const event = {
    httpMethod: 'GET',
    resource: '/sign-in',
    multiValueHeaders: { 'Sec-Fetch-Dest': ['document', 'image'] },
    requestContext: { requestId: 'r', requestTimeEpoch: start, path: '/sign-in', identity, domainName: 'localhost' },
  };
  expect(await handler(event as never, contextWith(10_000))).toMatchObject({ statusCode: 403 });
  expect(errors).not.toHaveBeenCalled();
});
