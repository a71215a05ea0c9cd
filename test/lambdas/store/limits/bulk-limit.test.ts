import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bulkRequests, type RateLimit } from '../../../../lambdas/core/limits.ts';
import { runs } from '../../../support/run/proof.ts';
import { type LimitedFunction, type Trip, useLimitedFunctions } from '../../../support/store/clocks.ts';

let clocks: Awaited<ReturnType<typeof useLimitedFunctions>>;
beforeAll(async () => {
  clocks = await useLimitedFunctions();
});
afterAll(() => {
  clocks.stop();
  vi.restoreAllMocks();
});

let made = 0;
const newId = () => `ws_${++made}`;
const newToken = () => `request ${++made}`;
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** What docs/api.md and lambdas/store/limits/bulk-limit.ts promise: within this tolerance the limit is exact, whatever the clocks say. */
const tolerance = 5 * second;

/** Sends a request without any mishap, and returns the response: whether it passes, and the limit's state. */
async function ask({ take }: LimitedFunction, workspaceId: string) {
  const taken = await take(workspaceId, newToken());
  if (!taken) throw new Error('the function died');
  return taken;
}
const passes = async (one: LimitedFunction, workspaceId: string) => (await ask(one, workspaceId)).passed;

/** The quotas that are tried: a single slot, the service's own, and many. */
const quotas = [1, bulkRequests.quota, 20];
const limitOf = (quota: number): RateLimit => ({ ...bulkRequests, quota });

test.for(quotas)(
  'Of 100 requests at once exactly the quota of %i passes, and another workspace has as many of its own.',
  async (quota) => {
    const one = await clocks.start(0, limitOf(quota));
    const passed = async (workspaceId: string, count: number) => {
      const slots = await Promise.all(Array.from({ length: count }, () => ask(one, workspaceId)));
      expect(slots.filter((slot) => !slot.passed).every((slot) => slot.remaining === 0)).toBe(true);
      return slots.filter((slot) => slot.passed).length;
    };
    expect(await Promise.all([passed(newId(), 100), passed(newId(), 100)])).toEqual([quota, quota]);
  },
);

const gap = fc.oneof(fc.integer({ min: 0, max: 70 * second }), fc.constantFrom(0, 1, 20 * second, minute - 1, minute));

/** The time between two requests: usually so short that more than the quota come in one window. */
const gapFor = (quota: number) =>
  quota > bulkRequests.quota ? fc.oneof({ weight: 9, arbitrary: fc.nat(3 * second) }, { weight: 1, arbitrary: gap }) : gap;
const gapsFor = (quota: number) => fc.array(gapFor(quota), { minLength: quota + 1, maxLength: 2 * quota + 14 });

