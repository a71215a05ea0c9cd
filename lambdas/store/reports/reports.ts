import { createHash } from 'node:crypto';
import { toBase62 } from '../../core/base62.ts';
import { newRequestToken } from '../../core/ids.ts';
import { endOfReport, type Report, reportKinds } from '../../core/report/report.ts';
import type { Item } from '../table/client.ts';
import { failedCondition, isPresent } from '../table/conditions.ts';
import { maybeText, oneOf, text } from '../table/fields.ts';
import { indexed, reportKey, reportsIndex, toKey } from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { putIfAbsent, transact, updating } from '../table/writes.ts';

// The operator's queue: links to hosts that are on the list of harmful ones.

const position = ({ createdAt, id }: Pick<Report, 'createdAt' | 'id'>): string => `${createdAt}#${id}`;

function toReport(item: Item): Report {
  return {
    id: text(item, 'id'),
    kind: oneOf(item, 'kind', reportKinds),
    domain: text(item, 'domain'),
    linkId: maybeText(item, 'linkId') ?? null,
    slug: maybeText(item, 'slug') ?? null,
    url: text(item, 'url'),
    reason: text(item, 'reason'),
    createdAt: text(item, 'createdAt'),
    closedAt: maybeText(item, 'closedAt') ?? null,
  };
}

/** Whether the table might have removed a report already. */
const isOver = ({ createdAt }: Report, now: number): boolean => endOfReport(createdAt) * 1_000 <= now;

/**
 * The id of a report, which follows from what is reported: reporting the same again adds nothing to the queue.
 *
 * @param parts that make it another report.
 */
export const reportIdOf = (...parts: readonly string[]): string =>
  `rep_${toBase62(createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24), 16)}`;

/** Adds a report to the queue, unless it has been there within the last 90 days, open or closed. */
export const fileReport = (report: Omit<Report, 'closedAt'>): Promise<void> =>
  putIfAbsent({
    ...reportKey(report.id),
    ...indexed(reportsIndex('open'), position(report)),
    ...report,
    ttl: endOfReport(report.createdAt),
  });

/**
 * The reports that are open or closed, the oldest first. One that was made a moment ago may be missing, because the index
 * lags behind the table.
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
  const update = {
    text: 'SET #closedAt = if_not_exists(#closedAt, :now), #gsi1pk = :closed',
    values: { ':now': new Date(now).toISOString(), ':closed': reportsIndex('closed') },
  };
  await failedCondition(transact([updating(reportKey(id), update, isPresent)], newRequestToken()));
  return getReport(id, now);
}
