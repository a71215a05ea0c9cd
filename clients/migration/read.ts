// The same build in Node and in browsers, which have no `Buffer`.
import { parse } from 'csv-parse/browser/esm/sync';
import { unguarded } from '../../lambdas/views/csv.ts';
import type { Format } from './formats.ts';

/** A row of an export. */
export type RawRow = {
  /** In CSV the line on which the row ends, in JSON its position in the list; both from 1. */
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Why the row cannot be read, if it cannot. */
  readonly problem?: string;
};

/**
 * Reads an export, in Node and in browsers. Its first character tells JSON from CSV.
 *
 * @throws Error with a one-line message if the file is neither, is not UTF-8, or lacks columns that the format needs.
 */
export function rowsOf(file: Uint8Array, format: Format): RawRow[] {
  const text = utf8(file);
  return isJson(text) ? rowsOfJson(text, format) : rowsOfCsv(text, format);
}

/** Whether a file is JSON, by its start. */
export const isJson = (start: string): boolean => /^\s*[[{]/.test(start);

const textIn = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

/** The text of a file. @throws Error if it is not UTF-8: guessing would put wrong letters into titles and URLs. */
export function utf8(bytes: Uint8Array): string {
  try {
    return textIn(bytes);
  } catch {
    throw notUtf8(bytes);
  }
}

/** Names the first line of a file that is not UTF-8. */
export const notUtf8 = (bytes: Uint8Array): Error =>
  new Error(`line ${firstBadLine(bytes)} of the file is not UTF-8: save it as UTF-8 first`);

/** Checks line by line, which is safe because no multi-byte character of UTF-8 contains the byte of a line feed. */
function firstBadLine(bytes: Uint8Array): number {
  let start = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    try {
      if (end < 0) return line;
      textIn(bytes.subarray(start, end));
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
  if (!Array.isArray(list)) throw new Error('the list of links is not where exports of this service have it');
  return list.map((values, index) => {
    if (typeof values !== 'object' || values === null) throw new Error(`entry ${index + 1} of the list is not an object`);
    return { line: index + 1, values };
  });
}

function rowsOfCsv(text: string, format: Format): RawRow[] {
  const { header, rowOf } = csvReader(format);
  const [first, ...records] = recordsIn(text);
  if (!first) throw emptyFile();
  header(first);
  return records.map(rowOf);
}

export const emptyFile = () => new Error('the file is empty');

/** A line of a CSV file, and the number of the line on which it ends. */
export type CsvRecord = { readonly record: string[]; readonly info: { readonly lines: number } };

/** How CSV is parsed. A record with another number of cells is refused alone, and does not fail the whole file. */
export const csvOptions = { bom: true, info: true, skip_empty_lines: true, relax_column_count: true } as const;

export const unreadableCsv = (error: unknown) => new Error(`the CSV file cannot be read: ${(error as Error).message}`);

/**
 * Reads a CSV file record by record: first its header, then its rows.
 *
 * @throws Error (`header`) if a column is duplicate, or a required one is missing.
 */
export function csvReader(format: Format) {
  const said = (cell: string) => (format.emptyWords?.includes(cell) ? '' : format.isOwn ? unguarded(cell) : cell);
  let names: readonly string[] = [];
  return {
    header: ({ record }: CsvRecord): void => {
      names = checkHeader(record, format);
    },
    rowOf: ({ record, info }: CsvRecord): RawRow => rowOf(names, record.map(said), info.lines),
  };
}

function recordsIn(text: string): CsvRecord[] {
  try {
    return parse(text, csvOptions) as unknown as CsvRecord[];
  } catch (error) {
    throw unreadableCsv(error);
  }
}

function rowOf(header: readonly string[], record: readonly string[], line: number): RawRow {
  const values = Object.fromEntries(header.map((name, index) => [name, record[index] ?? '']));
  if (record.length === header.length) return { line, values };
  return { line, values, problem: `it has ${record.length} columns, but the first line has ${header.length}` };
}

/** Returns the column names in lower case. @throws Error if a column is duplicate, or a required one is missing. */
function checkHeader(header: readonly string[], { columns, makesSlugs }: Format): string[] {
  const names = header.map((name) => name.trim().toLowerCase());
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`the column "${twice}" appears twice`);
  const { url, slug = [], shortUrl = [] } = columns;
  for (const needed of makesSlugs ? [url] : [url, [...slug, ...shortUrl]]) {
    if (needed.some((name) => names.includes(name.toLowerCase()))) continue;
    throw new Error(`there is no column ${needed.map((name) => `"${name}"`).join(' or ')}`);
  }
  return names;
}