describe('Functions with correct clocks', () => {
  test.for(quotas)(
    'Correct clocks let at most %i requests pass in any 60 seconds, and always one if fewer passed in the 60 seconds before.',
    async (quota) => {
      await fc.assert(
        fc.asyncProperty(gapsFor(quota), async (gaps) => {
          const workspaceId = newId();
          const functions = [await clocks.start(0, limitOf(quota)), await clocks.start(0, limitOf(quota))];
          const passed: number[] = [];
          for (const [index, milliseconds] of gaps.entries()) {
            clocks.wait(milliseconds);
            const now = clocks.now();
            const recent = passed.filter((at) => at > now - minute);
            const slot = await ask(functions[index % 2] as LimitedFunction, workspaceId);
            expect(slot.passed).toBe(recent.length < quota);
            if (slot.passed) passed.push(now);
            else expect(slot.resetSeconds).toBe(Math.ceil(((recent[0] ?? 0) + minute - now) / second));
            expect(slot.remaining).toBe(quota - recent.length - (slot.passed ? 1 : 0));
          }
          clocks.stop();
        }),
        { numRuns: runs(2) },
      );
    },
  );

  test('A function makes one call per request, passed or refused, even for its first request.', async () => {
    const workspaceId = newId();
    const calls: number[] = [];
    for (let request = 0; request < 5; request++) {
      clocks.wait(second / 3);
      const one = await clocks.start();
      clocks.calls();
      await ask(one, workspaceId);
      calls.push(clocks.calls());
    }
    expect(calls).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('Functions with wrong clocks', () => {
  test('A clock that is 5 seconds ahead lets no fourth request pass after 55 seconds.', async () => {
    const workspaceId = newId();
    const right = await clocks.start();
    for (let request = 0; request < 3; request++) expect(await passes(right, workspaceId)).toBe(true);
    clocks.wait(55 * second);
    const ahead = await clocks.start(5 * second);
    expect(await passes(ahead, workspaceId)).toBe(false);
    // The slot that it had taken is given back: the limit is as if it had never come.
    clocks.wait(5 * second);
    expect(await passes(right, workspaceId)).toBe(true);
  });

  test.for<[string, number]>([
    ['an hour ahead', hour],
    ['4 seconds ahead', 4 * second],
    ['4 seconds behind', -4 * second],
    ['an hour behind', -hour],
    ['a day behind', -24 * hour],
  ])('A clock that is %s lets 3 requests pass, and blocks nobody longer than a correct clock would.', async ([, skew]) => {
    const workspaceId = newId();
    const [right, wrong] = [await clocks.start(), await clocks.start(skew)];
    const passed: boolean[] = [];
    for (const one of [wrong, right, wrong, right, wrong]) passed.push(await passes(one, workspaceId));
    expect(passed).toEqual([true, true, true, false, false]);
    clocks.wait(minute + tolerance);
    for (const one of [right, wrong, right]) expect(await passes(one, workspaceId)).toBe(true);
    expect(await passes(wrong, workspaceId)).toBe(false);
  });

  test('Functions with clocks an hour ahead that took all slots and died block nobody longer than the window.', async () => {
    const workspaceId = newId();
    for (let dead = 0; dead < 3; dead++) {
      const wrong = await clocks.start(hour);
      // Its signature is refused first; the second attempt takes the slot.
      expect(await wrong.take(workspaceId, newToken(), [{}, { mishap: 'dies-after' }])).toBeUndefined();
      clocks.wait(second);
    }
    const right = await clocks.start();
    expect(await passes(right, workspaceId)).toBe(false);
    clocks.wait(minute + tolerance);
    expect(await passes(right, workspaceId)).toBe(true);
  });

  const skew = fc.oneof(
    fc.integer({ min: -6 * second, max: 6 * second }),
    fc.integer({ min: -24 * hour, max: 2 * hour }),
    fc.constantFrom(0, 1, -1, hour, -24 * hour),
  );
  test.for(quotas)(
    'Whatever the clocks say, at most %i of many requests at once pass, and exactly as many once the window is over.',
    async (quota) => {
      await fc.assert(
        fc.asyncProperty(fc.array(skew, { minLength: 2, maxLength: 6 }), async (skews) => {
          const workspaceId = newId();
          const functions = await Promise.all(skews.map((one) => clocks.start(one, limitOf(quota))));
          const passing = async () => {
            const asked = functions.flatMap((one) => Array.from({ length: quota }, () => passes(one, workspaceId)));
            return (await Promise.all(asked)).filter(Boolean).length;
          };
          // Slots that wrong clocks have taken for a moment count for those that ask in that moment.
          expect(await passing()).toBeLessThanOrEqual(quota);
          clocks.wait(minute + tolerance);
          // By now each of them knows the time.
          expect(await passing()).toBe(quota);
          clocks.stop();
        }),
        { numRuns: runs(2) },
      );
    },
  );

  // An answer in 0.6 s; slower ones add their time to the tolerance.
  const way = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 }));
  const trip: fc.Arbitrary<Trip> = fc.record({
    there: way,
    back: way,
    mishap: fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('answer-lost', 'dies-before', 'dies-after') },
    ),
  });
  const requestOf = (quota: number) =>
    fc.record({
      gap: gapFor(quota),
      by: fc.nat(3),
      trips: fc.array(trip, { maxLength: 5 }),
      // A function that was frozen may find its clock anywhere.
      thawedAt: fc.option(skew, { freq: 6, nil: undefined }),
    });

  test.for(quotas)(
    'Whatever clocks, slow responses and dying functions do, no request beyond %i passes early, and nobody is blocked for long.',
    async (quota) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(skew, { minLength: 4, maxLength: 4 }),
          fc.array(requestOf(quota), { minLength: quota + 1, maxLength: 2 * quota + 19 }),
          async (skews, requests) => {
            const workspaceId = newId();
            const functions = await Promise.all(skews.map((one) => clocks.start(one, limitOf(quota))));
            const passed: number[] = [];
            // Slots taken by requests that passed and by functions that died. The time of the latter shows at the next look.
            const taken: number[] = [];
            let left = 0;
            let refusedSince: number | undefined;
            const asks = [
              ...requests,
              ...skews.map((_, by) => ({ gap: minute + tolerance, by, trips: [], thawedAt: undefined })),
            ];
            for (const { gap: milliseconds, by, trips, thawedAt } of asks) {
              clocks.wait(milliseconds);
              const one = functions[by] as LimitedFunction;
              if (thawedAt !== undefined) one.skew = thawedAt;
              const begun = clocks.now();
              const response = await one.take(workspaceId, newToken(), trips);
              if (!response) {
                left++;
                refusedSince = undefined;
                functions[by] = await clocks.start(one.skew, limitOf(quota));
                continue;
              }
              const recent = taken.filter((at) => at > begun - minute - tolerance).length + left;
              taken.push(...Array.from({ length: left }, clocks.now));
              left = 0;
              if (response.passed) {
                refusedSince = undefined;
                passed.push(begun);
                taken.push(clocks.now());
              } else {
                refusedSince ??= begun;
                expect(begun - refusedSince, 'kept out').toBeLessThan(minute + tolerance);
                expect(recent, 'refused for nothing').toBeGreaterThanOrEqual(quota);
              }
            }
            for (let beyond = quota; beyond < passed.length; beyond++) {
              expect((passed[beyond] ?? 0) - (passed[beyond - quota] ?? 0)).toBeGreaterThanOrEqual(minute - tolerance);
            }
            clocks.stop();
          },
        ),
        { numRuns: runs(3) },
      );
    },
  );
});

