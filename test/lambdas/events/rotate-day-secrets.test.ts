import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { dayMs } from '../../../lambdas/core/click/day.ts';
import { daySecretKey } from '../../../lambdas/store/table/keys.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { type Trip, useClocks } from '../../support/store/clocks.ts';
import { dayAt } from '../../support/things/unique.ts';

// The test controls the table's time, and each function's clock.

const load = async () => ({
  rotate: (await import('../../../lambdas/events/rotate-day-secrets.ts')).handler,
  getDaySecret: (await import('../../../lambdas/store/visitors/day-secrets.ts')).getDaySecret,
  intercept: (await import('../../../lambdas/store/table/interceptors.ts')).intercept,
  getItem: (await import('../../../lambdas/store/table/reads.ts')).getItem,
});

const hour = 60 * 60_000;
let clocks: Awaited<ReturnType<typeof useClocks<Awaited<ReturnType<typeof load>>>>>;
type Started = Awaited<ReturnType<typeof clocks.start>>;
let reader: Started;
beforeAll(async () => {
  clocks = await useClocks(load);
  reader = await clocks.start();
});
afterAll(() => {
  clocks.stop();
  vi.restoreAllMocks();
});

const rotate = (one: Started, trips: readonly Trip[] = []) =>
  one.run(() => one.modules.rotate({}, contextWith(20_000)), trips).catch(() => 'failed');
/** The days that have a secret, from the past and the next days. */
async function daysWithSecrets(): Promise<number[]> {
  const days = Array.from({ length: 14 }, (_, index) => index - 10);
  const found = await reader.run(() =>
    Promise.all(days.map((ahead) => reader.modules.getDaySecret(dayAt(clocks.now() + ahead * dayMs)))),
  );
  return days.filter((_, index) => found?.[index] !== undefined);
}
const secretOf = (ahead: number) => reader.run(() => reader.modules.getDaySecret(dayAt(clocks.now() + ahead * dayMs)));
/** Lets time pass until an hour of the next day. */
const waitUntil = (atHour: number) => {
  const midnight = Math.ceil((clocks.now() + 1) / dayMs) * dayMs;
  clocks.wait(midnight + atHour * hour - clocks.now());
};

test('A run makes random secrets of 256 bits for today and tomorrow, which expire, and later runs keep them.', async () => {
  const [one, other] = [await clocks.start(), await clocks.start()];
  await rotate(one);
  const [today, tomorrow] = [await secretOf(0), await secretOf(1)];
  expect(await daysWithSecrets()).toEqual([0, 1]);
  for (const secret of [today, tomorrow]) expect(Buffer.from(String(secret), 'base64url')).toHaveLength(32);
  expect(today).not.toBe(tomorrow);
  await Promise.all([rotate(one), rotate(other)]);
  expect([await secretOf(0), await secretOf(1)]).toEqual([today, tomorrow]);
  const item = await reader.run(() => reader.modules.getItem(daySecretKey(dayAt(clocks.now()))));
  expect(item?.ttl).toBe((Date.parse(dayAt(clocks.now())) + dayMs + hour) / 1_000);
});

test('A secret is deleted an hour after its day, and a schedule that was down for days catches up.', async () => {
  const one = await clocks.start();
  waitUntil(0.5);
  await rotate(one);
  expect(await daysWithSecrets()).toEqual([-1, 0, 1]);
  clocks.wait(hour / 2);
  await rotate(one);
  expect(await daysWithSecrets()).toEqual([0, 1]);
  clocks.wait(5 * dayMs);
  await rotate(one);
  expect(await daysWithSecrets()).toEqual([0, 1]);
});

test.for([-3, -1, 1, 3])(
  "A run of a function whose clock is %i days ahead deletes no secret in use, and makes today's and tomorrow's.",
  async (days) => {
    waitUntil(12);
    await rotate(await clocks.start());
    const before = [await secretOf(0), await secretOf(1)];
    await rotate(await clocks.start(days * dayMs));
    expect([await secretOf(0), await secretOf(1)]).toEqual(before);
    waitUntil(12);
    await rotate(await clocks.start(days * dayMs));
    expect(await daysWithSecrets()).toEqual(expect.arrayContaining([0, 1]));
    expect(await secretOf(0)).toBe(before[1]);
    expect(await secretOf(-1)).toBeUndefined();
  },
);

test('Whatever response is lost, and wherever a run dies, each day keeps its first secret.', async () => {
  for (const mishap of ['answer-lost', 'dies-before', 'dies-after'] as const) {
    for (let call = 0; call < 4; call++) {
      waitUntil(2);
      const one = await clocks.start();
      await rotate(one, [...Array.from({ length: call }, () => ({})), { mishap }]);
      const seen = [await secretOf(0), await secretOf(1)];
      await rotate(one);
      const now = [await secretOf(0), await secretOf(1)];
      expect(now.every((secret) => secret !== undefined)).toBe(true);
      expect(now).toEqual(seen.map((secret, index) => secret ?? now[index]));
    }
  }
});

test('The schedule itself never learns a secret that another run has made.', async () => {
  const learned: unknown[] = [];
  const one = await clocks.start();
  await rotate(one);
  const secret = String(await secretOf(0));
  const other = await clocks.start();
  other.modules.intercept(async (_operation, input, next) => {
    try {
      const output = await next(input);
      learned.push(output);
      return output;
    } catch (error) {
      learned.push({ ...(error as object) });
      throw error;
    }
  });
  await rotate(other);
  expect(learned.length).toBeGreaterThanOrEqual(4);
  expect(JSON.stringify(learned)).not.toContain(secret);
});
