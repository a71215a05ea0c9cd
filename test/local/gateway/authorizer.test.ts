import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventIn, startFixture, synthFixture } from '../../support/local-fixture.ts';

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

/** The fixture's own answer to UNAUTHORIZED. */
const unauthorized = 418;

describe('a request', () => {
  it.each([
    ['without a token', undefined, unauthorized, 'UNAUTHORIZED'],
    ['whose token has not the shape', 'Bearer allow', unauthorized, 'UNAUTHORIZED'],
    ['whose token has the shape only in part', 'Token allow-a b', unauthorized, 'UNAUTHORIZED'],
    ['whose authorizer throws Unauthorized', 'Token unauthorized', unauthorized, 'UNAUTHORIZED'],
    ['whose authorizer throws something else', 'Token other', 500, '"own"'],
    ['whose authorizer crashes', 'Token exit', 500, '"own"'],
    ['whose authorizer takes too long', 'Token wait', 500, '"own"'],
    ['whose policy denies', 'Token deny', 403, 'not authorized to access'],
    ['whose policy allows and denies', 'Token both', 403, 'not authorized to access'],
    ['whose policy is for something else', 'Token single', 200, '"event"'],
    ['whose authorizer answers nothing', 'Token nothing', 500, '"own"'],
    ['whose authorizer names nobody', 'Token nobody', 500, '"own"'],
    ['whose authorizer nests its context', 'Token nested', 500, '"own"'],
    ['whose policy has a condition, which the host does not know', 'Token conditional', 500, '"own"'],
    ['whose policy allows it', 'Token allow', 200, '"event"'],
  ])('%s is answered as on AWS', async (_, token, status, text) => {
    const response = await get(token);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
  });

  it('that a question mark of the policy does not cover is denied', async () => {
    expect((await get('Token single-q', '/things/1')).status).toBe(200);
    expect((await get('Token single-q', '/things/12')).status).toBe(403);
  });

  it('tells the function who it is, in strings', async () => {
    expect(await contextOf(await get('Token allow'))).toEqual({
      principalId: 'somebody',
      call: expect.any(String),
      number: '7',
      yes: 'true',
    });
  });

  it('without an authorizer needs no token', async () => {
    expect((await get(undefined, '/open')).status).toBe(200);
  });
});

describe('the cache', () => {
  it('spares the calls for a token until its time is over', async () => {
    const first = await contextOf(await get('Token allow-ttl'));
    expect(await contextOf(await get('Token allow-ttl'))).toEqual(first);
    await vi.waitFor(async () => expect((await contextOf(await get('Token allow-ttl'))).call).not.toBe(first.call), 10_000);
  });

  it('is by token', async () => {
    const [one, other] = await Promise.all(
      ['Token allow-one', 'Token allow-other'].map(async (token) => contextOf(await get(token))),
    );
    expect(one?.call).not.toBe(other?.call);
  });

  it('joins first calls that come at the same time', async () => {
    const contexts = await Promise.all(Array.from({ length: 20 }, async () => contextOf(await get('Token allow-many'))));
    expect(new Set(contexts.map(({ call }) => call)).size).toBe(1);
  });

  it('holds the policy, so one that allows the first path alone refuses the next', async () => {
    expect((await get('Token only-a', '/things/1')).status).toBe(200);
    expect((await get('Token only-a', '/things/2')).status).toBe(403);
    expect((await get('Token only-a', '/things/1', 'DELETE')).status).toBe(403);
  });

  it('does not hold errors', async () => {
    const failures = () => service.lines.filter((line) => line.includes('no such wish: again')).length;
    const before = failures();
    await get('Token again');
    await get('Token again');
    expect(failures()).toBe(before + 4); // Each in the function's log and in the gateway's.
  });
});

describe('a method that needs an API key', () => {
  const post = (token: string) => service.send('/limited', { method: 'POST', token });

  it('is refused when the authorizer names none', async () => {
    const response = await post('Token nokey');
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'Forbidden' });
  });

  it('is throttled by key once the burst is used up, however many come at once', async () => {
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await post('Token allow-a')).status));
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    expect((await post('Token allow-b')).status).toBe(200);
    expect((await get('Token allow-a')).status).toBe(200);
  });
});
