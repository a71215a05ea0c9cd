import { endOfReport, type Report, reasonsOf, reportKinds, reportReasons, type Statement } from '../core/report/report.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { positionOf } from '../store/reports/report-ids.ts';
import type { Item } from '../store/table/client.ts';
import { commit } from '../store/table/commit.ts';
import { is, set, unlessSet } from '../store/table/expressions.ts';
import { maps, maybeText, oneOf, text } from '../store/table/fields.ts';
import { indexed, reportKey, reportsIndex, toKey } from '../store/table/keys.ts';
import { getItem, getItems, query } from '../store/table/reads.ts';
import { putIfAbsent, updating } from '../store/table/writes.ts';

// The operator's queue: links to hosts that are on the list of harmful ones, and those that visitors have reported.

/** What visitors have said, without the marks that recognise repetitions. */
const toStatements = (item: Item): Statement[] =>
  maps(item, 'statements').map((one) => ({
    at: text(one, 'at'),
    reason: oneOf(one, 'reason', reportReasons, 'other'),
    note: text(one, 'note', ''),
  }));

function toReport(item: Item): Report {
  const statements = toStatements(item);
  return {
    id: text(item, 'id'),
    kind: oneOf(item, 'kind', reportKinds),
    domain: text(item, 'domain'),
    linkId: maybeText(item, 'linkId') ?? null,
    slug: maybeText(item, 'slug') ?? null,
    url: text(item, 'url'),
    reason: maybeText(item, 'reason') ?? reasonsOf(statements),
    createdAt: text(item, 'createdAt'),
    closedAt: maybeText(item, 'closedAt') ?? null,
    statements,
  };
}

/** Whether the table might have removed a report already. */
const isOver = ({ createdAt }: Report, now: number): boolean => endOfReport(createdAt) * 1_000 <= now;

/** Adds a report to the queue, unless it has been there within the last 90 days, open or closed. */
export const fileReport = (report: Omit<Report, 'closedAt' | 'statements'>): Promise<void> =>
  putIfAbsent(
    {
      ...reportKey(report.id),
      ...indexed(reportsIndex('open'), positionOf(report)),
      ...report,
      ttl: endOfReport(report.createdAt),
    },
    { text: '#ttl <= :now', values: { ':now': Date.parse(report.createdAt) / 1_000 } },
  );

/**
 * The reports that are open or closed, the oldest first. One that was made a moment ago may be missing, because the
 * index lags behind the table.
 */
export async function listReports(state: 'open' | 'closed', now: number): Promise<Report[]> {
  const keys = (await Array.fromAsync(query({ gsi1pk: reportsIndex(state) }))).map(toKey);
  const reports = (await getItems(keys)).flatMap((item) => (item ? toReport(item) : []));
  return reports.filter((report) => (report.closedAt === null) === (state === 'open') && !isOver(report, now));
}

/** @returns undefined if there is no such report, or if it is older than 90 days. */
export async function getReport(id: string, now: number): Promise<Report | undefined> {
  const item = await getItem(reportKey(id));
  const report = item && toReport(item);
  return report && !isOver(report, now) ? report : undefined;
}

/**
 * Closes a report. Closing it again keeps the first time.
 *
 * @returns the report; undefined if there is none.
 */
export async function closeReport(id: string, now: number): Promise<Report | undefined> {
  const report = await getReport(id, now);
  if (!report || report.closedAt !== null) return report;
  const update = set({ closedAt: unlessSet(new Date(now).toISOString()), gsi1pk: reportsIndex('closed') });
  await commit({ report: updating(reportKey(id), update, is('createdAt', report.createdAt)) });
  return getReport(id, now);
}

/** How many reports are closed at a time. */
const atOnce = 16;

/**
 * Closes all open reports of links that lead to a name on the list of harmful hosts.
 *
 * @param name as the reports have it in `reason`.
 * @returns how many there were.
 */
export async function closeListedReports(name: string, now: number): Promise<number> {
  const open = await listReports('open', now);
  const ids = open.filter(({ kind, reason }) => kind === 'listed' && reason === name).map(({ id }) => id);
  await inParallel(ids, atOnce, (id) => closeReport(id, now));
  return ids.length;
}
