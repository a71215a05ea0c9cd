import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { withDeadline, withinInvocation, withinVisit } from '../../../../lambdas/runtime/deadline.ts';
import { domainKey } from '../../../../lambdas/store/table/keys.ts';
import { GetItem, send } from '../../../../lambdas/store/table/lean-transport.ts';
import { connectionTimeout } from '../../../../lambdas/store/table/operations.ts';
import { getItem } from '../../../../lambdas/store/table/reads.ts';
import { putItem } from '../../../../lambdas/store/table/writes.ts';
import { patience } from '../../../support/run/patience.ts';
import { answering, type FakeDynamoDb, startFakeDynamoDb } from '../../../support/store/fake-dynamodb.ts';

let sdk: typeof import('../../../../lambdas/store/table/sdk-transport.ts');
let fake: FakeDynamoDb;
beforeAll(async () => {
  fake = await startFakeDynamoDb();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: fake.endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    TABLE_NAME: 'table',
  });
  sdk = await import('../../../../lambdas/store/table/sdk-transport.ts');
});
afterAll(() => fake.stop());

/** Advances each clock, in milliseconds. */
let pass: (wall: number, steady: number) => void;
beforeEach(() => {
  // In whole milliseconds, so that rounding does not shorten a time of exactly the limit.
  let [wall, steady] = [Date.now(), (process.hrtime.bigint() / 1_000_000n) * 1_000_000n];
  vi.spyOn(Date, 'now').mockImplementation(() => wall);
  vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => steady);
  pass = (wallMs, steadyMs) => {
    wall += wallMs;
    steady += BigInt(steadyMs) * 1_000_000n;
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A connection, by the client's port. */
type Connection = number | undefined;

/** Reacts to requests by their connection. Returns the connections of the requests, in the order of arrival. */
function react(reaction: (connection: Connection) => 'answer' | 'break' | 'wait' = () => 'answer'): Connection[] {
  const used: Connection[] = [];
  fake.react((response, request) => {
    const { remotePort } = request.message.socket;
    used.push(remotePort);
    const what = reaction(remotePort);
    if (what === 'answer') answering(200)(response, request);
    if (what === 'break') response.destroy();
  });
  return used;
}

/** Makes this many requests at once, so that each opens a connection. Returns these connections, which are then free. */
async function open(count: number, request: () => Promise<unknown>): Promise<Connection[]> {
  // Older connections are not used.
  pass(100_000, 100_000);
  const used: Connection[] = [];
  const answers: (() => void)[] = [];
  fake.react((response, received) => {
    used.push(received.message.socket.remotePort);
    answers.push(() => answering(200)(response, received));
    if (answers.length === count) for (const answer of answers) answer();
  });
  await Promise.all(Array.from({ length: count }, request));
  return used;
}

const key = domainKey('example.com');
const item = { TableName: 'table', Key: key };
const plenty = { timeLeft: 60_000 };

describe.for([
  ['without the SDK', () => send(GetItem, item, plenty)],
  ['with the SDK', () => sdk.send(sdk.GetItem, item, plenty)],
] as const)('A connection %s', ([, request]) => {
  test.for([
    [44_999, 44_999],
    [44_999, 0],
  ] as const)('It is used again after %i ms by the wall clock and %i by the steady one.', async ([wall, steady]) => {
    const opened = await open(1, request);
    const used = react();
    pass(wall, steady);
    await request();
    expect(used).toEqual(opened);
  });

  test.for([
    [45_000, 45_000],
    [45_000, 0],
    [0, 45_000],
    [-1, 1],
  ] as const)('It is not used again after %i ms by the wall clock and %i by the steady one.', async ([wall, steady]) => {
    const opened = await open(2, request);
    const used = react();
    pass(wall, steady);
    await Promise.all([request(), request()]);
    expect(used.filter((one) => opened.includes(one))).toEqual([]);
    // New connections are used.
    await request();
    expect(used.slice(0, 2)).toContain(used[2]);
  });

  test('Each connection has its own age, so that those that are used more often are kept longer.', async () => {
    const opened = await open(3, request);
    const used = react();
    pass(30_000, 30_000);
    await request();
    pass(30_000, 30_000);
    await Promise.all([request(), request(), request()]);
    expect(opened).toContain(used[0]);
    expect(used.slice(1).filter((one) => opened.includes(one))).toEqual([used[0]]);
  });

  test('It is not used again if another one broke, because it may be dead, too.', async () => {
    const opened = await open(3, request);
    const used = react((one) => (opened.includes(one) ? 'break' : 'answer'));
    await expect(request()).rejects.toThrow();
    await request();
    expect(opened).toContain(used[0]);
    expect(opened).not.toContain(used[1]);
  });
});

describe('A server that goes silent', () => {
  const invocation = { getRemainingTimeInMillis: () => 25_000 };

  /** Work over connections that are dead. Returns when it has made its first attempt. */
  async function overDeadConnections(work: () => Promise<unknown>) {
    const dead = await open(2, () => getItem(key));
    const { promise: attempted, resolve } = Promise.withResolvers<void>();
    const used = react((one) => {
      resolve();
      return dead.includes(one) ? 'wait' : 'answer';
    });
    // The timers of a transport, not those of Node's HTTP.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const result = work();
    await attempted;
    return { dead, used, result };
  }

  test('A read of a visit gets 500 ms for its first attempt, and the second one has a new connection.', async () => {
    const read = await overDeadConnections(() => withinVisit(invocation, () => getItem(key)));
    await vi.advanceTimersByTimeAsync(499);
    // The read still waits.
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    await expect.poll(() => read.used.map((one) => read.dead.includes(one))).toEqual([true, false]);
    expect(await read.result).toBeUndefined();
  });

  test('Two reads of a visit over two dead connections wait no longer than one read.', async () => {
    const both = () => Promise.all([getItem(key), getItem(domainKey('example.org'))]);
    const reads = await overDeadConnections(() => withinVisit(invocation, both));
    await vi.waitFor(() => expect(reads.used).toHaveLength(2), patience);
    await vi.advanceTimersByTimeAsync(500);
    vi.useRealTimers();
    await expect.poll(() => reads.used.map((one) => reads.dead.includes(one))).toEqual([true, true, false, false]);
    expect(await reads.result).toEqual([undefined, undefined]);
  });

  test('The second attempt of a visit has 2 seconds, like all attempts of other reads and of writes.', async () => {
    const limits: (number | undefined)[] = [];
    const start = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((end: () => void, ms?: number) => {
      if (ms !== connectionTimeout) limits.push(ms);
      return start(end, ms);
    }) as typeof setTimeout);
    for (const work of [
      () => withinVisit(invocation, () => getItem(key)),
      () => withinVisit(invocation, () => withDeadline(10_000, () => getItem(key))),
      () => withinVisit(invocation, () => putItem({ ...key })),
      () => withinInvocation(invocation, () => getItem(key)),
    ]) {
      const used = react(() => (used.length === 1 ? 'break' : 'answer'));
      await work();
    }
    expect(limits).toEqual([500, 2_000, 500, 2_000, 2_000, 2_000, 2_000, 2_000]);
  });
});
