import { csvOf } from '../../lambdas/core/csv.ts';
import type { Dialect } from './csv.ts';
import type { Outcome, Result } from './results.ts';

const outcomes: readonly Outcome[] = ['created', 'would_create', 'existing', 'refused', 'not_reached'];

/** The number of rows with each outcome. */
export const countsOf = (results: readonly Result[]): Record<Outcome, number> => {
  const { add, counts } = tallyOf();
  for (const result of results) add(result);
  return counts;
};

/** How many refused rows the table on the screen lists; the report lists all. */
const mostNamed = 20;

/** Counts results as they come, and remembers no more than the table for people shows. */
export function tallyOf() {
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>;
  let refused: { readonly line: number; readonly text: string }[] = [];
  let altered = 0;
  const add = ({ row, outcome, reason }: Result): void => {
    counts[outcome]++;
    // If the link of such a row differs from it, there is a reason.
    if (row.notes.length > 0 || (['created', 'existing'].includes(outcome) && reason !== '')) altered++;
    if (outcome !== 'refused') return;
    const text = `  line ${row.line}: ${printable(`${row.source.slug || '(no slug)'}: ${reason}`)}`;
    refused = [...refused, { line: row.line, text }].sort((one, other) => one.line - other.line).slice(0, mostNamed);
  };
  /** The results for people: a line for each outcome, and the first refused rows with the reasons. */
  const table = (): string => {
    const lines = outcomes
      .filter((outcome) => counts[outcome] > 0 || ['existing', 'refused'].includes(outcome))
      .map((outcome) => `${outcome.replace('_', ' ').padEnd(14)}${String(counts[outcome]).padStart(8)}`);
    const more = counts.refused - refused.length;
    return [
      ...lines,
      ...(refused.length > 0 ? ['', 'refused:', ...refused.map(({ text }) => text)] : []),
      ...(more > 0 ? [`  and ${more} more`] : []),
      ...(altered > 0 ? ['', `rows whose links differ from the file: ${altered}; --report says how`] : []),
    ].join('\n');
  };
  return { add, counts, table };
}

/**
 * Replaces control and format characters, so that a file cannot send commands to the terminal.
 *
 * @param most how many characters to keep.
 */
export const printable = (text: string, most = 300): string => text.toWellFormed().replace(/\p{C}/gu, '?').slice(0, most);

/** The dialect of reports. */
export const reportDialect: Dialect = { delimiter: ',', hasBackslashes: false };

/** The first line of a report. */
export const reportHeader = csvOf([
  ['line', 'slug', 'url', 'outcome', 'reason', 'notes', 'short_url', 'created_at', 'clicks', 'dialect'],
]);

/**
 * Rows of a report as CSV (RFC 4180), with their original dates and clicks.
 *
 * @param dialect how the file was read.
 */
export const reportRows = (results: readonly Result[], dialect: string): string =>
  csvOf(
    results.map(({ row, outcome, reason, shortUrl }) => [
      String(row.line),
      row.source.slug,
      row.source.url,
      outcome,
      reason,
      row.notes.join('; '),
      shortUrl,
      row.source.createdAt,
      row.source.clicks,
      dialect,
    ]),
  );

/** A report with all rows. */
export const reportOf = (results: readonly Result[], dialect: string): string => reportHeader + reportRows(results, dialect);

/** Reads a row of a report. */
export function reportedRow([
  line,
  slug = '',
  url = '',
  outcome,
  reason = '',
  notes,
  shortUrl = '',
  createdAt = '',
  clicks = '',
]: readonly string[]): Result {
  const row = { line: Number(line), source: { slug, url, createdAt, clicks }, notes: notes ? [notes] : [] };
  return { row, outcome: outcome as Outcome, reason, shortUrl };
}
