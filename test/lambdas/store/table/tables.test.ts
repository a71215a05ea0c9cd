import { expect, test } from 'vitest';
import { type Prefix, tableNameOf, tableOf } from '../../../../lambdas/store/table/tables.ts';

test.for<`${Prefix}#*`>(['LINK#*', 'CLICK#*'])('The pattern %s of a policy belongs to the table of its keys.', (pattern) => {
  expect(tableOf(pattern)).toBe(tableOf(`${pattern.slice(0, -1)}x#y`));
});

test.for(['', '#', 'LINKS#x', 'link#x', 'constructor#x', 'toString'])('A key that begins with %j belongs to no table.', (pk) => {
  expect(() => tableNameOf({ pk })).toThrow('no table has partitions that begin with');
});
