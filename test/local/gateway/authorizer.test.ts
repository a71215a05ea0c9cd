import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventIn, startFixture, synthFixture } from '../../support/laptop/local-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'local-test-'));
let service: Awaited<ReturnType<typeof startFixture>>;
beforeAll(async () => {
  service = await startFixture(synthFixture(folder));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const get = (token: string | undefined, path = '/things/1', method = 'GET') =>
  service.send(path, { method, ...(token && { token }) });
const contextOf = async (response: Response) => (await eventIn(response)).requestContext.authorizer ?? {};

/** The fixture's own status for UNAUTHORIZED. */
const unauthorized = 418;

describe('The authorizer', () => {
  it.each([
    ['without a token', undefined, unauthorized, 'UNAUTHORIZED'],
    ['whose token has the wrong format', 'Bearer allow', unauthorized, 'UNAUTHORIZED'],
    ['whose token has the right format only in part', 'Token allow-a b', unauthorized, 'UNAUTHORIZED'],
    ['whose authorizer throws Unauthorized', 'Token unauthorized', unauthorized, 'UNAUTHORIZED'],
    ['whose authorizer throws something else', 'Token other', 500, '"own"'],
    ['whose authorizer crashes', 'Token exit', 500, '"own"'],
    ['whose authorizer takes too long', 'Token wait', 500, '"own"'],
    ['whose policy denies', 'Token deny', 403, 'not authorized to access'],
    ['whose policy allows and denies', 'Token both', 403, 'not authorized to access'],
    ['whose policy is for something else', 'Token single', 200, '"event"'],
    ['whose authorizer returns nothing', 'Token nothing', 500, '"own"'],
    ['whose authorizer names nobody', 'Token nobody', 500, '"own"'],
    ['whose authorizer nests its context', 'Token nested', 500, '"own"'],
    ['whose policy has an unsupported condition', 'Token conditional', 500, '"own"'],
    ['whose policy allows it', 'Token allow', 200, '"event"'],
  ])('A request $0 gets the status $2 from the gateway.', async (_, token, status, text) => {
    const response = await get(token);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
  });

  it('A question mark in a policy stands for exactly one character.', async () => {
    expect((await get('Token single-q', '/things/1')).status).toBe(200);
    expect((await get('Token single-q', '/things/12')).status).toBe(403);
  });

  it("The authorizer gives the function the caller's identity, in strings.", async () => {
    expect(await contextOf(await get('Token allow'))).toEqual({
      principalId: 'somebody',
      call: expect.any(String),
      number: '7',
      yes: 'true',
    });
  });

  it('A method without an authorizer needs no token.', async () => {
    expect((await get(undefined, '/open')).status).toBe(200);
  });
});

describe("The authorizer's cache", () => {
  it('The cache saves calls for a token until it expires.', async () => {
    const first = await contextOf(await get('Token allow-ttl'));
    expect(await contextOf(await get('Token allow-ttl'))).toEqual(first);
    await vi.waitFor(async () => expect((await contextOf(await get('Token allow-ttl'))).call).not.toBe(first.call), 10_000);
  });

  it('The cache keeps tokens apart.', async () => {
    const [one, other] = await Promise.all(
      ['Token allow-one', 'Token allow-other'].map(async (token) => contextOf(await get(token))),
    );
    expect(one?.call).not.toBe(other?.call);
  });

  it('The cache makes one call for 20 first requests at once.', async () => {
    const contexts = await Promise.all(Array.from({ length: 20 }, async () => contextOf(await get('Token allow-many'))));
    expect(new Set(contexts.map(({ call }) => call)).size).toBe(1);
  });

  it('The cache keeps the policy, so a policy for only the first path refuses the next one.', async () => {
    expect((await get('Token only-a', '/things/1')).status).toBe(200);
    expect((await get('Token only-a', '/things/2')).status).toBe(403);
    expect((await get('Token only-a', '/things/1', 'DELETE')).status).toBe(403);
  });

  it('The cache does not keep errors.', async () => {
    const failures = () => service.lines.filter((line) => line.includes('no such wish: again')).length;
    const before = failures();
    await get('Token again');
    await get('Token again');
    expect(failures()).toBe(before + 4); // Each in the function's log and in the gateway's.
  });
});

describe('A method that needs an API key', () => {
  const post = (token: string) => service.send('/limited', { method: 'POST', token });

  it('The method is refused if the authorizer names no key.', async () => {
    const response = await post('Token nokey');
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'Forbidden' });
  });

  it('The method is throttled per key once the burst is used up, however many requests come at once.', async () => {
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await post('Token allow-a')).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    expect((await post('Token allow-b')).status).toBe(200);
    expect((await get('Token allow-a')).status).toBe(200);
  });
});
