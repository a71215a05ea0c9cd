import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf, unguarded } from '../../../lambdas/core/csv.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs } from '../../support/run/proof.ts';

/** Cells of characters that matter to the guard, of any characters, and of texts that somebody might write by hand. */
const cells = fc.oneof(
  fc.string({ unit: fc.constantFrom("'", '=', '-', '＝', ' ', '"', '\t', '\r', '\n', ';', ',', 'a'), maxLength: 12 }),
  fc.string({ unit: anyCharacter }),
  fc.constantFrom('=1+1', "'=1+1", "''@x", " ' -x"),
);

test('Each cell of CSV is unchanged once it is read and its guard is removed.', () => {
  fc.assert(
    fc.property(fc.array(fc.array(cells, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 4 }), (rows) => {
      const text = csvOf([['one', 'two'], ...rows]);
      const read: string[][] = parse(text, { from: 2, skip_empty_lines: true });
      expect(read.map((row) => row.map(unguarded))).toEqual(rows);
    }),
    { numRuns: runs(500) },
  );
});

test('No cell begins a formula, even for spreadsheets that end cells at semicolons, tabs and lines.', () => {
  fc.assert(
    fc.property(cells, (cell) => {
      const [[read = ''] = []] = parse(csvOf([[cell, 'x']])) as string[][];
      for (const part of read.split(/[;\t\r\n]/)) expect(part).not.toMatch(/^[ "]*[=+\-@＝＋－＠]/);
    }),
    { numRuns: runs(500) },
  );
});
