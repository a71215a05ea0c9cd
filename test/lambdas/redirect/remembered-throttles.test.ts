import { expect, test } from 'vitest';
import { throttleMemory } from '../../../lambdas/redirect/remembered-throttles.ts';

/** A time at which both clocks agree. */
const at = (time: number) => ({ wall: time, steady: time });

test('A table is expected to be busy for exactly a second after it throttled a write.', () => {
  const throttles = throttleMemory();
  expect(throttles.isBusy(at(0))).toBe(false);
  throttles.throttled(at(0));
  throttles.throttled(at(20));
  expect([throttles.isBusy(at(1_019)), throttles.isBusy(at(1_020))]).toEqual([true, false]);
});

test('A clock that is set back does not make a function expect a busy table for longer.', () => {
  const throttles = throttleMemory();
  throttles.throttled({ wall: 10_000, steady: 10 });
  expect(throttles.isBusy({ wall: 9_999, steady: 11 })).toBe(false);
  expect(throttles.isBusy({ wall: 10_001, steady: 11 })).toBe(true);
});
