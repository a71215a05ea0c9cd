import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { answering, type FakeDynamoDb, startFakeDynamoDb } from '../../support/store/fake-dynamodb.ts';
import { visit } from '../../support/things/visit.ts';

let fake: FakeDynamoDb;
beforeAll(async () => {
  fake = await startFakeDynamoDb();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: fake.endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    TABLE_NAME: 'table',
    SHORT_URL_ORIGIN: 'https://{domain}',
  });
});
afterAll(() => fake.stop());
afterEach(() => {
  vi.useRealTimers();
});

test('A visitor whose function has only dead connections gets a response after half a second.', async () => {
  const dead = new Set<number | undefined>();
  fake.react((response, request) => {
    dead.add(request.message.socket.remotePort);
    answering(200)(response, request);
  });
  expect(await visit({ host: 'first.example.com', path: '/a' })).toMatchObject({ statusCode: 404 });
  // The reads of the domain and of the list of blocked hosts.
  expect(dead.size).toBe(2);

  const { promise: attempted, resolve } = Promise.withResolvers<void>();
  const wasDead: boolean[] = [];
  fake.react((response, request) => {
    wasDead.push(dead.has(request.message.socket.remotePort));
    resolve();
    if (!wasDead.at(-1)) answering(200)(response, request);
  });
  // The transport's own connections, not those of Node's HTTP.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const visited = visit({ host: 'second.example.com', path: '/a' });
  await attempted;
  await vi.advanceTimersByTimeAsync(500);
  vi.useRealTimers();
  await expect.poll(() => wasDead).toEqual([true, false]);
  expect(await visited).toMatchObject({ statusCode: 404 });
});
