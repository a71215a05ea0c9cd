import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memory } from '../../../lambdas/runtime/memory.ts';

const forMs = 1_000;

test('A value is remembered from when it was read until it expires, and not at earlier times, as after a clock was set back.', () => {
  fc.assert(
    fc.property(fc.integer({ min: -2_000, max: 2_000 }), fc.option(fc.string(), { nil: undefined }), (later, value) => {
      const values = memory<string | undefined>({ forMs, most: 10 });
      values.set('a', value, 5_000);
      const known = values.get('a', 5_000 + later);
      if (later >= 0 && later < forMs) expect(known).toMatchObject({ value });
      else expect(known).toBeUndefined();
    }),
  );
});

test('Each key has its own value, and the newest one counts.', () => {
  const values = memory<number>({ forMs, most: 10 });
  values.set('a', 1, 0);
  values.set('b', 2, 0);
  values.set('a', 3, 500);
  expect([values.get('a', 1_200)?.value, values.get('b', 999)?.value, values.get('c', 0)]).toEqual([3, 2, undefined]);
});

test('However many keys there are, no more values than fit are kept, and always the newest.', () => {
  const values = memory<number>({ forMs, most: 3 });
  for (let key = 0; key < 10; key++) {
    values.set(String(key), key, 0);
    expect(values.get(String(key), 0)?.value).toBe(key);
    const kept = Array.from({ length: 10 }, (_, one) => values.get(String(one), 0)).filter(Boolean);
    expect(kept.length).toBeLessThanOrEqual(3);
  }
});
