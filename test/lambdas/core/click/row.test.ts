import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowDimensions } from '../../../../lambdas/core/click/click.ts';
import { bySequence, lineOf, rowsOfText, withoutDuplicates } from '../../../../lambdas/core/click/row.ts';
import { newRow } from '../../../support/things/rows.ts';

const rows = fc.array(
  fc
    .record({
      epoch: fc.nat(),
      visitor: fc.option(fc.string(), { nil: undefined }),
      ...Object.fromEntries(rowDimensions.map((dimension) => [dimension, fc.string({ unit: 'binary' })])),
    })
    .map((fields) => newRow(JSON.parse(JSON.stringify(fields)))),
);

test('Rows survive as lines of JSON, whatever their values are.', () => {
  fc.assert(
    fc.property(rows, (rows) => {
      expect(rowsOfText(rows.map(lineOf).join(''))).toEqual(rows);
    }),
  );
});

test("A row's line does not depend on the order of its fields.", () => {
  const row = newRow({ visitor: 'abc' });
  const reversed = Object.fromEntries(Object.entries(row).toReversed()) as typeof row;
  expect(lineOf(reversed)).toBe(lineOf(row));
});

test("A shard's rows sort by their sequence numbers as numbers.", () => {
  const numbers = ['9', '10', '1', '99999999999999999999', '100000000000000000000'];
  const sorted = numbers.map((sequenceNumber) => ({ sequenceNumber })).sort(bySequence);
  expect(sorted.map(({ sequenceNumber }) => BigInt(sequenceNumber))).toEqual(
    numbers.map(BigInt).sort((one, other) => (one < other ? -1 : 1)),
  );
});

test('Of rows with the same id, the first is taken.', () => {
  const [one, other] = [newRow(), newRow()];
  const again = { ...one, sequenceNumber: '7' };
  expect(withoutDuplicates([one, other, again, other])).toEqual([one, other]);
});
