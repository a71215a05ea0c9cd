import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { callEndpoint, type EndpointCall } from '../../support/http/invoke.ts';
import { type Store, useStore } from '../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => vi.restoreAllMocks());

const second = 1_000;
const hour = 60 * 60 * second;
const day = 24 * hour;
const realNow = Date.now;
const url = 'https://example.org/';

type Workspace = Awaited<ReturnType<Store['newWorkspace']>>;

/** Sends requests, which the gateway receives `after` the beginning, to functions with wrong clocks. */
function sendingTo({ workspaceId }: Workspace, begun: number) {
  return async (name: string, skew: number, after: number, call: Partial<EndpointCall> = {}) => {
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + skew);
    return callEndpoint(name, { workspaceId, ...call, receivedAt: begun + after });
  };
}

/** The requests that take an Idempotency-Key. */
const requests: Readonly<Record<string, (workspace: Workspace) => object>> = {
  'bulk-create-links': ({ domain }) => ({ domain: domain.host, links: [{ url }] }),
  'create-link': ({ domain }) => ({ domain: domain.host, url }),
  'create-webhook': () => ({ url, events: ['link.created'] }),
  'create-webhook-secret': () => ({}),
};

const skews = [-25 * hour, -hour, hour, 25 * hour];

describe.for(Object.keys(requests))('%s', (name) => {
  const pairs = [...skews.flatMap((skew) => [[skew, 0] as const, [0, skew] as const]), [25 * hour, -25 * hour] as const];

  test.for(pairs)(
    'If clocks are wrong by %i ms at the first attempt and by %i ms at the others, the service remembers the key for 24 hours, and not longer.',
    async ([first, others]) => {
      const workspace = await store.newWorkspace();
      const send = sendingTo(workspace, realNow());
      const call = { headers: { 'Idempotency-Key': 'key' }, body: requests[name]?.(workspace) };
      const made = await send(name, first, 0, call);
      expect(made.status).toBeLessThan(300);
      const again = async (after: number) => (await send(name, others, after, call)).body;
      expect(await again(0)).toEqual(made.body);
      expect(await again(day - 1)).toEqual(made.body);
      expect(await again(day)).not.toEqual(made.body);
    },
  );
});

test.for(skews)(
  'Functions with clocks that are wrong by %i ms allow 3 imports in 60 seconds, and GET /me says how many are left.',
  async (skew) => {
    // All requests were received in the past.
    const workspace = await store.newWorkspace();
    const send = sendingTo(workspace, realNow() - 120 * second);
    const body = requests['bulk-create-links']?.(workspace);
    const bulk = async (after: number) => (await send('bulk-create-links', skew, after, { body })).status;
    const left = async (after: number) => (await send('get-me', skew, after)).body.limits.bulkRequests;
    expect([await bulk(0), await bulk(0), await bulk(second)]).toEqual([200, 200, 200]);
    expect(await left(second)).toMatchObject({ remaining: 0, resetSeconds: 59 });
    expect(await bulk(60 * second - 1)).toBe(429);
    expect(await left(60 * second - 1)).toMatchObject({ remaining: 0, resetSeconds: 1 });
    expect(await left(60 * second)).toMatchObject({ remaining: 2, resetSeconds: 1 });
    expect([await bulk(60 * second), await bulk(60 * second), await bulk(60 * second)]).toEqual([200, 200, 429]);
  },
);
