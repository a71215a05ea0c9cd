import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import { contextWith } from '../../support/http/invoke.ts';

// A stand-in for API Gateway's own API, with as many keys as a test sets.

let keys = 0;
const asked: string[] = [];
const gateway = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://gateway');
  asked.push(`${request.method} ${pathname} ${searchParams.get('includeValues')}`);
  const from = Number(searchParams.get('position') ?? 0);
  const to = Math.min(from + Number(searchParams.get('limit')), keys);
  const item = Array.from({ length: to - from }, (_, index) => ({ id: `key${from + index}` }));
  response.writeHead(200, { 'Content-Type': 'application/hal+json' });
  response.end(JSON.stringify({ item, ...(to < keys && { position: String(to) }) }));
});

beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_ENDPOINT_URL_API_GATEWAY', `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`);
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'local');
  vi.stubEnv('AWS_REGION', 'eu-central-1');
});
afterAll(() => {
  gateway.close();
  vi.unstubAllEnvs();
});
afterEach(() => {
  vi.restoreAllMocks();
  asked.length = 0;
});

test.for([
  [0, false],
  [500, false],
  [8_999, false],
  [9_000, true],
  [9_501, true],
] as const)('Of %d gateway keys, all are counted, and from 9,000 on the operator is warned: %s.', async ([number, isWarned]) => {
  keys = number;
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  const { handler } = await import('../../../lambdas/events/count-gateway-keys.ts');
  expect(await handler({}, contextWith(20_000))).toEqual({ keys: number });
  expect(log.mock.calls).toEqual(isWarned ? [[{ message: alarming.fewGatewayKeysLeft, keys: number }]] : []);
});

test('The function does not request the values of the keys.', async () => {
  keys = 600;
  const { handler } = await import('../../../lambdas/events/count-gateway-keys.ts');
  await handler({}, contextWith(20_000));
  expect(asked).toEqual(['GET /apikeys null', 'GET /apikeys null']);
});
