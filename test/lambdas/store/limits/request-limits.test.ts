import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bulkChanges, bulkRequests, type RateLimit } from '../../../../lambdas/core/limits.ts';
import { runs } from '../../../support/run/proof.ts';
import { type LimitedFunction, useLimitedFunctions } from '../../../support/store/clocks.ts';

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

/** Sends a request without faults, and returns whether it passes, and the limit's state. */
async function ask({ take }: LimitedFunction, workspaceId: string) {
  const taken = await take(workspaceId, newToken());
  if (!taken) throw new Error('the function died');
  return taken;
}
const passes = async (one: LimitedFunction, workspaceId: string) => (await ask(one, workspaceId)).passed;

/** The tested quotas: a single slot, and the service's own. */
const quotas = [1, bulkRequests.quota, bulkChanges.quota];
const limitOf = (quota: number): RateLimit => ({ ...bulkRequests, quota });

test.for(quotas)(
  'Of 100 requests at once, exactly the quota of %i passes, and another workspace has its own quota.',
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

/** The time between two requests: usually so short that more than the quota are in one window. */
const gapFor = (quota: number) =>
  quota > bulkRequests.quota ? fc.oneof({ weight: 9, arbitrary: fc.nat(3 * second) }, { weight: 1, arbitrary: gap }) : gap;
const gapsFor = (quota: number) => fc.array(gapFor(quota), { minLength: quota + 1, maxLength: 2 * quota + 14 });

const skew = fc.oneof(
  fc.integer({ min: -6 * second, max: 6 * second }),
  fc.integer({ min: -26 * hour, max: 26 * hour }),
  fc.constantFrom(0, hour, -hour, 25 * hour),
);

describe('Requests that reach the functions in order', () => {
  test.for(quotas)(
    'Whatever the clocks of functions say, at most %i requests pass in any 60 seconds, and always one if fewer passed in the 60 seconds before.',
    async (quota) => {
      await fc.assert(
        fc.asyncProperty(gapsFor(quota), fc.array(skew, { minLength: 3, maxLength: 3 }), async (gaps, skews) => {
          const workspaceId = newId();
          const functions = [await clocks.start(skews[0], limitOf(quota)), await clocks.start(skews[1], limitOf(quota))];
          const passed: number[] = [];
          for (const [index, milliseconds] of gaps.entries()) {
            clocks.wait(milliseconds);
            const one = functions[index % 2] as LimitedFunction;
            // After a freeze, a function's clock may show any time.
            if (index % 4 === 3) one.skew = skews[2] ?? 0;
            const now = clocks.now();
            const recent = passed.filter((at) => at > now - minute);
            const slot = await ask(one, workspaceId);
            expect(slot.passed).toBe(recent.length < quota);
            if (slot.passed) passed.push(now);
            const oldest = recent[0] ?? now;
            expect(slot.resetSeconds).toBe(Math.ceil((oldest + minute - now) / second));
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
      clocks.wait(300);
      const one = await clocks.start();
      clocks.calls();
      await ask(one, workspaceId);
      calls.push(clocks.calls());
    }
    expect(calls).toEqual([1, 1, 1, 1, 1]);
  });

  test.for([0, hour, -hour, 25 * hour, -25 * hour])(
    'Functions with clocks that are wrong by %i ms, which take all slots and die, block the workspace for exactly 60 seconds.',
    async (skew) => {
      const workspaceId = newId();
      for (let dead = 0; dead < 3; dead++) {
        const wrong = await clocks.start(skew);
        // A signature with such a time is refused first; the second attempt takes the slot.
        const trips = [...(skew === 0 ? [] : [{}]), { mishap: 'dies-after' } as const];
        expect(await wrong.take(workspaceId, newToken(), trips)).toBeUndefined();
      }
      const right = await clocks.start();
      clocks.wait(minute - 1);
      expect(await ask(right, workspaceId)).toEqual({ passed: false, remaining: 0, resetSeconds: 1, limit: bulkRequests });
      clocks.wait(1);
      expect(await ask(right, workspaceId)).toMatchObject({ passed: true, remaining: 2 });
    },
  );
});

describe('Requests that reach the functions in another order', () => {
  const start = (quota: number) => clocks.start(0, limitOf(quota));
  /** Whether a request passes that was received this many seconds after the first one. */
  const passesAt = async (one: LimitedFunction, workspaceId: string, begun: number, seconds: number) => {
    const receivedAt = begun + seconds * second;
    clocks.wait(Math.max(0, receivedAt - clocks.now()));
    return (await one.take(workspaceId, newToken(), [], receivedAt))?.passed;
  };

  test.for<[number[], number]>([
    [[10, 11, 5], 12],
    [[10, 11, 12], 5],
    [[0, 1, 2, 60], 30],
    // The slot of the one that was overtaken counts from second 61, too.
    [[0, 61, 50, 62], 120],
  ])('After requests of the seconds %j have passed, in this order, one of second %i is refused.', async ([passed, refused]) => {
    const [workspaceId, one, begun] = [newId(), await start(3), clocks.now()];
    for (const seconds of passed) expect(await passesAt(one, workspaceId, begun, seconds), `${seconds}`).toBe(true);
    expect(await passesAt(one, workspaceId, begun, refused)).toBe(false);
    expect(await passesAt(one, workspaceId, begun, 180)).toBe(true);
  });

  test('A request that was received long before the others is refused, and frees none of their slots.', async () => {
    const [workspaceId, one, begun] = [newId(), await start(3), clocks.now()];
    const passing: unknown[] = [];
    for (const seconds of [0, 0, 0, -600, 1]) passing.push(await passesAt(one, workspaceId, begun, seconds));
    expect(passing).toEqual([true, true, true, false, false]);
  });

  test('A request that was overtaken and passes takes a second call; a refused one does not.', async () => {
    const [workspaceId, one, begun] = [newId(), await start(3), clocks.now()];
    const callsOf = async (seconds: number) => {
      clocks.calls();
      return [await passesAt(one, workspaceId, begun, seconds), clocks.calls()];
    };
    expect(await callsOf(9)).toEqual([true, 1]);
    expect(await callsOf(8)).toEqual([true, 2]);
    expect(await callsOf(7)).toEqual([true, 2]);
    expect(await callsOf(6)).toEqual([false, 1]);
  });

  /** The longest that a request may take from the gateway to its slot. */
  const longest = 40 * second;
  const requestOf = (quota: number) =>
    fc.record({
      gap: gapFor(quota),
      delay: fc.oneof(fc.constant(0), fc.nat(longest)),
      mishap: fc.option(fc.constantFrom('answer-lost' as const, 'dies-before' as const, 'dies-after' as const), {
        freq: 8,
        nil: undefined,
      }),
    });

  test.for(quotas)(
    'Whatever the order of requests, and whichever functions die, at most %i passing requests were received in any 60 seconds, and none is refused without need.',
    async (quota) => {
      await fc.assert(
        fc.asyncProperty(fc.array(requestOf(quota), { minLength: quota + 1, maxLength: 2 * quota + 19 }), async (requests) => {
          const [workspaceId, one] = [newId(), await start(quota)];
          let receivedAt = clocks.now();
          const arriving = requests
            .map(({ gap, delay, mishap }) => {
              receivedAt += gap;
              return { receivedAt, at: receivedAt + delay, mishap };
            })
            .sort((a, b) => a.at - b.at);
          /** The times of the slots, oldest first. */
          const slots: number[] = [];
          const passed: number[] = [];
          for (const { receivedAt, at, mishap } of arriving) {
            clocks.wait(Math.max(0, at - clocks.now()));
            const hasRoom = (slots.at(-quota) ?? 0) <= receivedAt - minute;
            const newest = slots.at(-1) ?? 0;
            const slot = await one.take(workspaceId, newToken(), [{ mishap }], receivedAt);
            // A dead function has a slot only if its first call gave it one.
            const isDead = mishap === 'dies-before' || mishap === 'dies-after';
            expect(slot?.passed).toBe(isDead ? undefined : hasRoom);
            const takes = isDead ? mishap === 'dies-after' && newest <= receivedAt : true;
            if (hasRoom && takes) slots.push(Math.max(newest, receivedAt));
            if (slot?.passed) passed.push(receivedAt);
            if (slot && !slot.passed) expect(slots.filter((at) => at > receivedAt - minute).length).toBeGreaterThanOrEqual(quota);
            if (slot) expect(slot.resetSeconds).toBeLessThanOrEqual(minute / second);
          }
          const inOrder = passed.sort((a, b) => a - b);
          const spans = inOrder.slice(quota).map((at, index) => at - (inOrder[index] ?? 0));
          expect(spans.filter((span) => span < minute)).toEqual([]);
          clocks.stop();
        }),
        { numRuns: runs(3) },
      );
    },
  );

  test.for(quotas)(
    'Of many concurrent requests, which were received at different times, exactly %i pass, and as many once the window is over.',
    async (quota) => {
      const functions = [await start(quota), await start(quota)];
      const workspaceId = newId();
      for (let round = 0; round < 2; round++) {
        clocks.wait(minute + longest);
        const now = clocks.now();
        const asked = Array.from({ length: 3 * quota + 5 }, (_, index) =>
          functions[index % 2]?.take(workspaceId, newToken(), [], now - ((index * 7_919) % longest)),
        );
        expect((await Promise.all(asked)).filter((slot) => slot?.passed)).toHaveLength(quota);
      }
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

test('While functions have different quotas, each passes a request exactly if fewer than its own quota passed in the 60 seconds before.', async () => {
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
    { numRuns: runs(3) },
  );
});

test.for([5, 1])(
  'The first request with a quota of %i instead of 3 takes a second call if it passes; the next ones do not.',
  async (quota) => {
    const [workspaceId, before, after] = [newId(), await clocks.start(0, limitOf(3)), await clocks.start(0, limitOf(quota))];
    const callsOf = async (one: LimitedFunction) => {
      clocks.calls();
      return [await passes(one, workspaceId), clocks.calls()];
    };
    expect(await callsOf(before)).toEqual([true, 1]);
    if (quota === 1) clocks.wait(minute);
    expect(await callsOf(after)).toEqual([true, 2]);
    expect(await callsOf(after)).toEqual([quota > 1, 1]);
  },
);

test('Of many concurrent requests with different quotas, no more pass than the largest allows.', async () => {
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
  const { usagePlans } = await import('../../../../local/gateway/rest/usage-plan.ts');
  const { quota, windowSeconds } = bulkRequests;
  const throttle = { '/bulk/POST': { RateLimit: quota / windowSeconds, BurstLimit: quota } };
  const template = { ofType: () => [{ properties: { ApiStages: [{ Throttle: throttle }] } }] } as never;
  // Every refusal, by the gateway or by the function, names this time: see lib/gateway/gateway-responses.ts and lambdas/http/rate-limit.ts.
  const retryAfter = windowSeconds * second;
  await fc.assert(
    fc.asyncProperty(fc.array(gap, { minLength: 4, maxLength: 20 }), async (gaps) => {
      const workspaceId = newId();
      const one = await clocks.start();
      const plan = usagePlans(template, clocks.now);
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
