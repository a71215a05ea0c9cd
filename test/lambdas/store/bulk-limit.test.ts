import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { underFaults } from '../../support/faults.ts';
import { type Store, useStore } from '../../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

let made = 0;
const newId = () => `ws_${++made}`;
const second = 1_000;

test('of 100 requests at once exactly 3 pass, and another workspace has 3 of its own', async () => {
  const [one, two] = [newId(), newId()];
  const passed = async (workspaceId: string, count: number) => {
    const slots = await Promise.all(
      Array.from({ length: count }, (_, index) => store.takeBulkSlot(workspaceId, `request ${index}`)),
    );
    expect(slots.filter((slot) => !slot.passed).every((slot) => slot.remaining === 0)).toBe(true);
    return slots.filter((slot) => slot.passed).length;
  };
  expect(await Promise.all([passed(one, 100), passed(two, 100)])).toEqual([3, 3]);
});

test('in any 60 seconds at most 3 pass, and a request passes whenever fewer than 3 did in the 60 seconds before it', async () => {
  const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 70 * second }), fc.constantFrom(0, 1, 60 * second - 1, 60 * second)), {
    minLength: 4,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(gaps, async (list) => {
      const workspaceId = newId();
      const passed: number[] = [];
      let now = 1_900_000_000_000;
      for (const [index, gap] of list.entries()) {
        now += gap;
        const recent = passed.filter((at) => at > now - 60 * second);
        const slot = await store.takeBulkSlot(workspaceId, `request ${index}`, now);
        expect(slot.passed).toBe(recent.length < 3);
        if (slot.passed) passed.push(now);
        else expect(slot.resetSeconds).toBe(Math.ceil(((recent[0] ?? 0) + 60 * second - now) / second));
        expect(slot.remaining).toBe(3 - recent.length - (slot.passed ? 1 : 0));
      }
    }),
    { numRuns: 40 },
  );
});

test('clocks that lag by up to 5 seconds never let a fourth pass in 60 seconds of the fastest clock less the lag', async () => {
  const requests = fc.array(
    fc.record({ gap: fc.integer({ min: 0, max: 30 * second }), lag: fc.integer({ min: 0, max: 5 * second }) }),
    {
      minLength: 4,
      maxLength: 20,
    },
  );
  await fc.assert(
    fc.asyncProperty(requests, async (list) => {
      const workspaceId = newId();
      const passed: number[] = [];
      let now = 1_900_000_000_000;
      for (const [index, { gap, lag }] of list.entries()) {
        now += gap;
        const { passed: passes } = await store.takeBulkSlot(workspaceId, `request ${index}`, now - lag);
        if (passes) passed.push(now);
        // Not for ever shut either: after a whole window every clock lets the next one pass.
        if (!passed.some((at) => at > now - 65 * second)) expect(passes).toBe(true);
      }
      for (let fourth = 3; fourth < passed.length; fourth++) {
        expect((passed[fourth] ?? 0) - (passed[fourth - 3] ?? 0)).toBeGreaterThanOrEqual(55 * second);
      }
    }),
    { numRuns: 40 },
  );
});

test('a request whose answer was lost takes one slot, not two, and passes', async () => {
  const workspaceId = newId();
  for (const request of ['first', 'second', 'third']) {
    const { result, commands } = await underFaults(
      store.client,
      ({ index }) => (index === 0 ? 'lost-after' : undefined),
      () => store.takeBulkSlot(workspaceId, request),
    );
    expect(result).toMatchObject({ passed: true });
    expect(commands).toHaveLength(2);
  }
  expect(await store.takeBulkSlot(workspaceId, 'fourth')).toMatchObject({ passed: false });
});

test('a client that obeys Retry-After is never held back by the usage plan where the table would let it pass', async () => {
  const { usagePlan } = await import('../../../local/usage-plan.ts');
  const throttle = { '/bulk/POST': { RateLimit: 0.05, BurstLimit: 3 } };
  const template = { ofType: () => [{ properties: { ApiStages: [{ Throttle: throttle }] } }] } as never;
  // What every refusal says, the gateway's and the function's: see lib/gateway-responses.ts and lambdas/http/rate-limit.ts.
  const retryAfter = 60 * second;
  const gaps = fc.array(fc.oneof(fc.integer({ min: 0, max: 70 * second }), fc.constantFrom(0, 1, 20 * second, 60 * second)), {
    minLength: 4,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(gaps, async (list) => {
      const workspaceId = newId();
      let now = 1_900_000_000_000;
      const plan = usagePlan(template, () => now);
      const passed: number[] = [];
      for (const [index, gap] of list.entries()) {
        now += gap;
        if (plan.allows('key', '/bulk', 'POST')) {
          const slot = await store.takeBulkSlot(workspaceId, `request ${index}`, now);
          if (slot.passed) passed.push(now);
          else now += retryAfter;
        } else {
          expect(passed.filter((at) => at > now - 60 * second)).toHaveLength(3);
          now += retryAfter;
        }
      }
    }),
    { numRuns: 60 },
  );
});
