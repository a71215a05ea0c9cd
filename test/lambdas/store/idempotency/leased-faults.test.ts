import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { RequestError } from '../../../../lambdas/core/errors.ts';
import { withDeadline } from '../../../../lambdas/runtime/deadline.ts';
import { type Fault, underFaults } from '../../../support/faults/faults.ts';
import { type ExecutionArguments, executeOnceOn, newRequest, nothing, recordOf } from '../../../support/store/repeatable.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The interval of renewals and the duration of a lease, in milliseconds. */
const renewalMs = 1_500;
const leaseMs = 5_000;

const executeOnce = <R extends NonNullable<unknown>>(...[request, prepare, work]: ExecutionArguments<R>) =>
  executeOnceOn(store)(request, prepare, work);

type Request = ReturnType<typeof newRequest>;
const setLease = async (request: Request, until: number) =>
  store.updateItem(await recordOf(store, request.workspaceId), { text: 'SET #leaseUntil = :until', values: { ':until': until } });

/** From here on, only `nextRenewal` advances the time of intervals; all other clocks run. */
const holdIntervals = () => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
const nextRenewal = () => vi.advanceTimersByTimeAsync(renewalMs);

const renewed = (request: Request) =>
  vi.waitFor(
    async () => expect(Number((await recordOf(store, request.workspaceId)).leaseUntil)).toBeGreaterThan(Date.now() + leaseMs / 2),
    {
      interval: 20,
    },
  );

describe('A lost response to a write of the record', () => {
  /** Injects the fault into one call of this command, after `through` of them have succeeded. */
  const losing = (command: string, fault: Fault, through = 0) => {
    let seen = 0;
    return (attempt: { command: string }) => (attempt.command === command && seen++ === through ? fault : undefined);
  };

  /** Allows less time than it takes to wait for a lease to expire. */
  const withoutWaiting = <T>(work: () => Promise<T>) => withDeadline(5_500, work);

  const faults: Fault[] = ['lost-before', 'lost-after'];

  test.for(faults)("If the record's creation meets the fault %s, the work is done once, as new work.", async (fault) => {
    const request = newRequest();
    let runs = 0;
    const { result, commands } = await underFaults(losing('PutItem', fault), () =>
      withoutWaiting(() => executeOnce(request, nothing, async ({ resumed }) => ({ run: ++runs, resumed }))),
    );
    expect([result, runs]).toEqual([{ run: 1, resumed: false }, 1]);
    expect(commands.filter((command) => command === 'PutItem')).toHaveLength(2);
    expect(await executeOnce(request, nothing, async () => ({ run: ++runs }))).toEqual({ run: 1, resumed: false });
  });

  test.for(faults)(
    'If a takeover of the record meets the fault %s, the work is done once, by the request that took over.',
    async (fault) => {
      const request = newRequest();
      await expect(executeOnce(request, nothing, () => Promise.reject(new Error('died')))).rejects.toThrow('died');
      let runs = 0;
      const { result } = await underFaults(losing('UpdateItem', fault), () =>
        withoutWaiting(() => executeOnce(request, nothing, async ({ resumed }) => ({ run: ++runs, resumed }))),
      );
      expect([result, runs]).toEqual([{ run: 1, resumed: true }, 1]);
      expect(await executeOnce(request, nothing, async () => ({ run: ++runs }))).toEqual({ run: 1, resumed: true });
    },
  );

  test.for(faults)(
    'If the completion of the record meets the fault %s, the outcome is recorded and returned to retries.',
    async (fault) => {
      const request = newRequest();
      let runs = 0;
      const { result } = await underFaults(losing('UpdateItem', fault), () =>
        executeOnce(request, nothing, async () => ({ run: ++runs })),
      );
      expect(result).toEqual({ run: 1 });
      expect(await executeOnce(request, nothing, async () => ({ run: ++runs }))).toEqual({ run: 1 });
    },
  );

  test.for(faults)('If a renewal of the lease meets the fault %s, the lease is kept.', async (fault) => {
    const request = newRequest();
    holdIntervals();
    const { result } = await underFaults(losing('UpdateItem', fault, 1), () =>
      executeOnce(request, nothing, async () => {
        await setLease(request, Date.now() + 10);
        await nextRenewal();
        await renewed(request);
        return 'done';
      }),
    );
    expect(result).toBe('done');
  });
});

