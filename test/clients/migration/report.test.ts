import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countsOf, reportOf, tallyOf } from '../../../clients/migration/report.ts';
import type { Result } from '../../../clients/migration/results.ts';
import { unguarded } from '../../../lambdas/core/csv.ts';

const row = (index: number) => ({
  line: index + 2,
  source: { slug: `slug-${index}`, url: `https://example.org/${index}`, createdAt: '2020-01-01', clicks: '5' },
  notes: [],
});

const tableOf = (results: readonly Result[]): string => {
  const { add, table } = tallyOf();
  for (const result of results) add(result);
  return table();
};

describe('A report', () => {
  const results = (reason: string) => [
    { row: row(0), outcome: 'created', reason: '', shortUrl: 'https://go.example.com/slug-0' } as const,
    { row: { ...row(1), notes: ['a note'] }, outcome: 'refused', reason, shortUrl: '' } as const,
  ];

  test("A report has for each row the outcome, the former service's data, and how the file was read.", () => {
    expect(reportOf(results('no'), 'semicolon CSV').split('\r\n')[1]).toBe(
      '2,slug-0,https://example.org/0,created,,,https://go.example.com/slug-0,2020-01-01,5,semicolon CSV',
    );
  });

  const starts = [...'=+-@＝＋－＠\t\r\n'];
  test.for(starts)('A report prevents a spreadsheet from running a cell that begins with %j.', (start) => {
    expect(reportOf(results(`${start}cmd|' /C calc'!A0, "x"`), 'JSON')).toContain(`"'${start}cmd|' /C calc'!A0, ""x"""`);
  });

  test('A report quotes a cell with a semicolon.', () => {
    expect(reportOf(results('a;b'), 'JSON')).toContain(',"a;b",');
  });

  test('No cell begins with a formula, whether a spreadsheet separates cells by commas, semicolons or tabs.', () => {
    const text = fc.string({ unit: fc.constantFrom(...starts, ...'a ",;\'') });
    fc.assert(
      fc.property(text, (reason) => {
        const report = reportOf(results(reason), 'JSON');
        const cells = parse(report).flat() as string[];
        // With another separator, a quote within a cell has no meaning, so each separator begins a cell.
        const pieces = report.split(/[;\t\r\n]/).map((piece) => piece.replace(/^[ "]+/, ''));
        expect([...cells, ...pieces].filter((cell) => /^[ \t\r\n]*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
        expect(unguarded(cells[24] ?? '')).toBe(reason);
      }),
    );
  });

  test('The table counts the links that differ from their rows, but neither refused rows nor rows that were not reached.', () => {
    const lacking = { row: row(2), outcome: 'existing', reason: 'its rules were left out', shortUrl: '' } as const;
    const refused = { row: row(3), outcome: 'refused', reason: 'no', shortUrl: '' } as const;
    const unanswered = { row: row(4), outcome: 'not_reached', reason: 'the link may exist', shortUrl: '' } as const;
    expect(tableOf([lacking, refused, unanswered])).toContain('rows whose links differ from the file: 1;');
  });

  test('The printed report names refused rows, and sends no commands to the terminal.', () => {
    const table = tableOf(results('\u001b[31mred\u202e'));
    expect(table).toMatch(/^created +1$/m);
    expect(table).toMatch(/^refused +1$/m);
    expect(table).toContain('line 3: slug-1: ?[31mred?');
    expect(countsOf(results('no'))).toEqual({ created: 1, would_create: 0, existing: 0, refused: 1, not_reached: 0 });
  });
});
