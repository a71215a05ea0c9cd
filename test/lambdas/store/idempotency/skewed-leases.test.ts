import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { RequestError } from '../../../../lambdas/core/errors.ts';
import { runs } from '../../../support/run/proof.ts';
import { type ClockedFunction, type Trip, useClocks } from '../../../support/store/clocks.ts';
import * as repeatable from '../../../support/store/repeatable.ts';

// Each function has its own clock, which may be hours wrong. A request that waits for another one lets time pass.
const pauses = vi.hoisted(() => ({ waited: 0, pass: (_: number) => {} }));
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<typeof import('node:timers/promises')>()),
  setTimeout: async (ms: number) => {
    pauses.waited += ms;
    if (pauses.waited > mostMs) throw new Error('waited too long');
    pauses.pass(ms);
  },
}));

const load = async () => ({
  ...(await import('../../../../lambdas/store/idempotency/leased.ts')),
  ...(await import('../../../../lambdas/store/table/writes.ts')),
  ...(await import('../../../../lambdas/store/table/reads.ts')),
});
type Function = ClockedFunction<Awaited<ReturnType<typeof load>>>;

let clocks: Awaited<ReturnType<typeof useClocks<Awaited<ReturnType<typeof load>>>>>;
beforeAll(async () => {
  clocks = await useClocks(load);
  pauses.pass = clocks.wait;
});
beforeEach(() => {
  pauses.waited = 0;
});
afterAll(() => {
  clocks.stop();
  vi.restoreAllMocks();
});

const { executeOnceOn, newRequest, nothing } = repeatable;

const second = 1_000;
const hour = 60 * 60 * second;
const day = 24 * hour;
/** A lease of 5 seconds, and the error of estimates of the table's time. */
const mostMs = 8 * second;
/** The interval of renewals. */
const renewalMs = 1_500;
/** The shortest lease, whatever the clocks say. */
const leastMs = 3 * second;

type Request = ReturnType<typeof newRequest>;
const requestNow = (): Request => newRequest({ receivedAt: clocks.now() });

const recordOf = ({ modules }: Function, { workspaceId }: Request) => repeatable.recordOf(modules as never, workspaceId);

const execute = (one: Function, request: Request, work: () => Promise<string>, trips: readonly Trip[] = []) =>
  one.run(() => executeOnceOn(one.modules as never)(request, nothing, work), trips);

const skews = [-25 * hour, -hour, 0, hour, 25 * hour];
const pairs = skews.flatMap((one) => skews.map((other) => [one, other] as const));

test.for(pairs)(
  'A dead function with a clock that is wrong by %i ms blocks a retry with one that is wrong by %i ms no longer than its lease.',
  async ([skew, otherSkew]) => {
    const [dying, other] = [await clocks.start(skew), await clocks.start(otherSkew)];
    const request = requestNow();
    const dies = async () => {
      dying.die();
      return 'never recorded';
    };
    expect(await execute(dying, request, dies)).toBeUndefined();
    expect(await execute(other, request, async () => 'done')).toBe('done');
    clocks.stop();
  },
);

test.for(pairs)(
  'While a function with a clock that is wrong by %i ms works, a retry with one that is wrong by %i ms waits.',
  async ([skew, otherSkew]) => {
    const [one, other] = [await clocks.start(skew), await clocks.start(otherSkew)];
    const request = requestNow();
    const works = async () => {
      clocks.wait(leastMs);
      // The other one is still waiting when it stops.
      const waiting = vi.spyOn(pauses, 'pass').mockImplementation(() => other.die());
      expect(await execute(other, request, async () => 'taken over')).toBeUndefined();
      expect(waiting).toHaveBeenCalledOnce();
      waiting.mockRestore();
      return 'done';
    };
    expect(await execute(one, request, works)).toBe('done');
    clocks.stop();
  },
);

test.for([-hour, 4 * 60 * second, hour])(
  'A clock that jumps by %i ms at work, so that the lease is renewed with a wrong time, blocks a retry no longer than a lease.',
  async (jump) => {
    const [dying, other] = [await clocks.start(), await clocks.start()];
    const request = requestNow();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const jumps = async () => {
      const { leaseUntil } = await recordOf(other, request);
      dying.skew = jump;
      await vi.advanceTimersByTimeAsync(renewalMs);
      const renewed = async () => expect((await recordOf(other, request)).leaseUntil).not.toBe(leaseUntil);
      await vi.waitFor(renewed, { interval: 5 });
      dying.die();
      return 'never recorded';
    };
    expect(await execute(dying, request, jumps)).toBeUndefined();
    vi.useRealTimers();
    expect(await execute(other, request, async () => 'done')).toBe('done');
    clocks.stop();
  },
);

test('A lease far ahead, left by a wrong clock, blocks no request.', async () => {
  const [dying, other] = [await clocks.start(), await clocks.start()];
  const request = requestNow();
  const dies = async () => {
    dying.die();
    return 'never recorded';
  };
  await execute(dying, request, dies);
  const ahead = { text: 'SET #leaseUntil = :ahead', values: { ':ahead': clocks.now() + hour } };
  await other.modules.updateItem(await recordOf(other, request), ahead);
  expect(await execute(other, request, async () => 'done')).toBe('done');
  expect(pauses.waited).toBe(0);
  clocks.stop();
});

const skew = fc.oneof(fc.integer({ min: -26 * hour, max: 26 * hour }), fc.constantFrom(...skews));
const mishap = fc.constantFrom('answer-lost' as const, 'dies-before' as const, 'dies-after' as const);
const attempt = fc.record({
  skew,
  gap: fc.oneof(fc.nat(10 * second), fc.nat(2 * hour)),
  /** An event, and the call at which it happens. */
  at: fc.nat(5),
  mishap: fc.option(mishap, { nil: undefined }),
  fails: fc.boolean(),
});

test('Whatever clocks, dying functions and lost responses do, every response within 24 hours is the same, and a later one is new.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 2, maxLength: 11 }), async (attempts) => {
      const { workspaceId } = newRequest();
      const ask = async (one: Function, fails: boolean, trips: readonly Trip[]) => {
        pauses.waited = 0;
        const request = newRequest({ workspaceId, receivedAt: clocks.now() });
        const work = () => (fails ? Promise.reject(new RequestError('tag_not_found', 'no')) : Promise.resolve(`${clocks.now()}`));
        return execute(one, request, work, trips).catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'tag_not_found' });
        });
      };
      const answers = new Set<string>();
      for (const { skew, gap, at, mishap, fails } of attempts) {
        const one = await clocks.start(skew);
        const answer = await ask(one, fails, [...Array.from({ length: at }, () => ({})), { mishap }]);
        if (answer) answers.add(answer);
        clocks.wait(gap);
        clocks.stop();
      }
      expect(answers.size).toBeLessThanOrEqual(1);
      clocks.wait(day);
      expect(await ask(await clocks.start(), false, [])).toBe(`${clocks.now()}`);
      clocks.stop();
    }),
    { numRuns: runs(10) },
  );
});
