import { csvOf } from '../../lambdas/views/csv.ts';
import type { Outcome, Result } from './results.ts';

const outcomes: readonly Outcome[] = ['created', 'would_create', 'existing', 'refused', 'not_reached'];

/** The number of rows with each outcome. */
export const countsOf = (results: readonly Result[]): Record<Outcome, number> =>
  Object.fromEntries(
    outcomes.map((outcome) => [outcome, results.filter((result) => result.outcome === outcome).length]),
  ) as Record<Outcome, number>;

/** How many refused rows the table on the screen lists; the report lists all. */
const mostNamed = 20;

/** The results for people: a line for each outcome, and the refused rows with the reasons. */
export function tableOf(results: readonly Result[]): string {
  const counts = countsOf(results);
  const lines = outcomes
    .filter((outcome) => counts[outcome] > 0 || ['existing', 'refused'].includes(outcome))
    .map((outcome) => `${outcome.replace('_', ' ').padEnd(14)}${String(counts[outcome]).padStart(8)}`);
  const refused = results.filter(({ outcome }) => outcome === 'refused');
  const named = refused
    .slice(0, mostNamed)
    .map(({ row, reason }) => `  line ${row.line}: ${printable(`${row.source.slug || '(no slug)'}: ${reason}`)}`);
  // A row whose link exists has a reason if the link differs from it.
  const altered = results.filter(
    ({ row, outcome, reason }) => row.notes.length > 0 || (['created', 'existing'].includes(outcome) && reason !== ''),
  ).length;
  return [
    ...lines,
    ...(named.length > 0 ? ['', 'refused:', ...named] : []),
    ...(refused.length > mostNamed ? [`  and ${refused.length - mostNamed} more`] : []),
    ...(altered > 0 ? ['', `rows whose links differ from the file: ${altered}; --report says how`] : []),
  ].join('\n');
}

/**
 * Replaces control and format characters, so that a file cannot send commands to the terminal.
 *
 * @param most how many characters are left.
 */
export const printable = (text: string, most = 300): string => text.toWellFormed().replace(/\p{C}/gu, '?').slice(0, most);

const header = ['line', 'slug', 'url', 'outcome', 'reason', 'notes', 'short_url', 'created_at', 'clicks'];

/** All rows as CSV (RFC 4180), with their original dates and clicks. */
export const reportOf = (results: readonly Result[]): string =>
  csvOf([
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
  ]);
