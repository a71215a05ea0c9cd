import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bulkRequests, liftedImports } from '../../../lambdas/core/limits.ts';
import { runs } from '../../support/run/proof.ts';
import { useClocks } from '../../support/store/clocks.ts';

const load = async () => ({
  ...(await import('../../../lambdas/store/limits/request-limits.ts')),
  ...(await import('../../../lambdas/operator/lifted-imports.ts')),
  ...(await import('../../../lambdas/store/workspaces/workspaces.ts')),
  ...(await import('../../../lambdas/store/workspaces/limits.ts')),
  ...(await import('../../../lambdas/store/api-keys/api-keys.ts')),
  ...(await import('../../../lambdas/store/api-keys/list.ts')),
});
let clocks: Awaited<ReturnType<typeof useClocks<Awaited<ReturnType<typeof load>>>>>;
beforeAll(async () => {
  clocks = await useClocks(load);
});
afterAll(() => {
  clocks.stop();
  vi.restoreAllMocks();
});

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const usual = bulkRequests.quota;
let made = 0;
const gatewayKey = 'the lifted key';

/** A function, and a workspace. */
async function start(skew = 0) {
  const one = await clocks.start(skew);
  const work = <T>(doing: (modules: typeof one.modules) => Promise<T>) => one.run(() => doing(one.modules)) as Promise<T>;
  const workspace = await work(({ createWorkspace }) => createWorkspace('Acme', async () => 'the usual key'));
  const take = (receivedAt = clocks.now()) =>
    work(({ takeSlot }) => takeSlot('bulk', workspace.id, `request ${++made}`, receivedAt));
  const lift = (perMinute: number, until: number) =>
    work(({ liftImports }) => liftImports(workspace.id, { perMinute, until, gatewayKey }));
  return { one, work, workspace, take, lift };
}

/** How many of this many concurrent requests pass. */
const passing = async ({ take }: Awaited<ReturnType<typeof start>>, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => take()))).filter(({ passed }) => passed).length;

test.for([usual + 1, 30, liftedImports.perMinute])(
  'Of 60 imports at once, exactly %i pass while that is the limit, and 3 once the lift is over.',
  async (quota) => {
    const lifted = await start();
    expect(await passing(lifted, 5)).toBe(usual);
    await lifted.lift(quota, clocks.now() + 10 * minute);
    // The earlier ones count.
    expect(await passing(lifted, 60)).toBe(quota - usual);
    clocks.wait(minute);
    expect(await passing(lifted, 60)).toBe(quota);
    clocks.wait(10 * minute);
    expect(await passing(lifted, 60)).toBe(usual);
  },
);

type Doing = { readonly wait: number } | { readonly ask: number } | { readonly lift: number; readonly seconds: number };
const doing: fc.Arbitrary<Doing> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ask: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 4, arbitrary: fc.record({ wait: fc.oneof(fc.nat(20 * second), fc.constantFrom(1, minute - 1, minute)) }) },
  {
    weight: 1,
    arbitrary: fc.record({ lift: fc.integer({ min: usual, max: 12 }), seconds: fc.oneof(fc.nat(200), fc.constant(0)) }),
  },
);

test('Whenever lifts begin, end or change, and whatever the clocks say, an import passes exactly if fewer than the present limit passed within 60 seconds.', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(doing, { minLength: 8, maxLength: 40 }),
      fc.integer({ min: -26, max: 26 }),
      async (doings, skew) => {
        const lifted = await start();
        let lift = { quota: usual, until: 0 };
        const passed: number[] = [];
        for (const one of doings) {
          if ('wait' in one) clocks.wait(one.wait);
          else if ('lift' in one) {
            lift = { quota: one.lift, until: clocks.now() + one.seconds * second };
            await lifted.lift(lift.quota, lift.until);
          } else {
            for (let asked = 0; asked < one.ask; asked++) {
              lifted.one.skew = asked % 2 ? skew * hour : 0;
              const now = clocks.now();
              const quota = now < lift.until ? lift.quota : usual;
              const recent = passed.filter((at) => at > now - minute).length;
              const slot = await lifted.take();
              expect(slot).toMatchObject({ passed: recent < quota, limit: { quota } });
              expect(slot.remaining).toBe(Math.max(0, quota - recent - (slot.passed ? 1 : 0)));
              if (slot.passed) passed.push(now);
              lifted.one.skew = 0;
              // The limit that GET /me shows is the same, and the request uses none of it.
              const left = await lifted.work(({ limitsLeft }) => limitsLeft(lifted.workspace.id, now));
              expect(left?.limits.bulkRequests).toMatchObject({ limit: quota, remaining: slot.remaining });
            }
          }
        }
        clocks.stop();
      },
    ),
    { numRuns: runs(2) },
  );
});

