import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { underFaults } from '../../../support/faults/faults.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let workspaceId: string;
let takeLookUps: typeof import('../../../../lambdas/store/limits/framing-limit.ts').takeLookUps;
const take = (workspace: string, wanted: number, now: number, most?: number) => takeLookUps(workspace, wanted, most, () => now);
beforeAll(async () => {
  store = await useStore();
  ({ takeLookUps } = await import('../../../../lambdas/store/limits/framing-limit.ts'));
});
beforeEach(async () => {
  ({ workspaceId } = await store.newWorkspace());
});

const hour = 60 * 60 * 1_000;
const at = Date.parse('2030-01-02T03:30:00Z');
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

test('However many look-ups concurrent requests want, together they get exactly those of the hour.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 12 }), async (wanted) => {
      ({ workspaceId } = await store.newWorkspace());
      const given = await Promise.all(wanted.map((count) => take(workspaceId, count, at, 50)));
      expect(sum(given)).toBe(Math.min(50, sum(wanted)));
      given.forEach((count, position) => void expect(count).toBeLessThanOrEqual(wanted[position] ?? 0));
    }),
    { numRuns: runs(2) },
  );
});

test('Each workspace has 1,000 look-ups an hour, and 1,000 more in the next hour.', async () => {
  expect([await take(workspaceId, 2_000, at), await take(workspaceId, 1, at)]).toEqual([1_000, 0]);
  expect(await take(workspaceId, 600, at + hour)).toBe(600);
  expect(await take(workspaceId, 600, at + hour)).toBe(400);
  expect(await take((await store.newWorkspace()).workspaceId, 1, at)).toBe(1);
});

test("A clock that is an hour ahead gives at most one more hour's look-ups, and one that is far off blocks no request.", async () => {
  await take(workspaceId, 50, at, 50);
  expect(await take(workspaceId, 30, at + hour, 50)).toBe(30);
  expect(await take(workspaceId, 30, at, 50)).toBe(20);
  expect(await take(workspaceId, 30, at, 50)).toBe(0);
  expect(await take(workspaceId, 30, at + hour, 50)).toBe(0);
  await take(workspaceId, 50, at + 365 * 24 * hour, 50);
  expect(await take(workspaceId, 30, at + 2 * hour, 50)).toBe(30);
});

test.for(['lost-after', 'lost-before', 'throttle'] as const)(
  'A call that meets the fault %s never gives more look-ups than the limit.',
  async (fault) => {
    for (const index of [0, 1]) {
      ({ workspaceId } = await store.newWorkspace());
      const { result } = await underFaults(
        (attempt) => (attempt.index === index ? fault : undefined),
        () => take(workspaceId, 30, at, 50),
      );
      expect(result).toBeGreaterThan(0);
      // Look-ups whose response was lost stay used.
      expect(result + (await take(workspaceId, 50, at, 50))).toBeLessThanOrEqual(50);
    }
  },
);
