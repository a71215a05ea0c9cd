import { unguarded } from '../../lambdas/core/csv.ts';
import { type CsvRow, csvReader, type Dialect, dialectFinder, dialectName } from './csv.ts';
import { checkAddresses, checkColumns, isColumnOf } from './fields.ts';
import type { Format } from './formats.ts';

/** A row of an export. */
export type RawRow = {
  /** In CSV the line on which the row begins, in JSON its position in the list; both from 1. */
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Why the row cannot be read. */
  readonly problem?: string;
};

/** An export that was read. */
export type ReadFile = {
  readonly rows: readonly RawRow[];
  /** How it is written: the name of its dialect of CSV, or `JSON`. */
  readonly dialect: string;
};

/**
 * Reads an export as a whole, in Node and in browsers. Its first character tells JSON from CSV.
 *
 * @throws Error with a one-line message if the file is neither, has the wrong encoding, or lacks columns that the
 * format needs.
 */
export function readFile(file: Uint8Array, format: Format): ReadFile {
  const text = decode(file);
  if (isJson(text)) return { rows: rowsOfJson(text, format), dialect: 'JSON' };
  const finder = dialectFinder(isColumnOf(format));
  finder.add(text);
  const dialect = finder.found();
  return { rows: csvRows(format, dialect)(text, true), dialect: dialectName(dialect) };
}

/** The rows of an export as a whole. */
export const rowsOf = (file: Uint8Array, format: Format): readonly RawRow[] => readFile(file, format).rows;

/** Whether a file is JSON, by its start. */
export const isJson = (start: string): boolean => /^\s*[[{]/.test(start);

/**
 * Decodes a file part by part: UTF-8, or UTF-16 with a byte order mark, as Excel's "Unicode Text".
 *
 * @param whole the file, to say where it is wrong.
 * @returns a function that decodes a part. `isLast` is for the last one, which may be empty. It throws an Error if the
 * bytes are wrong: guessing would put wrong letters into titles and URLs.
 */
export function decoderOf(whole: () => Uint8Array): (part: Uint8Array, isLast: boolean) => string {
  let decode: Decode | undefined;
  return (part, isLast) => {
    decode ??= decodeAs(encodingOf(part));
    try {
      return decode(part, { stream: !isLast });
    } catch {
      throw new Error(`line ${firstBadLine(whole())} of the file is not UTF-8: save it as UTF-8 first`);
    }
  };
}

type Decode = (bytes: Uint8Array, options: { readonly stream: boolean }) => string;

function decodeAs(encoding: string): Decode {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes, options) => decoder.decode(bytes, options);
}

const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';

/** The text of a file. @throws Error if its encoding is wrong */
export const decode = (file: Uint8Array): string => decoderOf(() => file)(file, true);

/** Checks line by line, which is safe because no multi-byte character of UTF-8 contains the byte of a line feed. */
function firstBadLine(bytes: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let start = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    try {
      if (end < 0) return line;
      decoder.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
}

function rowsOfJson(text: string, format: Format): RawRow[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new Error(`the file is not JSON: ${(error as Error).message}`);
  }
  const list = format.list(document);
  if (!Array.isArray(list))
    throw new Error('the file has no list of links where exports of this service have it: choose the right service');
  const rows = list.map((values, index) => {
    if (typeof values !== 'object' || values === null) throw new Error(`entry ${index + 1} of the list is not an object`);
    return { line: index + 1, values };
  });
  checkAddresses(new Set(rows.flatMap(({ values }) => Object.keys(values))), format);
  return rows;
}

/**
 * Reads a CSV file part by part: first its header, then its rows.
 *
 * @returns the rows that end in a part. `isLast` is for the last one, which may be empty. It throws an Error if the
 * file is empty, a column appears twice, a required one is missing, or one seems to contain addresses but is not read.
 */
export function csvRows(format: Format, dialect: Dialect): (part: string, isLast: boolean) => RawRow[] {
  const read = csvReader(dialect);
  const said = (cell: string) => (format.emptyWords?.includes(cell) ? '' : format.isOwn ? unguarded(cell) : cell);
  let names: readonly string[] | undefined;
  return (part, isLast) => {
    const rows = read(part, isLast);
    if (!names) {
      const header = rows.shift();
      if (header) names = checkHeader(header, format);
      else if (isLast) throw new Error('the file is empty');
    }
    return rows.map(({ cells, ...row }) => rowOf(names ?? [], { ...row, cells: cells.map(said) }));
  };
}

function rowOf(header: readonly string[], { line, cells, isOdd }: CsvRow): RawRow {
  const values = Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));
  if (isOdd) return { line, values, problem: 'its quotes do not match: one is missing, or one within a cell is not doubled' };
  // Delimiters at the end of a row do not begin further cells.
  if (cells.length >= header.length && cells.slice(header.length).every((cell) => cell === '')) return { line, values };
  return { line, values, problem: `it has ${cells.length} columns, but the first line has ${header.length}` };
}

/** Returns the column names in lower case. @throws Error see `csvRows` */
function checkHeader({ cells, isOdd }: CsvRow, format: Format): string[] {
  if (isOdd) throw new Error('the quotes of the first line, which names the columns, do not match');
  const names = cells.map((name) => name.trim().toLowerCase());
  checkColumns(names, format);
  return names;
}
