import { expect, test } from 'vitest';
import { isOverdue, isToSeal, largeTail } from '../../../../lambdas/core/click/tail.ts';

const since = '2030-01-02T23:59:59.999Z';
const small = { bytes: 100, since };

test.for([
  ['2030-01-04T23:59:59.999Z', false, false],
  ['2030-01-05T00:00:00.000Z', true, false],
  ['2030-01-05T23:59:59.999Z', true, false],
  ['2030-01-06T00:00:00.000Z', true, true],
] as const)(
  'A small tail of the 2nd is due for sealing two days after that day (UTC), and overdue a day later: %s',
  ([now, due, overdue]) => {
    expect(isToSeal(small, Date.parse(now))).toBe(due);
    expect(isOverdue(small, Date.parse(now))).toBe(overdue);
  },
);

test('A tail of more than 8 MB is due for sealing at once.', () => {
  const now = Date.parse(since);
  expect(isToSeal({ bytes: largeTail, since }, now)).toBe(false);
  expect(isToSeal({ bytes: largeTail + 1, since }, now)).toBe(true);
});
