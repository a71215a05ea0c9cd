import { beforeAll, describe, expect, test } from 'vitest';
import type { ImportEntry } from '../../../../lambdas/core/link/import.ts';
import { withDeadline } from '../../../../lambdas/runtime/deadline.ts';
import type { Lease } from '../../../../lambdas/store/idempotency/leased.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { type ExecutionArguments, executeOnceOn, newRequest, nothing, recordOf } from '../../../support/store/repeatable.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const executeOnce = <R extends NonNullable<unknown>>(...[request, prepare, work]: ExecutionArguments<R>) =>
  executeOnceOn(store)(request, prepare, work);

/** Makes a lease expire. */
const lapse = async (workspaceId: string) =>
  store.updateItem(await recordOf(store, workspaceId), { text: 'SET #leaseUntil = :past', values: { ':past': 1 } });

describe('A request with a key', () => {
  test('A request is carried out once, and its retries get the recorded outcome without preparation.', async () => {
    const request = newRequest();
    let runs = 0;
    const work = async () => ({ run: ++runs });
    expect(await executeOnce(request, nothing, work)).toEqual({ run: 1 });
    const refuse = async () => {
      throw new Error('prepared again');
    };
    expect(await executeOnce(request, refuse, work)).toEqual({ run: 1 });
    expect(runs).toBe(1);
  });

  test('A request that is sent ten times at once is carried out once.', async () => {
    const request = newRequest();
    let runs = 0;
    const work = async () => {
      await store.getItem({ pk: 'LINK#nowhere', sk: 'LINK' });
      return { run: ++runs };
    };
    const results = await Promise.all(Array.from({ length: 10 }, () => executeOnce(request, nothing, work)));
    expect(runs).toBe(1);
    expect(results).toEqual(Array.from({ length: 10 }, () => ({ run: 1 })));
  });

  test('A request with the same key and another body is refused, even while the first one runs.', async () => {
    const request = newRequest();
    await executeOnce(request, nothing, async () => {
      await expect(executeOnce({ ...request, body: 'other' }, nothing, async () => 'second')).rejects.toMatchObject({
        code: 'idempotency_key_reused',
      });
      return 'first';
    });
    await expect(executeOnce({ ...request, body: 'other' }, nothing, async () => 'third')).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  test('The same key is independent in another workspace and for another operation.', async () => {
    const request = newRequest();
    const results = await Promise.all(
      [request, { ...request, workspaceId: 'ws_other' }, { ...request, operation: 'other' }].map((one, position) =>
        executeOnce(one, nothing, async () => position),
      ),
    );
    expect(results).toEqual([0, 1, 2]);
  });

  test('A record is valid for exactly 24 hours, even if its time to live has not removed it yet.', async () => {
    const request = newRequest();
    await executeOnce(request, nothing, async () => 'first');
    const expiresAt = request.receivedAt + 24 * 60 * 60 * 1_000;
    expect(await recordOf(store, request.workspaceId)).toMatchObject({ expiresAt, ttl: Math.ceil(expiresAt / 1_000) });
    const at = (receivedAt: number) => executeOnce({ ...request, receivedAt }, nothing, async () => 'second');
    expect(await at(expiresAt - 1)).toBe('first');
    expect(await at(expiresAt)).toBe('second');
  });

  test('A request that its preparation refuses leaves no record behind.', async () => {
    const request = newRequest();
    const refuse = async () => {
      throw new Error('no');
    };
    await expect(executeOnce(request, refuse, async () => 'first')).rejects.toThrow('no');
    expect(await executeOnce({ ...request, body: 'other' }, nothing, async () => 'second')).toBe('second');
  });

  test('A request gives up waiting for one that keeps running, and says when to retry.', async () => {
    const request = newRequest();
    await executeOnce(request, nothing, async () => {
      const waiting = withDeadline(6_500, () => executeOnce(request, nothing, async () => 'second'));
      await expect(waiting).rejects.toMatchObject({ code: 'idempotency_in_progress', retryAfter: expect.any(Number) });
      return 'first';
    });
  });
});

describe('A request whose function died', () => {
  const died = new Error('the function died');

  test('A request is taken over once its lease has expired, with the same id, salt and date, and marked as resumed.', async () => {
    const request = newRequest();
    const leases: Lease[] = [];
    const run = executeOnce(request, nothing, async (lease) => {
      leases.push(lease);
      throw died;
    });
    await expect(run).rejects.toBe(died);
    await lapse(request.workspaceId);
    await executeOnce(request, nothing, async (lease) => {
      leases.push(lease);
      return 'done';
    });
    const [first, second] = leases;
    expect(second).toMatchObject({ requestId: first?.requestId, salt: first?.salt, createdAt: first?.createdAt, resumed: true });
    expect(first?.resumed).toBe(false);
  });

  test('A function that resumes too late returns the outcome of the one that took over, and does not overwrite it.', async () => {
    const request = newRequest();
    let takenOver: unknown;
    const result = await executeOnce(request, nothing, async () => {
      await lapse(request.workspaceId);
      takenOver = await executeOnce(request, nothing, async () => 'theirs');
      return 'ours';
    });
    expect([takenOver, result]).toEqual(['theirs', 'theirs']);
    expect(JSON.parse(String((await recordOf(store, request.workspaceId)).result))).toBe('theirs');
  });

  test('However many writes the function made before it died, a retry creates all links, each exactly once.', async () => {
    const count = 110;
    const dieAfter = async (survived: number) => {
      const workspace = await store.newWorkspace();
      const entries: ImportEntry[] = Array.from({ length: count }, (_, index) => ({
        index,
        url: `https://example.org/${index}`,
        ...(index % 3 === 0 && { customSlug: `slug-${index}` }),
      }));
      const request = newRequest({ workspaceId: workspace.workspaceId });
      const importAll = (lease: Lease) => store.createLinks(workspace.domain, entries, new Map(), lease);
      let writes = 0;
      // After this many writes no call succeeds any more, as for a killed function.
      const killed = ({ command }: { command: string }) => {
        if (command === 'BatchExecuteStatement' || command === 'UpdateItem') writes++;
        return writes > survived ? 'lost-before' : undefined;
      };
      const dying = () => withDeadline(3_000, () => executeOnce(request, nothing, importAll)).catch(() => {});
      await underFaults(killed, dying);
      const [record] = await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspace.workspaceId}`, skPrefix: 'REQUEST#' }));
      if (record && record.result === undefined) {
        await store.updateItem(record as never, { text: 'SET #leaseUntil = :past', values: { ':past': 1 } });
      }
      const outcomes = await executeOnce(request, nothing, importAll);
      expect(Object.values(outcomes).filter((outcome) => 'id' in outcome)).toHaveLength(count);
      const links = await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspace.workspaceId}#LINKS` }));
      expect(links).toHaveLength(count);
    };
    // In parallel, because dying functions retry until their time is over.
    await Promise.all([0, 1, 2, 3, 4, 5, 6].map(dieAfter));
  });
});
