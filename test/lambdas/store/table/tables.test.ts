import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Prefix, tableNameOf, tableOf } from '../../../../lambdas/store/table/tables.ts';

/** The rows of the chart in `keys.ts`: the table and the prefix of each kind of item. */
const chart = [
  ...readFileSync('lambdas/store/table/keys.ts', 'utf8').matchAll(/^ \* \| (?!item|-)[^|]+\| (\w+) +\| (\w+)#/gm),
].map(([, table, prefix]) => ({ table, prefix }));

test('Each item of the chart is in the table that the prefix of its key says.', () => {
  expect(chart.length).toBeGreaterThan(15);
  for (const { table, prefix } of chart) expect([prefix, tableOf(`${prefix}#x`)]).toEqual([prefix, table]);
});

test('No item of a table has a prefix that is missing from the chart.', () => {
  const source = readFileSync('lambdas/store/table/tables.ts', 'utf8');
  const prefixes = [...source.matchAll(/^ {2}([A-Z]+): '/gm)].map(([, prefix]) => prefix);
  expect([...new Set(chart.map(({ prefix }) => prefix))].sort()).toEqual(prefixes);
});

test.for<`${Prefix}#*`>(['LINK#*', 'CLICK#*'])('The pattern %s of a policy has the table of its keys.', (pattern) => {
  expect(tableOf(pattern)).toBe(tableOf(`${pattern.slice(0, -1)}x#y`));
});

test.for(['', '#', 'LINKS#x', 'link#x', 'constructor#x', 'toString'])('A key that begins as %j is in no table.', (pk) => {
  expect(() => tableNameOf({ pk })).toThrow('no table has partitions that begin with');
});
