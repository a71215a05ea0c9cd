import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { callEndpoint, type EndpointCall } from '../../support/http/invoke.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { unknownLink } from '../../support/things/links.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => vi.restoreAllMocks());

const second = 1_000;
const hour = 60 * 60 * second;
const realNow = Date.now;

type Workspace = Awaited<ReturnType<Store['newWorkspace']>>;

/** Sends requests that the gateway receives so long after the beginning, to functions whose clocks are wrong. */
function sendingTo({ workspaceId }: Workspace, begun: number) {
  return async (name: string, skew: number, after: number, call: Partial<EndpointCall> = {}) => {
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + skew);
    return callEndpoint(name, { workspaceId, ...call, receivedAt: begun + after });
  };
}

const skews = [-25 * hour, -hour, hour, 25 * hour];

test.for(skews)(
  'Functions with clocks that are wrong by %i ms let 3 bulk requests pass in 60 seconds, and GET /me says what is left.',
  async (skew) => {
    // All of them have been received by now.
    const send = sendingTo(await store.newWorkspace(), realNow() - 120 * second);
    const bulk = async (after: number) => (await send('bulk-delete-links', skew, after, { body: { ids: [unknownLink] } })).status;
    const left = async (after: number) => (await send('get-me', skew, after)).body.limits.bulkRequests;
    expect([await bulk(0), await bulk(0), await bulk(second)]).toEqual([200, 200, 200]);
    expect(await left(second)).toMatchObject({ remaining: 0, resetSeconds: 59 });
    expect(await bulk(60 * second - 1)).toBe(429);
    expect(await left(60 * second - 1)).toMatchObject({ remaining: 0, resetSeconds: 1 });
    expect(await left(60 * second)).toMatchObject({ remaining: 2, resetSeconds: 1 });
    expect([await bulk(60 * second), await bulk(60 * second), await bulk(60 * second)]).toEqual([200, 200, 429]);
  },
);
