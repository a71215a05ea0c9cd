import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestWaitMs } from '../../../../lambdas/core/webhook/delivery.ts';
import { healthAfter, healthy, type ReceiverHealth } from '../../../../lambdas/core/webhook/receiver.ts';

const hour = 60 * 60_000;
const start = Date.parse('2030-01-02T03:04:05.678Z');
const timeAt = (ms: number) => new Date(start + ms).toISOString();

/** The health after an attempt that takes a second. @param ms when it begins, since `start` */
const after = (health: ReceiverHealth, ms: number, status: number | null) => {
  const error = status === 200 ? null : `status_${status}`;
  return healthAfter(health, { at: timeAt(ms), status, ms: 1_000, error, response: null }, start + ms + 1_000);
};

test('A success makes a receiver healthy, whatever happened before.', () => {
  const some = fc.record<ReceiverHealth>({
    failingSince: fc.constantFrom(null, timeAt(-hour)),
    failedAt: fc.constantFrom(null, timeAt(-hour)),
    error: fc.constantFrom(null, 'timeout'),
    redirectsTo: fc.constantFrom(null, 'https://www.example.com/'),
    stopped: fc.constantFrom(null, 'paused', 'gone'),
    stoppedAt: fc.constantFrom(null, timeAt(-hour)),
  });
  fc.assert(
    fc.property(some, (health) => {
      expect(after(health, 0, 200)).toEqual(healthy);
    }),
  );
});

test('A receiver is failing since its first failure, unless no attempt was made for longer than any retry waits.', () => {
  const first = after(healthy, 0, 500);
  expect(first).toEqual({ ...healthy, failingSince: timeAt(0), failedAt: timeAt(0), error: 'status_500' });
  const longest = longestWaitMs + 2 * hour;
  expect(after(first, longest, null)).toMatchObject({ failingSince: timeAt(0), failedAt: timeAt(longest) });
  expect(after(first, longest + 1, null)).toMatchObject({ failingSince: timeAt(longest + 1) });
});

test('A receiver is paused after failing for three days, and gone at the first 410.', () => {
  const failing = { ...healthy, failingSince: timeAt(0), failedAt: timeAt(71 * hour), error: 'timeout' };
  expect(after(failing, 72 * hour - 1_001, 500)).toMatchObject({ stopped: null, stoppedAt: null });
  expect(after(failing, 72 * hour - 1_000, 500)).toMatchObject({ stopped: 'paused', stoppedAt: timeAt(72 * hour) });
  expect(after(healthy, 0, 410)).toMatchObject({ stopped: 'gone', stoppedAt: timeAt(1_000) });
});

test('A stopped receiver stays as it is after further failures.', () => {
  let health = after(healthy, 0, 410);
  for (const hours of [25, 50, 75]) health = after(health, hours * hour, 500);
  expect(health).toMatchObject({ stopped: 'gone', stoppedAt: timeAt(1_000), failingSince: timeAt(0), error: 'status_500' });
});
