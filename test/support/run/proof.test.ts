import { expect, test } from 'vitest';
import { isProof, someOf } from './proof.ts';

test('Each commit tries the given number of rows of a table, and over the commits, each row is tried.', () => {
  const rows = ['a', 'b', 'c', 'd', 'e'];
  const tried = Array.from({ length: 100 }, (_, commit) => someOf(rows, 'table', 2, String(commit)));
  for (const some of tried) expect(new Set(some)).toHaveLength(isProof ? rows.length : 2);
  expect(new Set(tried.flat())).toEqual(new Set(rows));
});
