import { foldName, ignoredColumns } from './fields.ts';
import { type Format, type FormatName, formats } from './formats.ts';
import { type ReadFile, readFile } from './read.ts';

/** A file that is read in one of the formats. */
export type Guess = ReadFile & { readonly format: FormatName };

const names = Object.keys(formats) as FormatName[];

/**
 * The format that reads most of the columns of a file, and its rows. If several read the same, it is the first one.
 *
 * @returns undefined if the file lacks columns that each format needs, or is neither CSV nor JSON.
 */
export function guessOf(file: Uint8Array): Guess | undefined {
  let best: (Guess & { readonly ignored: number }) | undefined;
  for (const name of names) {
    const format: Format = formats[name];
    const read = readOrNone(file, format);
    // JSON has no header: a format that finds no destination in the first entry is not the one.
    if (!read || !hasDestination(read, format)) continue;
    // Without rows, no format is more likely than another.
    const ignored = read.rows.length === 0 ? Number.POSITIVE_INFINITY : ignoredColumns(read.rows, format).length;
    if (!best || ignored < best.ignored) best = { ...read, format: name, ignored };
  }
  return best && { format: best.format, rows: best.rows, dialect: best.dialect };
}

function readOrNone(file: Uint8Array, format: Format): ReadFile | undefined {
  try {
    return readFile(file, format);
  } catch {
    return undefined;
  }
}

function hasDestination({ rows: [first] }: ReadFile, { columns }: Format): boolean {
  const has = new Set(Object.keys(first?.values ?? {}).map(foldName));
  return first === undefined || columns.url.some((name) => has.has(foldName(name)));
}
