import { appendFile, writeFile } from 'node:fs/promises';
import { alarming } from '../core/alarms.ts';
import { rowDimensions } from '../core/click/click.ts';
import type { ClickFilter } from '../core/click/filter.ts';
import type { Range } from '../core/click/statistics.ts';
import { tooMuchToRead, unavailable } from '../core/errors.ts';
import { clicksPerRequest, readsPerRequest } from '../core/limits.ts';
import { filesUnder } from '../outbound/click-files.ts';
import { backOff, timeLeft } from '../runtime/deadline.ts';
import { readTail } from '../store/clicks/tail.ts';
import { columnOf } from './columns.ts';
import { type Database, DatabaseError, type Parameters, type Row, withDatabase } from './duckdb.ts';
import { currentFiles, isMerged, logFilePrefix } from './files.ts';
import { dropKept, withKept } from './kept-files.ts';
import { filesFrom, type ListedFile, lacksFile, monthOf } from './plan.ts';
import { FileMissing, FileUnreadable, leftOutOf, readingFiles, toListedFile } from './stored.ts';
import { countingRows, decideRows, readRows } from './writing.ts';

/**
 * Questions about the clicks of a workspace. Meanwhile, sealing moves clicks from the tail into files, and merging
 * replaces files. So a question reads in this order: the tail, the list of files, the files, the notes of erasures. For
 * example:
 *
 *     Q   reads the tail: clicks 1–50
 *     S   makes file 7 of them, and deletes them from the tail
 *     Q   lists the files, reads 7, and drops 1–50 of the tail, by their ids
 *
 * In the opposite order, Q could miss them in both. Clicks that are erased before Q reads the notes are missing from
 * the whole answer. If a listed file is gone when Q downloads it, Q starts again.
 */

/** Which clicks a question is about. @property from and `to` are whole seconds */
export type Asked = Range & {
  /** Only those of these links. */
  readonly linkIds?: readonly string[] | undefined;
  /** Only those on this domain. */
  readonly host?: string | undefined;
  readonly filter?: ClickFilter | undefined;
};

/**
 * Runs a query on a table `clicks`, which has the requested clicks and the columns of `clickColumns`. The query may
 * begin with tables of its own, as in `, days AS (…) SELECT …`. Its parameters must not have the names of `Asked`'s
 * fields or of dimensions.
 */
export type AskClicks = (query: string, parameters?: Parameters) => Promise<Row[]>;

/** What a question may read, in words. */
const mostClicks = `some ${clicksPerRequest.toLocaleString('en-US')} clicks`;

/** How often a question is tried. Files are deleted an hour after they were replaced, so retries are rare. */
const mostAttempts = 3;

/**
 * Lets some work query clicks: those in the tail or in a file when this begins, each once.
 *
 * @param work may run again, from the start.
 * @param mostBytes how large the files of the range may be.
 * @throws RequestError `too_much_to_read`; `temporarily_unavailable` if a file is missing or can't be read
 */
export async function askClicks<T>(
  workspaceId: string,
  asked: Asked,
  work: (ask: AskClicks) => Promise<T>,
  mostBytes = readsPerRequest.bytes,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withDatabase((database) => askOnce(database, workspaceId, asked, work, mostBytes));
    } catch (error) {
      const isMissing = error instanceof FileMissing;
      if (!isMissing && !(error instanceof FileUnreadable || error instanceof DatabaseError)) throw error;
      // The deadline interrupted it, so nothing is wrong with the files.
      if (timeLeft() <= 0) throw unavailable();
      const { name, message: reason } = error;
      if (!isMissing || attempt === mostAttempts) {
        console.error({ message: alarming.clicksNotRead, workspaceId, name, reason });
        throw unavailable();
      }
      console.warn({ message: 'a question about clicks is retried', workspaceId, reason });
    }
    await backOff(attempt);
  }
}

async function askOnce<T>(
  database: Database,
  workspaceId: string,
  asked: Asked,
  work: (ask: AskClicks) => Promise<T>,
  mostBytes: number,
): Promise<T> {
  const tail = database.newPath();
  await writeFile(tail, '');
  for await (const { text } of readTail(workspaceId)) await appendFile(tail, text);
  const files = await readingFiles(() => filesOf(workspaceId, asked));
  if (files.reduce((sum, { size }) => sum + size, 0) > mostBytes) throw tooMuchToRead(mostClicks, ['from']);
  try {
    return await withKept(database.keptFolder, files, async (paths) => {
      const leftOut = await leftOutOf(workspaceId);
      await readRows(database, tail, leftOut);
      const sealed = paths.filter((_, index) => !isMergedAt(index));
      await decideRows(database, sealed);
      const counting = countingRows(
        sealed,
        paths.filter((_, index) => isMergedAt(index)),
        leftOut.keptFrom,
      );
      const { conditions, parameters } = await conditionsOf(database, asked);
      const clicks = `SELECT * FROM (${counting.sql}) counting WHERE ${conditions.join(' AND ')}`;
      return work((query, more) =>
        database.run(`WITH clicks AS (${clicks}) ${query}`, { ...counting.parameters, ...parameters, ...more }),
      );
    });
  } catch (error) {
    if (error instanceof DatabaseError) await dropKept(files);
    throw error;
  }
  function isMergedAt(index: number): boolean {
    const file = files[index];
    return file !== undefined && isMerged(file);
  }
}

/** The files that may have clicks of a range. @throws FileMissing */
async function filesOf(workspaceId: string, { from, to }: Range): Promise<ListedFile[]> {
  const [first, last] = [from, to - 1].map((time) => monthOf(new Date(time).toISOString()));
  const months: ListedFile[] = [];
  for await (const object of filesUnder(logFilePrefix(workspaceId), logFilePrefix(workspaceId, first))) {
    const file = toListedFile(object);
    if (!file) continue;
    if (file.month > (last ?? '')) break;
    months.push(file);
  }
  return [...Map.groupBy(months, ({ month }) => month)].flatMap(([month, files]) => {
    const current = currentFiles(files);
    if (lacksFile(current)) throw new FileMissing(`${logFilePrefix(workspaceId, month)} lacks a file`);
    return filesFrom(current, from);
  });
}

/** A question's conditions. All values are parameters. */
async function conditionsOf({ run }: Database, { from, to, linkIds, host, filter = {} }: Asked) {
  if (linkIds) await run('CREATE OR REPLACE TEMP TABLE asked_links AS SELECT unnest($linkIds) AS link_id', { linkIds });
  const filtered = rowDimensions.filter((dimension) => filter[dimension]);
  const conditions = [
    'clicked_at >= $from::TIMESTAMP_MS AND clicked_at < $to::TIMESTAMP_MS',
    ...(linkIds ? ['link_id IN (FROM asked_links)'] : []),
    ...(host === undefined ? [] : ['host = $host']),
    ...filtered.map((dimension) => `list_contains($${dimension}, ${columnOf(dimension)})`),
  ];
  const parameters: Parameters = {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...(host !== undefined && { host }),
    ...Object.fromEntries(filtered.map((dimension) => [dimension, filter[dimension] ?? []])),
  };
  return { conditions, parameters };
}
