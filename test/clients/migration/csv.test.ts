import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CsvRow, csvReader, type Dialect, dialectFinder, dialectName } from '../../../clients/migration/csv.ts';
import { csvOf, unguarded } from '../../../lambdas/core/csv.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs } from '../../support/run/proof.ts';

const rfc: Dialect = { delimiter: ',', hasBackslashes: false };
const columns: ReadonlySet<string> = new Set(['url', 'slug', 'title', 'tags']);
const isColumn = (name: string) => columns.has(name.trim().toLowerCase());

/** Reads a text in parts of that length. */
function rowsIn(text: string, dialect: Dialect, length = text.length + 1): CsvRow[] {
  const read = csvReader(dialect);
  const parts = Array.from({ length: Math.ceil(text.length / length) }, (_, n) => text.slice(n * length, (n + 1) * length));
  return [...parts.flatMap((part) => read(part, false)), ...read('', true)];
}

function dialectOf(text: string, length = text.length + 1): Dialect {
  const finder = dialectFinder(isColumn);
  for (let at = 0; at < text.length; at += length) if (finder.add(text.slice(at, at + length))) break;
  return finder.found();
}

/** Cells of characters that are special in CSV, and of any others. */
const cell = fc.oneof(
  fc.string({ unit: fc.constantFrom('"', '\\', ',', ';', '\t', '|', '\n', '\r\n', 'a', 'N', ' '), maxLength: 8 }),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.constantFrom('NULL', '\\N', '', '""', '\\"'),
);
const table = (most = 6) => fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: most });
const isEmpty = (row: readonly string[]) => row.every((one) => one === '');
const full = (rows: readonly (readonly string[])[]) => rows.filter((row) => !isEmpty(row));

