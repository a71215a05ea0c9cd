import { expect, test } from 'vitest';
import { sized, someOf } from './proof.ts';

test('Each commit tries one row of a table, and over the commits, each row is tried.', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'];
  const tried = Array.from({ length: 100 }, (_, commit) => someOf(rows, 'table', String(commit)));
  for (const some of tried) expect(some).toHaveLength(sized(1, rows.length));
  expect(new Set(tried.flat())).toEqual(new Set(rows));
});