describe('A lease', () => {
  test('A lease is renewed while its request runs, so that no other request takes over, and not afterwards.', async () => {
    const request = newRequest();
    holdIntervals();
    const first = await executeOnce(request, nothing, async () => {
      const { owner } = await recordOf(store, request.workspaceId);
      for (let renewal = 0; renewal < 3; renewal++) {
        await setLease(request, Date.now() + 10);
        await nextRenewal();
        await renewed(request);
      }
      return String(owner);
    });
    const { leaseUntil, owner } = await recordOf(store, request.workspaceId);
    expect(owner).toBe(first);
    expect(vi.getTimerCount()).toBe(0);
    await nextRenewal();
    expect((await recordOf(store, request.workspaceId)).leaseUntil).toBe(leaseUntil);
  });

  test.for([
    ['comes to a result', (): Promise<string> => Promise.resolve('ours')],
    ['fails', (): Promise<string> => Promise.reject(new RequestError('tag_not_found', 'no'))],
  ] as const)('A function that %s after another has taken its lease returns the outcome of the other.', async ([, end]) => {
    const request = newRequest();
    const result = await executeOnce<string>(request, nothing, async () => {
      await setLease(request, 1);
      expect(await executeOnce<string>(request, nothing, async () => 'theirs')).toBe('theirs');
      return end();
    });
    expect(result).toBe('theirs');
    expect(JSON.parse(String((await recordOf(store, request.workspaceId)).result))).toBe('theirs');
  });

  test('A request that fails releases its lease, so that a retry starts at once.', async () => {
    const request = newRequest();
    await expect(executeOnce(request, nothing, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect((await recordOf(store, request.workspaceId)).leaseUntil).toBe(0);
    const start = Date.now();
    expect(await executeOnce(request, nothing, async ({ resumed }) => resumed)).toBe(true);
    expect(Date.now() - start).toBeLessThan(leaseMs / 5);
  });
});

describe('A second request while the first runs', () => {
  /** Sends the second request as soon as the first runs, and ends the first once the second waits for it. */
  const beside = async (endOfFirst: () => Promise<string>) => {
    const request = newRequest();
    const runs: string[] = [];
    let second: Promise<string> | undefined;
    const first = executeOnce(request, nothing, async () => {
      runs.push('first');
      const prepare = async () => void runs.push('second prepared');
      const looked = Promise.withResolvers<void>();
      const looking = underFaults(
        ({ index }) => void (index === 1 && looked.resolve()),
        () => executeOnce(request, prepare, async () => `second, after ${runs.join()}`),
      );
      second = looking.then(({ result }) => result);
      // By its second read it has found the lease held, and waited.
      await looked.promise;
      expect(runs).toEqual(['first']);
      return endOfFirst();
    });
    return { first, secondResult: async () => second, runs };
  };

  test('The second request gets the outcome of the first.', async () => {
    const { first, secondResult, runs } = await beside(async () => 'outcome of the first');
    expect([await first, await secondResult()]).toEqual(['outcome of the first', 'outcome of the first']);
    expect(runs).toEqual(['first']);
  });

  test('The second request does the work itself if the first fails.', async () => {
    const { first, secondResult } = await beside(() => Promise.reject(new Error('no')));
    await expect(first).rejects.toThrow('no');
    expect(await secondResult()).toBe('second, after first,second prepared');
  });
});

test('Links that were deleted since, and slugs that others have taken, do not change a recorded outcome.', async () => {
  const workspace = await store.newWorkspace();
  const request = newRequest({ workspaceId: workspace.workspaceId });
  const entries = ['one', 'two'].map((customSlug, index) => ({ index, url: `https://example.org/${index}`, customSlug }));
  const importAll = (lease: Parameters<Store['createLinks']>[3]) =>
    store.createLinks(workspace.domain, entries, new Map(), lease);
  const outcomes = await executeOnce(request, nothing, importAll);

  const linkKeys = Object.values(outcomes).map((outcome) => ({
    pk: `LINK#${'id' in outcome ? outcome.id.slice(4, 26) : ''}`,
    sk: 'LINK',
  }));
  for (const key of linkKeys) await store.deleteItem(key);
  const successors = await store.createLinks(workspace.domain, entries.slice(1), new Map(), store.newLease());
  const left = await store.getItems(linkKeys);
  expect(left.map((item) => item?.id)).toEqual([undefined, successors[1] && 'id' in successors[1] && successors[1].id]);

  expect(await executeOnce(request, nothing, importAll)).toEqual(outcomes);
  expect(await store.getItems(linkKeys)).toEqual(left);
});