/** How programs quote a cell. */
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const withBackslashes = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
const ifNeeded = (delimiter: string) => (text: string) =>
  /["\r\n]|^(NULL|\\N)$/.test(text) || text.includes(delimiter) ? quoted(text) : text;

describe('CSV', () => {
  test('in each dialect is read as it was written, whatever parts it arrives in.', () => {
    const delimiters = fc.constantFrom(',', ';', '\t', '|');
    const kinds = fc.constantFrom('all', 'needed', 'backslash');
    const ends = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(table(), delimiters, kinds, ends, fc.integer({ min: 1, max: 9 }), (rows, delimiter, kind, end, length) => {
        const write = { all: quoted, needed: ifNeeded(delimiter), backslash: withBackslashes }[kind];
        const text = rows.map((row) => `${row.map(write).join(delimiter)}${end}`).join('');
        const read = rowsIn(`x${end}${text}`, { delimiter, hasBackslashes: kind === 'backslash' }, length).slice(1);
        expect(read.filter(({ isOdd }) => isOdd)).toEqual([]);
        expect(read.map(({ cells }) => cells)).toEqual(full(rows));
      }),
      { numRuns: runs(500) },
    );
  });

  test('is read as csv-parse reads it, if csv-parse can.', () => {
    const texts = fc.string({ unit: fc.constantFrom('"', ',', '\n', 'a', ' ', 'b'), maxLength: 30 });
    const outside = (text: string): string[][] | undefined => {
      try {
        return parse(text, { relax_column_count: true, skip_empty_lines: true });
      } catch {
        return undefined;
      }
    };
    fc.assert(
      fc.property(texts, (text) => {
        const wanted = outside(text);
        if (wanted) expect(rowsIn(text, rfc).map(({ cells }) => cells)).toEqual(full(wanted));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('with NULL or \\N without quotes has empty cells there, and the words in quotes.', () => {
    expect(rowsIn('a,NULL,\\N,"NULL","\\N",nULL\n', rfc)[0]?.cells).toEqual(['a', '', '', 'NULL', '\\N', 'nULL']);
  });

  test('of this service is read as it was written, including cells that look like NULL.', () => {
    fc.assert(
      fc.property(table(), (rows) => {
        const [, ...read] = rowsIn(csvOf([['one', 'two'], ...rows]), rfc);
        expect(read.map(({ cells }) => cells.map(unguarded))).toEqual(full(rows));
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('A row whose quotes do not match', () => {
  const good = ['https://x.org/1,one,"One, ""1"""', 'https://x.org/2,two,Two', '"https://x.org/3","three","Three\nlines"'];
  test.for([
    ['a quote that is never closed', 'https://x.org/9,nine,"Nine'],
    ['a quote that is never closed at the start', '"https://x.org/9,nine,Nine'],
    ['text behind a quote', 'https://x.org/9,nine,"Nine" or ten'],
    ['a backslash before a quote', 'https://x.org/9,nine,"Nine \\"9\\" x"'],
  ] as const)('is refused with its line, and no other row is: %s, wherever it is.', ([, odd]) => {
    for (const position of [0, 1, 2, 3]) {
      const lines = good.toSpliced(position, 0, odd);
      const read = rowsIn(`url,slug,title\n${lines.join('\n')}\n`, rfc, 7).slice(1);
      expect(read.filter(({ isOdd }) => !isOdd).map(({ cells }) => cells[1])).toEqual(['one', 'two', 'three']);
      const before = lines.slice(0, position).join('\n').split('\n').length;
      expect(read.filter(({ isOdd }) => isOdd).map(({ line }) => line)).toEqual([position === 0 ? 2 : 2 + before]);
    }
  });

  test('does not include one with a quote inside an unquoted cell.', () => {
    const read = rowsIn('url,title\nhttps://x.org/1,5" nails\nhttps://x.org/2,Two\n', rfc);
    expect(read.map(({ cells }) => cells[1])).toEqual(['title', '5" nails', 'Two']);
  });

  test('loses no other line, however often it occurs: every line is either in a row or refused.', () => {
    const lines = fc.array(fc.string({ unit: fc.constantFrom('"', ',', 'a', 'b'), minLength: 1, maxLength: 8 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(lines, fc.integer({ min: 1, max: 5 }), (all, length) => {
        const text = all.map((line) => `${line}\n`).join('');
        const read = rowsIn(text, rfc, length);
        expect(read).toEqual(rowsIn(text, rfc));
        const ends = [...read.slice(1).map(({ line }) => line), all.length + 1];
        for (const [index, { line, cells, isOdd }] of read.entries()) {
          const lineEnds = cells.join('').split('\n').length - 1;
          // Between a row and the next one are only lines without content.
          const after = all.slice(line + (isOdd ? 0 : lineEnds), (ends[index] ?? 0) - 1);
          expect(after.filter((one) => /[ab]/.test(one))).toEqual([]);
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('does not swallow the rest of a large file.', () => {
    const many = Array.from({ length: 40_000 }, (_, n) => `https://x.org/page-${n},slug-${n},Title\n`).join('');
    const read = rowsIn(`url,slug,title\nhttps://x.org/9,nine,"Nine\n${many}`, rfc, 65_536).slice(1);
    expect(read.filter(({ isOdd }) => isOdd).map(({ line }) => line)).toEqual([2]);
    expect(read).toHaveLength(40_001);
    expect(read.at(-1)).toMatchObject({ line: 40_002, isOdd: false });
  });
});

describe('The dialect of a file', () => {
  const row = ['https://x.org/?a=1;b=2', 'one', 'A "title", and more', 'news|press'];
  const written = (delimiter: string, write: (text: string) => string) =>
    [['url', 'slug', 'title', 'tags'], row].map((cells) => cells.map(write).join(delimiter)).join('\r\n');
  test.for([
    ['Excel, LibreOffice and Google Sheets', written(',', ifNeeded(',')), 'comma CSV'],
    ['Excel where numbers have a decimal comma', written(';', ifNeeded(';')), 'semicolon CSV'],
    ['Excel with its line for the delimiter', `sep=;\r\n${written(';', ifNeeded(';'))}`, 'semicolon CSV'],
    ['Excel as text with tabs', written('\t', ifNeeded('\t')), 'tab CSV'],
    ['phpMyAdmin', written(',', quoted), 'comma CSV'],
    ['phpMyAdmin 3, which escapes with a backslash', written(';', withBackslashes), 'semicolon CSV with backslashes'],
    ['MySQL, with quotes', written(',', withBackslashes), 'comma CSV with backslashes'],
    ['sqlite3 with pipes', written('|', ifNeeded('|')), 'pipe CSV'],
  ] as const)('is recognised, and the cells are right: %s.', ([, text, name]) => {
    for (const length of [1, 3, 1_000]) {
      const dialect = dialectOf(text, length);
      expect(dialectName(dialect)).toBe(name);
      expect(rowsIn(text, dialect).map(({ cells }) => cells)).toEqual([['url', 'slug', 'title', 'tags'], row]);
    }
  });

  test('of a table with tabs and \\N has backslashes, as PostgreSQL and MySQL write it.', () => {
    const text = 'url\tslug\ttitle\nhttps://x.org/\t\\N\tOne\\ttwo\\nC:\\\\new "x"\n';
    const dialect = dialectOf(text);
    expect(dialectName(dialect)).toBe('tab CSV with backslashes');
    expect(rowsIn(text, dialect)[1]?.cells).toEqual(['https://x.org/', '', 'One\ttwo\nC:\\new "x"']);
  });

  test('of an export of this service is always recognised, whatever the links are.', () => {
    fc.assert(
      fc.property(table(), (rows) => {
        const text = csvOf([['url', 'slug', 'title'], ...rows]);
        expect(dialectOf(text, 5)).toEqual(rfc);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('does not depend on the parts in which the file arrives.', () => {
    const texts = fc.string({ unit: fc.constantFrom('"', '\\', ',', ';', '\t', '\n', 'a', 'url', 'N'), maxLength: 30 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, length) => {
        const whole = `url\tslug\n${text}\n`;
        expect(dialectOf(whole, length)).toEqual(dialectOf(whole));
      }),
      { numRuns: runs(500) },
    );
  });
});
