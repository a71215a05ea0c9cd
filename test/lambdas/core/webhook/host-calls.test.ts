import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HostCalls, latestMs, leaveHost, pauseAt, takeCalls } from '../../../../lambdas/core/webhook/host-calls.ts';

const nothing: HostCalls = { nextCallAt: 0, runs: {} };
const until = Number.POSITIVE_INFINITY;
const patienceMs = 5_000;
const receiver = (number: number) => `receiver-${number}`;

const step = fc.record({
  /** Milliseconds since the step before. */
  after: fc.nat(3_000),
  receiver: fc.nat(24).map(receiver),
  /** How many calls the receiver's run wants to make; it leaves if it wants none. */
  wanted: fc.nat(50),
});

test('Whatever runs take times and leave, no second has more calls than the rate, even if calls begin late, and at most 20 calls are under way, ten of one URL.', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.integer({ min: 1, max: 500 }), (steps, rate) => {
      let host = nothing;
      let now = 1_000_000;
      const times: number[] = [];
      for (const { after, receiver, wanted } of steps) {
        now += after;
        if (wanted === 0) {
          host = leaveHost(host, receiver) ?? host;
          continue;
        }
        const grant = takeCalls(host, { receiver, wanted, patienceMs, until }, pauseAt(rate), now);
        if (!grant) continue;
        host = grant.host;
        times.push(...grant.times);
        expect(grant.times.length).toBeLessThanOrEqual(Math.min(wanted, grant.concurrency));
        expect(grant.times[0]).toBeGreaterThanOrEqual(now);
        const under = Object.values(host.runs).map(({ concurrency }) => concurrency);
        expect(Math.max(...under)).toBeLessThanOrEqual(10);
        expect(under.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(20);
      }
      // Calls that begin within a second have times within that second, or just before it.
      for (const from of times) {
        expect(times.filter((at) => at >= from && at < from + 1_000 + latestMs - 0.001).length).toBeLessThanOrEqual(rate);
      }
    }),
  );
});

test('While some URLs hang with as many calls as they may have, others still get a call.', () => {
  let host = nothing;
  for (let number = 0; number < 4; number++) {
    const grant = takeCalls(host, { receiver: receiver(number), wanted: 50, patienceMs, until }, pauseAt(10_000), 1_000_000);
    host = grant?.host ?? host;
    expect(grant?.concurrency).toBeGreaterThanOrEqual(1);
  }
  expect(takeCalls(host, { receiver: 'other', wanted: 50, patienceMs, until }, pauseAt(10_000), 1_000_000)?.concurrency).toBe(1);
});

test('The calls of a run that died are free again once it would have ended.', () => {
  const runs = Object.fromEntries([0, 1].map((number) => [receiver(number), { concurrency: 10, until: 90_000 }]));
  const other = { receiver: 'other', wanted: 3, patienceMs, until: 180_000 };
  expect(takeCalls({ nextCallAt: 0, runs }, other, 44, 89_999)).toBeUndefined();
  expect(takeCalls({ nextCallAt: 0, runs }, other, 44, 90_000)?.host.runs).toEqual({ other: { concurrency: 3, until: 180_000 } });
});

test('No run takes times that are further ahead than it can wait.', () => {
  const one = { receiver: 'one', wanted: 1, patienceMs, until };
  expect(takeCalls({ nextCallAt: 15_001, runs: {} }, one, 44, 10_000)).toBeUndefined();
  expect(takeCalls({ nextCallAt: 15_000, runs: {} }, one, 44, 10_000)?.times).toEqual([15_000]);
  expect(takeCalls({ nextCallAt: 15_000, runs: {} }, { ...one, wanted: 10 }, 44, 10_000)?.times).toEqual([15_000]);
  // However slow the rate, one call is possible.
  expect(takeCalls(nothing, { ...one, wanted: 10 }, pauseAt(0.01), 10_000)?.times).toEqual([10_000]);
});

test('A run with one call at a time and no other run of the host leaves without a write; others need one.', () => {
  const one = { concurrency: 1, until };
  expect(leaveHost({ nextCallAt: 7, runs: { one } }, 'one')).toBeUndefined();
  expect(leaveHost({ nextCallAt: 7, runs: { other: one } }, 'one')).toBeUndefined();
  expect(leaveHost({ nextCallAt: 7, runs: { one: { concurrency: 2, until } } }, 'one')).toEqual({ nextCallAt: 7, runs: {} });
  expect(leaveHost({ nextCallAt: 7, runs: { one, other: one } }, 'one')).toEqual({ nextCallAt: 7, runs: { other: one } });
});
