import { clickColumns, fromJson, jsonColumns, mergedClickColumns, mergedColumns, sealedColumns } from './columns.ts';
import type { Database, Parameters } from './duckdb.ts';

/** The clicks that questions, sealing and merging leave out. */
export type LeftOut = {
  /** For each link whose clicks were erased, the first epoch that was not. */
  readonly erasures: ReadonlyMap<string, number>;
  /** Clicks from before then have expired. In ISO 8601. */
  readonly keptFrom: string;
};

/** The rows that were erased, and those that are neither erased nor expired, as conditions on a table `clicks`. */
const isErased = 'EXISTS (FROM erasures WHERE erasures.link_id = clicks.link_id AND clicks.epoch < erasures.epoch)';
const counts = `clicked_at >= $keptFrom::TIMESTAMP_MS AND NOT ${isErased}`;

async function noteErasures({ run }: Database, { erasures }: LeftOut): Promise<void> {
  await run('CREATE OR REPLACE TEMP TABLE erasures AS SELECT unnest($links) AS link_id, unnest($epochs)::BIGINT AS epoch', {
    links: [...erasures.keys()],
    epochs: [...erasures.values()].map(String),
  });
}

const asParquet = 'FORMAT parquet, COMPRESSION zstd';

/**
 * Reads rows of a tail into a table `rows`, without duplicates, erased and expired ones.
 *
 * @param path of a file of the rows, one JSON object a line.
 */
export async function readRows(database: Database, path: string, leftOut: LeftOut): Promise<void> {
  await noteErasures(database, leftOut);
  await database.run(
    `CREATE OR REPLACE TEMP TABLE rows AS
    SELECT DISTINCT ON (id) * FROM (
      SELECT ${fromJson} FROM read_json($path, format = 'newline_delimited', columns = ${jsonColumns})
    ) clicks WHERE ${counts}`,
    { path, keptFrom: leftOut.keptFrom },
  );
}

/**
 * Writes the rows that no file has yet into a table `decided`, and decides which of them are unique: a visitor's first
 * click on a link and day, unless a file has one already. Decisions in files are final.
 *
 * @param known local paths of the files that may have the same rows, or clicks of the same days. None of them is
 * merged.
 */
export async function decideRows({ run }: Database, known: readonly string[]): Promise<void> {
  // DuckDB can't read an empty list of files.
  const sealed = known.length > 0 ? 'read_parquet($known)' : 'rows';
  const isLate = `clicked_at >= (SELECT min(clicked_at)::DATE FROM rows)${known.length > 0 ? '' : ' AND false'}`;
  const parameters: Parameters = known.length > 0 ? { known } : {};
  await run(
    `CREATE OR REPLACE TEMP TABLE known_ids AS SELECT id FROM ${sealed} WHERE ${isLate} AND id IN (SELECT id FROM rows)`,
    parameters,
  );
  await run(
    `CREATE OR REPLACE TEMP TABLE known_visitors AS
    SELECT DISTINCT link_id, epoch, visitor, clicked_at::DATE AS day FROM ${sealed}
    WHERE ${isLate} AND visitor IN (SELECT visitor FROM rows)`,
    parameters,
  );
  await run(
    `CREATE OR REPLACE TEMP TABLE decided AS
    SELECT *, visitor IS NOT NULL
      AND row_number() OVER (PARTITION BY link_id, epoch, clicked_at::DATE, visitor ORDER BY clicked_at, id) = 1
      AND NOT EXISTS (
        FROM known_visitors known WHERE known.link_id = rows.link_id AND known.epoch = rows.epoch
          AND known.visitor = rows.visitor AND known.day = rows.clicked_at::DATE) AS is_unique
    FROM rows WHERE NOT EXISTS (FROM known_ids known WHERE known.id = rows.id)`,
  );
}

/**
 * Writes a month's rows to a file, by time, without those that other files already have.
 *
 * @param known local paths of the month's files that may have the same rows, or clicks of the same days.
 * @param to the path of the new file.
 * @returns how many rows it has.
 */
export async function sealMonth(database: Database, month: string, known: readonly string[], to: string): Promise<number> {
  await decideRows(database, known);
  await database.run(
    `COPY (SELECT ${sealedColumns} FROM decided WHERE strftime(clicked_at, '%Y-%m') = $month ORDER BY clicked_at, id)
    TO $to (${asParquet})`,
    { month, to },
  );
  return countRows(database.run, to);
}

/** SQL for rows that are neither erased nor expired, with the columns of `clickColumns`, and its parameters. */
type Counting = { readonly sql: string; readonly parameters: Parameters };

/**
 * The clicks of files and of the table `decided` that are neither erased nor expired.
 *
 * @param sealed local paths of files with ids.
 * @param merged those of files without.
 */
export function countingRows(sealed: readonly string[], merged: readonly string[], keptFrom: LeftOut['keptFrom']): Counting {
  const sources = [
    `SELECT ${clickColumns} FROM decided`,
    ...(sealed.length > 0 ? [`SELECT ${clickColumns} FROM read_parquet($sealed)`] : []),
    ...(merged.length > 0 ? [`SELECT ${mergedClickColumns} FROM read_parquet($merged)`] : []),
  ];
  return {
    sql: `SELECT * FROM (${sources.join(' UNION ALL ')}) clicks WHERE ${counts}`,
    parameters: { keptFrom, ...(sealed.length > 0 && { sealed }), ...(merged.length > 0 && { merged }) },
  };
}

/**
 * Writes files of a month as one, by time, without ids and hashes, and without erased and expired clicks.
 *
 * @param from local paths.
 * @param to the path of the new file.
 * @returns how many rows it has.
 */
export async function mergeMonth(database: Database, from: readonly string[], to: string, leftOut: LeftOut): Promise<number> {
  await noteErasures(database, leftOut);
  await database.run(
    `COPY (
      SELECT ${mergedColumns} FROM read_parquet($from, union_by_name = true) clicks WHERE ${counts} ORDER BY clicked_at, link_id
    ) TO $to (${asParquet})`,
    { from, to, keptFrom: leftOut.keptFrom },
  );
  return countRows(database.run, to);
}

/**
 * Copies a file without its erased and expired rows, if it has erased ones.
 *
 * @param path of the file.
 * @param to the path of the new file.
 * @returns whether a file was written.
 */
export async function copyWithoutErased(database: Database, path: string, to: string, leftOut: LeftOut): Promise<boolean> {
  await noteErasures(database, leftOut);
  const [erased] = await database.run(`SELECT EXISTS (FROM read_parquet($path) clicks WHERE ${isErased}) AS are_there`, { path });
  if (!erased?.are_there) return false;
  // Reading a file changes times to microseconds, so they are cast again. The order stays.
  await database.run(
    `COPY (SELECT * REPLACE (clicked_at::TIMESTAMP_MS AS clicked_at) FROM read_parquet($path) clicks WHERE ${counts})
    TO $to (${asParquet})`,
    { path, to, keptFrom: leftOut.keptFrom },
  );
  return true;
}

async function countRows(run: Database['run'], path: string): Promise<number> {
  const [row] = await run('SELECT count(*) AS count FROM read_parquet($path)', { path });
  return Number(row?.count);
}
