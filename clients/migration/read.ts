import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse';
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
 * Reads an export. Its first character tells JSON from CSV.
 *
 * @throws Error with a one-line message if the file is neither, is not UTF-8, or lacks columns that the format needs.
 */
export async function readRows(file: string, format: Format): Promise<RawRow[]> {
  const text = decode(await readFile(file));
  return /^\s*[[{]/.test(text) ? rowsOfJson(text, format) : rowsOfCsv(file, format);
}

/** @throws Error if the file is not UTF-8: guessing would put wrong letters into titles and URLs. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`line ${firstBadLine(bytes)} of the file is not UTF-8: save it as UTF-8 first`);
  }
}

/** Checks line by line, which is safe because no multi-byte character of UTF-8 contains the byte of a line feed. */
function firstBadLine(bytes: Buffer): number {
  let start = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    if (end < 0 || !isUtf8(bytes.subarray(start, end))) return line;
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

async function rowsOfCsv(file: string, format: Format): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  const said = (cell: string) => (format.emptyWords?.includes(cell) ? '' : format.isOwn ? unguarded(cell) : cell);
  let header: string[] | undefined;
  // A record with another number of cells is refused alone, and does not fail the whole file.
  const parser = createReadStream(file).pipe(parse({ bom: true, info: true, skip_empty_lines: true, relax_column_count: true }));
  try {
    for await (const { record, info } of parser) {
      if (header) rows.push(rowOf(header, record.map(said), info.lines));
      else header = checkHeader(record, format);
    }
  } catch (error) {
    throw new Error(`the CSV file cannot be read: ${(error as Error).message}`);
  }
  if (!header) throw new Error('the file is empty');
  return rows;
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