test('An import from the time of the lift that is handled after later ones counts among them.', async () => {
  const lifted = await start();
  await lifted.lift(30, clocks.now() + second);
  const early = clocks.now();
  clocks.wait(2 * second);
  expect(await passing(lifted, 5)).toBe(usual);
  expect(await lifted.take(early)).toMatchObject({ passed: false, limit: { quota: usual } });
});

test('An import without a lift makes one call, even if it is refused, and also long after a lift.', async () => {
  const [never, was] = [await start(), await start()];
  await was.lift(10, clocks.now() + minute);
  expect(await passing(was, 20)).toBe(10);
  clocks.wait(hour);
  // The first import after a lift resets the number of slots.
  await was.take();
  const calls: number[] = [];
  for (const { take } of [never, was]) {
    for (let request = 0; request < 5; request++) {
      clocks.calls();
      await take();
      calls.push(clocks.calls());
    }
  }
  expect(calls).toEqual(Array.from({ length: 10 }, () => 1));
});

describe('The keys of a lifted workspace', () => {
  const keysOf = ({ work, workspace }: Awaited<ReturnType<typeof start>>) => work(({ everyKey }) => everyKey(workspace.id));
  const newKey = ({ work, workspace: { id } }: Awaited<ReturnType<typeof start>>) =>
    work(async ({ getWorkspace, createApiKey }) =>
      createApiKey((await getWorkspace(id)) ?? expect.fail(), { name: null, permissions: ['links:write'] }),
    );

  test('All keys, existing and new, use the other gateway key until the lift ends.', async () => {
    const lifted = await start();
    await newKey(lifted);
    await newKey(lifted);
    const until = clocks.now() + hour;
    const end = new Date(until).toISOString();
    await lifted.lift(30, until);
    const third = await newKey(lifted);
    const rotated = await lifted.work(async () => {
      const { rotateApiKey } = await import('../../../lambdas/store/api-keys/rotation.ts');
      return rotateApiKey(third.id, { overlapMs: 0 });
    });
    expect(rotated).toMatchObject({ lifted: { gatewayKey, until: end } });
    const keys = await keysOf(lifted);
    expect(keys.map((key) => key.lifted)).toEqual(Array.from({ length: 4 }, () => ({ gatewayKey, until: end })));
    expect(keys.map((key) => key.gatewayKey)).toEqual(Array.from({ length: 4 }, () => 'the usual key'));
    await lifted.lift(usual, clocks.now());
    expect(await lifted.work(({ importsPerMinute }) => importsPerMinute(lifted.workspace.id, clocks.now()))).toEqual({
      perMinute: usual,
      until: null,
    });
  });

  test('After two lifts at once, the limit, the workspace and all keys have the same one.', async () => {
    const lifted = await start();
    for (let key = 0; key < 12; key++) await newKey(lifted);
    for (let round = 0; round < 3; round++) {
      const ends = [1, 2, 3].map((hours) => clocks.now() + hours * hour);
      await Promise.all(ends.map((until, index) => lifted.lift(10 + index, until)));
      const { perMinute, until } = await lifted.work(({ importsPerMinute }) =>
        importsPerMinute(lifted.workspace.id, clocks.now()),
      );
      expect(Date.parse(until ?? '')).toBe(ends[perMinute - 10]);
      const workspace = await lifted.work(({ getWorkspace }) => getWorkspace(lifted.workspace.id));
      expect(workspace?.lifted?.until).toBe(until);
      expect(new Set((await keysOf(lifted)).map((key) => key.lifted?.until))).toEqual(new Set([until]));
    }
  });
});
