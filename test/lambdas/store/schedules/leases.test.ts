import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { sealingLeaseKey } from '../../../../lambdas/store/table/keys.ts';
import { type Fault, underFaults } from '../../../support/faults/faults.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let underLease: typeof import('../../../../lambdas/store/schedules/leases.ts').underLease;
beforeAll(async () => {
  store = await useStore();
  ({ underLease } = await import('../../../../lambdas/store/schedules/leases.ts'));
});

const leaseMs = 5_000;
const newLease = () => sealingLeaseKey(`ws_${randomBase62(16)}`);
/** A lease that another function has left. @param ms until it expires */
const leave = (key: ReturnType<typeof newLease>, ms: number) =>
  store.putItem({ ...key, owner: 'somebody', leaseUntil: Date.now() + ms });

test('Of several functions at once, one does the work, and another one can once it is done.', async () => {
  const key = newLease();
  let atWork = 0;
  // The work lasts until all others have found the lease taken, however late they are.
  const { promise: othersLeft, resolve } = Promise.withResolvers<void>();
  let left = 0;
  const work = async () => {
    atWork++;
    await othersLeft;
    return atWork;
  };
  const attempt = async () => {
    const result = await underLease(key, leaseMs, work);
    if (++left === 9) resolve();
    return result;
  };
  const results = await Promise.all(Array.from({ length: 10 }, attempt));
  expect(results.filter((result) => result !== undefined)).toEqual([1]);
  expect(await store.getItem(key)).toBeUndefined();
  expect(await underLease(key, leaseMs, work)).toBe(2);
});

test('A running lease is respected, and an expired one is taken over.', async () => {
  const key = newLease();
  await leave(key, 3_000);
  expect(await underLease(key, leaseMs, async () => 'done')).toBeUndefined();
  await leave(key, -1_000);
  expect(await underLease(key, leaseMs, async () => 'done')).toBe('done');
});

test('A lease is renewed while its holder is at work.', async () => {
  const key = newLease();
  const [first, later] = (await underLease(key, 300, async () => {
    const before = await store.getItem(key);
    await expect.poll(async () => Number((await store.getItem(key))?.leaseUntil)).toBeGreaterThan(Number(before?.leaseUntil));
    return [before?.owner, (await store.getItem(key))?.owner];
  })) as unknown[];
  expect(later).toBe(first);
});

test('A lease far ahead, left by a wrong clock, blocks no function.', async () => {
  const key = newLease();
  await leave(key, 60 * 60_000);
  expect(await underLease(key, leaseMs, async () => 'done')).toBe('done');
});

test('Work that fails releases its lease.', async () => {
  const key = newLease();
  await expect(underLease(key, leaseMs, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await store.getItem(key)).toBeUndefined();
});

test('A function that was taken for dead takes no lease from others.', async () => {
  const key = newLease();
  const overtaken = await underLease(key, leaseMs, async () => {
    await leave(key, 3_000);
    return 'late';
  });
  expect(overtaken).toBe('late');
  expect(await store.getItem(key)).toMatchObject({ owner: 'somebody' });
});

test.for<Fault>(['lost-before', 'lost-after', 'throttle'])(
  'A function takes and releases a lease despite a fault: %s',
  async (fault) => {
    for (const index of [0, 1, 2]) {
      const key = newLease();
      const { result } = await underFaults(
        (attempt) => (attempt.index === index ? fault : undefined),
        () => underLease(key, leaseMs, async () => 'done'),
      );
      expect(result).toBe('done');
      expect(await store.getItem(key)).toBeUndefined();
    }
  },
);
