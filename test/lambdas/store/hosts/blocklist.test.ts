import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { unavailable } from '../../../../lambdas/core/errors.ts';
import { timeLeft } from '../../../../lambdas/runtime/deadline.ts';
import { type Blocked, remembering } from '../../../../lambdas/store/hosts/blocklist.ts';

const start = Date.parse('2030-01-01T00:00:00Z');
const blocked = (...hosts: string[]): Blocked => ({ hosts: new Set(hosts), isListing: false });
const none = blocked();
const some = blocked('evil.example');

/** A time at which both clocks agree. */
const at = (time: number) => ({ wall: time, steady: time });

test('A change of the blocklist takes effect within 50 seconds, and the list is read at most once in 50 seconds.', async () => {
  const gap = fc.integer({ min: 0, max: 120_000 });
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ gap, change: fc.boolean() }), { maxLength: 30 }), async (steps) => {
      let [now, table, changedAt, lastRead] = [start, none, start, Number.NEGATIVE_INFINITY];
      const blocklist = remembering(async () => {
        expect(now - lastRead).toBeGreaterThanOrEqual(50_000);
        lastRead = now;
        return table;
      });
      for (const step of steps) {
        now += step.gap;
        const { hosts, asOf } = await blocklist(at(now));
        if (now - changedAt >= 50_000) expect(hosts).toBe(table.hosts);
        expect(now - asOf).toBeLessThan(50_000);
        if (!step.change) continue;
        [table, changedAt] = [table === none ? some : none, now];
      }
    }),
  );
});

test('A clock that jumps back or stops does not extend a list beyond 50 seconds by the other clock.', async () => {
  const moments = fc.record({ gap: fc.integer({ min: 0, max: 80_000 }), jump: fc.integer({ min: -3_600_000, max: 80_000 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(moments, { maxLength: 20 }), fc.constantFrom('wall', 'steady'), async (steps, wrong) => {
      const now = at(start);
      let readAt = start;
      const right = wrong === 'wall' ? 'steady' : 'wall';
      const blocklist = remembering(async () => {
        readAt = now[right];
        return none;
      });
      for (const { gap, jump } of steps) {
        now[right] += gap;
        now[wrong] += wrong === 'wall' ? jump : 0;
        await blocklist({ ...now });
        expect(now[right] - readAt).toBeLessThan(50_000);
      }
    }),
  );
});

test('While the blocklist cannot be read, the last known list is used, and a short read is attempted every 5 seconds.', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const budgets: number[] = [];
  let fails = false;
  const blocklist = remembering(async () => {
    budgets.push(timeLeft());
    if (fails) throw unavailable();
    return budgets.length === 1 ? none : some;
  });
  expect((await blocklist(at(start))).hosts).toBe(none.hosts);
  fails = true;
  for (const later of [50_000, 50_001, 54_999, 55_000, 59_999]) {
    expect(await blocklist(at(start + later))).toEqual({ ...none, asOf: start });
  }
  expect(budgets).toHaveLength(3);
  expect(Math.max(...budgets.slice(1))).toBeLessThanOrEqual(1_000);
  fails = false;
  expect(await blocklist(at(start + 60_000))).toEqual({ ...some, asOf: start + 60_000 });
  vi.restoreAllMocks();
});

test('If no blocklist is known yet and it cannot be read, the visit fails.', async () => {
  const blocklist = remembering(async () => {
    throw unavailable();
  });
  await expect(blocklist(at(start))).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  await expect(blocklist(at(start + 1))).rejects.toMatchObject({ code: 'temporarily_unavailable' });
});
