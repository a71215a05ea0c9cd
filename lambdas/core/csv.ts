/** Rows as CSV (RFC 4180). No cell is interpreted as a formula by spreadsheets. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');

/** The characters that begin a formula in a spreadsheet: ASCII signs and their full-width forms. */
const formula = '[=+\\-@＝＋－＠]';

/**
 * Where a formula could begin: at the start of a cell, and after a character that some spreadsheets treat as the end of
 * a cell even within quotes. Many in Europe separate cells by semicolons, and treat a quote in the middle of a cell as
 * text.
 */
const cellStart = '(?<=^|[;\\t\\r\\n])';
/** Apostrophes are included, so that `unguarded` can tell which ones were added. */
const follows = `(?=[ '"\\t\\r\\n]*${formula}|'*[\\t\\r\\n])`;
const formulaStarts = new RegExp(`${cellStart}${follows}`, 'g');
const guards = new RegExp(`${cellStart}'${follows}`, 'g');

/** Whatever could end a cell; and `NULL` and `\N`, which the import reads as empty unless they are quoted. */
const mustBeQuoted = /[",;\t\r\n]|^(?:NULL|\\N)$/;

/**
 * Quotes a cell, and puts an apostrophe before each possible formula:
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function cell(text: string): string {
  const safe = text.replace(formulaStarts, "'");
  return mustBeQuoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell before `csvOf` guarded it. */
export const unguarded = (cell: string): string => cell.replace(guards, '');
