import { ignoredColumns } from './fields.ts';
import { type Format, type FormatName, formats } from './formats.ts';
import { type RawRow, rowsOf } from './read.ts';

/** The rows of a file in one of the formats. */
export type Guess = { readonly format: FormatName; readonly rows: readonly RawRow[] };

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
    const rows = rowsOrNone(file, format);
    // JSON has no header: a format that finds no destination in the first entry is not the one.
    if (!rows || !hasDestination(rows, format)) continue;
    // Without rows, nothing speaks for a format.
    const ignored = rows.length === 0 ? Number.POSITIVE_INFINITY : ignoredColumns(rows, format).length;
    if (!best || ignored < best.ignored) best = { format: name, rows, ignored };
  }
  return best && { format: best.format, rows: best.rows };
}

function rowsOrNone(file: Uint8Array, format: Format): RawRow[] | undefined {
  try {
    return rowsOf(file, format);
  } catch {
    return undefined;
  }
}

function hasDestination([first]: readonly RawRow[], { columns }: Format): boolean {
  const has = new Set(Object.keys(first?.values ?? {}).map((name) => name.trim().toLowerCase()));
  return first === undefined || columns.url.some((name) => has.has(name.toLowerCase()));
}
