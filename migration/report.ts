import type { Outcome, Result } from './results.ts';

const outcomes: readonly Outcome[] = ['created', 'would_create', 'existing', 'refused', 'not_reached'];

/** How many rows came to what. */
export const countsOf = (results: readonly Result[]): Record<Outcome, number> =>
  Object.fromEntries(
    outcomes.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]),
  ) as Record<Outcome, number>;

/** How many refused rows the table on the screen names; the report has all. */
const mostNamed = 20;

/** The result for people: a line for each outcome, and which rows were refused, and why. */
export function tableOf(results: readonly Result[]): string {
  const counts = countsOf(results);
  const lines = outcomes
    .filter((outcome) => counts[outcome] > 0 || ['existing', 'refused'].includes(outcome))
    .map((outcome) => `${outcome.replace('_', ' ').padEnd(14)}${String(counts[outcome]).padStart(8)}`);
  const refused = results.filter(({ outcome }) => outcome === 'refused');
  const named = refused
    .slice(0, mostNamed)
    .map(({ row, reason }) => `  line ${row.line}: ${printable(`${row.source.slug || '(no slug)'}: ${reason}`)}`);
  const noted = results.filter(({ row }) => row.notes.length > 0).length;
  return [
    ...lines,
    ...(named.length > 0 ? ['', 'refused:', ...named] : []),
    ...(refused.length > mostNamed ? [`  and ${refused.length - mostNamed} more`] : []),
    ...(noted > 0 ? ['', `${noted} rows are not quite as they were: --report says how`] : []),
  ].join('\n');
}

/** What files have in them must not command a terminal. */
export const printable = (text: string): string => text.toWellFormed().replace(/\p{C}/gu, '?').slice(0, 300);

const header = ['line', 'slug', 'url', 'outcome', 'reason', 'notes', 'short_url', 'created_at', 'clicks'];

/** All rows as CSV (RFC 4180), with what their service said of them. */
export const reportOf = (results: readonly Result[]): string =>
  [
    header,
    ...results.map(({ row, outcome, reason, shortUrl }) => [
      String(row.line),
      row.source.slug,
      row.source.url,
      outcome,
      reason,
      row.notes.join('; '),
      shortUrl,
      row.source.createdAt,
      row.source.clicks,
    ]),
  ]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('');

/** What a spreadsheet takes for the beginning of a formula: ASCII's signs and their full-width forms. */
const formula = '[=+\\-@＝＋－＠]';

/**
 * Where a formula could begin: at the start of a cell, and after what some spreadsheets take for the end of one, although it is quoted.
 * Many in Europe separate cells by semicolons, and see a quote in the middle of a cell as text.
 */
const formulaStarts = new RegExp(`(?<=^|[;\\t\\r\\n])(?=[ "\\t\\r\\n]*${formula}|[\\t\\r\\n])`, 'g');

/** A cell in which nothing is a formula to a spreadsheet, by an apostrophe: https://owasp.org/www-community/attacks/CSV_Injection */
function cell(text: string): string {
  const safe = text.replace(formulaStarts, "'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
