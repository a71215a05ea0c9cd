import { trimmed } from '../../../lambdas/core/invisible.ts';
import { isSlug } from '../../../lambdas/core/link/slug.ts';
import { csvReader } from '../../migration/csv.ts';
import { foldName, isColumnOf } from '../../migration/fields.ts';
import { formats } from '../../migration/formats.ts';
import type { ReadFile } from '../../migration/read.ts';
import { addressesIn, addressIn } from '../service/destination.ts';

// Addresses as people copy them: a list, or cells of a spreadsheet, which are separated by tabs and need no column
// names.

/** The meaning of the first unnamed column beside the addresses. */
export type Beside = 'slug' | 'title';

export type PastedTable = ReadFile & {
  /** Undefined if there is no such column. */
  readonly beside: Beside | undefined;
};

const isKnown = isColumnOf(formats.csv);
const isUrl = (name: string): boolean => foldName(name) === 'url';

/** The cells, row by row. A row of only addresses is a list of them, unless it is one of several rows with columns. */
function cellsOf(text: string): (readonly string[])[] {
  const rows = csvReader({ delimiter: '\t', hasBackslashes: false })(text, true).map(({ cells }) => cells.map(trimmed));
  return rows.flatMap((cells) => {
    const list =
      rows.length === 1 || cells.filter((cell) => cell !== '').length === 1 ? addressesIn(cells.join('\t')) : undefined;
    return list && list.length > 1 ? list.map((address) => [address]) : [cells];
  });
}

/**
 * Reads a pasted text as a file of this service's own format. Its first row may name the columns. Otherwise, the column
 * with most addresses has the destinations; each next one has slugs, if all of its cells could be slugs, or titles.
 *
 * @param wanted what the first of these has instead.
 */
export function readTable(text: string, wanted?: Beside): PastedTable {
  const all = cellsOf(text);
  const columns = all.reduce((most, { length }) => Math.max(most, length), 0);
  const counts = Array.from({ length: columns }, (_, at) => all.filter((row) => addressIn(row[at] ?? '') !== undefined).length);
  const url = counts.indexOf(Math.max(...counts));
  const [first = []] = all;
  const hasHeader =
    addressIn(first[url] ?? '') === undefined && first.some((name, at) => at !== url && isKnown(name) && !isUrl(name));
  const rows = hasHeader ? all.slice(1) : all;
  const names: string[] = [];
  let beside: Beside | undefined;
  for (let at = 0; at < columns; at++) {
    const cells = rows.map((row) => row[at] ?? '').filter((cell) => cell !== '');
    const name = hasHeader ? (first[at] ?? '').toLowerCase() : '';
    const guess = cells.every(isSlug) ? 'slug' : 'title';
    if (at === url) names.push('url');
    else if (cells.length === 0) names.push('');
    else if (name !== '' && !isUrl(name) && !names.includes(name)) names.push(name);
    else if (hasHeader || names.includes(guess)) names.push(`column ${at + 1}`);
    else if (beside === undefined) {
      beside = wanted ?? guess;
      names.push(beside);
    } else names.push(guess);
  }
  return {
    rows: rows.map((row, index) => ({
      line: index + (hasHeader ? 2 : 1),
      values: Object.fromEntries(
        names.flatMap((name, at) => {
          const cell = row[at] ?? '';
          return name === '' ? [] : [[name, at === url ? (addressIn(cell) ?? cell) : cell]];
        }),
      ),
    })),
    dialect: `pasted text (${names.filter((name) => name !== '').join(', ')})`,
    beside,
  };
}
