import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memory } from '../../../lambdas/runtime/memory.ts';

const forMs = 1_000;
/** A time at which both clocks agree. */
const at = (time: number) => ({ wall: time, steady: time });

test('A value is cached from when its read was sent until it expires by either clock, and not while a clock shows an earlier time.', () => {
  const passed = fc.oneof(fc.integer({ min: -2_000, max: 2_000 }), fc.constantFrom(-1, 0, forMs - 1, forMs));
  fc.assert(
    fc.property(passed, passed, fc.option(fc.string(), { nil: undefined }), (wall, steady, value) => {
      const values = memory<string | undefined>({ forMs, most: 10 });
      values.set('a', value, { wall: 5_000, steady: 70_000 });
      const known = values.get('a', { wall: 5_000 + wall, steady: 70_000 + steady });
      if (Math.min(wall, steady) >= 0 && Math.max(wall, steady) < forMs) expect(known).toMatchObject({ value });
      else expect(known).toBeUndefined();
    }),
  );
});

test('Each key has its own newest value.', () => {
  const values = memory<number>({ forMs, most: 10 });
  values.set('a', 1, at(0));
  values.set('b', 2, at(0));
  values.set('a', 3, at(500));
  expect([values.get('a', at(1_200))?.value, values.get('b', at(999))?.value, values.get('c', at(0))]).toEqual([3, 2, undefined]);
});

test('Of two concurrent reads, the value of the one that was sent later is kept, whichever returns first.', () => {
  for (const answered of [
    [1, 2],
    [2, 1],
  ]) {
    const values = memory<number>({ forMs, most: 10 });
    for (const sent of answered) values.set('a', sent, at(sent));
    expect(values.get('a', at(2))?.value).toBe(2);
  }
});

test('However many keys there are, only the newest values that fit are kept.', () => {
  const values = memory<number>({ forMs, most: 3 });
  for (let key = 0; key < 10; key++) {
    values.set(String(key), key, at(0));
    expect(values.get(String(key), at(0))?.value).toBe(key);
    const kept = Array.from({ length: 10 }, (_, one) => values.get(String(one), at(0))).filter(Boolean);
    expect(kept.length).toBeLessThanOrEqual(3);
  }
});

test('A new value of a cached key evicts nothing, even if the cache is full.', () => {
  const values = memory<number>({ forMs, most: 2 });
  for (const key of ['a', 'b', 'b', 'a']) values.set(key, 1, at(0));
  expect([values.get('a', at(0)), values.get('b', at(0))]).toMatchObject([{ value: 1 }, { value: 1 }]);
});