test.for(quotas)('A request whose response is lost takes one of %i slots, not two, and passes.', async (quota) => {
  const workspaceId = newId();
  const one = await clocks.start(0, limitOf(quota));
  for (let request = 0; request < quota; request++) {
    clocks.calls();
    const taken = await one.take(workspaceId, newToken(), [{ mishap: 'answer-lost' }]);
    expect([taken?.passed, clocks.calls()]).toEqual([true, 2]);
  }
  expect(await passes(one, workspaceId)).toBe(false);
});

test('While functions have different quotas, each lets a request pass if and only if fewer than its own quota passed in the 60 seconds before.', async () => {
  const request = fc.record({ gap: fc.oneof(fc.nat(8 * second), gap), quota: fc.constantFrom(...quotas, 5) });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 40 }), async (requests) => {
      const workspaceId = newId();
      const passed: number[] = [];
      const functions = new Map<number, LimitedFunction>();
      for (const quota of [...quotas, 5]) functions.set(quota, await clocks.start(0, limitOf(quota)));
      for (const { gap, quota } of requests) {
        clocks.wait(gap);
        const now = clocks.now();
        const recent = passed.filter((at) => at > now - minute).length;
        const slot = await ask(functions.get(quota) as LimitedFunction, workspaceId);
        expect(slot.passed).toBe(recent < quota);
        if (slot.passed) passed.push(now);
        expect(slot.remaining).toBe(Math.max(0, quota - recent - (slot.passed ? 1 : 0)));
        const [next] = passed.filter((at) => at > now - minute).slice(-quota);
        expect(slot.resetSeconds).toBe(Math.ceil(((next ?? now) + minute - now) / second));
      }
      clocks.stop();
    }),
    { numRuns: runs(5) },
  );
});

test('Of many requests at once with different quotas, no more pass than the largest allows.', async () => {
  const workspaceId = newId();
  const functions = [await clocks.start(0, limitOf(3)), await clocks.start(0, limitOf(5))];
  for (let minutes = 0; minutes < 3; minutes++) {
    const asked = functions.flatMap((one) =>
      Array.from({ length: 8 }, () => one.take(workspaceId, newToken()).catch(() => undefined)),
    );
    expect((await Promise.all(asked)).filter((slot) => slot?.passed).length).toBeLessThanOrEqual(5);
    clocks.wait(minute);
  }
});

test('The usage plan never refuses a client that obeys Retry-After if the table would let it pass.', async () => {
  const { usagePlan } = await import('../../../../local/gateway/rest/usage-plan.ts');
  const { quota, windowSeconds } = bulkRequests;
  const throttle = { '/bulk/POST': { RateLimit: quota / windowSeconds, BurstLimit: quota } };
  const template = { ofType: () => [{ properties: { ApiStages: [{ Throttle: throttle }] } }] } as never;
  // Every refusal, by the gateway or by the function, names this time: see lib/gateway-responses.ts and lambdas/http/rate-limit.ts.
  const retryAfter = windowSeconds * second;
  await fc.assert(
    fc.asyncProperty(fc.array(gap, { minLength: 4, maxLength: 20 }), async (gaps) => {
      const workspaceId = newId();
      const one = await clocks.start();
      const plan = usagePlan(template, clocks.now);
      const passed: number[] = [];
      for (const milliseconds of gaps) {
        clocks.wait(milliseconds);
        const now = clocks.now();
        if (plan.allows('key', '/bulk', 'POST')) {
          if (await passes(one, workspaceId)) passed.push(now);
          else clocks.wait(retryAfter);
        } else {
          expect(passed.filter((at) => at > now - minute)).toHaveLength(quota);
          clocks.wait(retryAfter);
        }
      }
      clocks.stop();
    }),
    { numRuns: runs(3) },
  );
});
