import { fromJson, jsonColumns, mergedColumns, sealedColumns } from './columns.ts';
import type { Database } from './duckdb.ts';

/** What questions, sealing and merging leave out. */
export type LeftOut = {
  /** For each link whose clicks were erased, the first epoch that counts. */
  readonly erasures: ReadonlyMap<string, number>;
  /** Clicks from before then have expired. In ISO 8601. */
  readonly keptFrom: string;
};

/** The rows that count, as a condition about a table `clicks`. */
const counts = `clicked_at >= $keptFrom::TIMESTAMP_MS AND NOT EXISTS (
  FROM erasures WHERE erasures.link_id = clicks.link_id AND clicks.epoch < erasures.epoch)`;

async function noteErasures({ run }: Database, { erasures }: LeftOut): Promise<void> {
  await run('CREATE OR REPLACE TEMP TABLE erasures AS SELECT unnest($links) AS link_id, unnest($epochs)::BIGINT AS epoch', {
    links: [...erasures.keys()],
    epochs: [...erasures.values()].map(String),
  });
}

/** What both kinds of files have in common. A group of rows is the least that a reader takes. */
const asParquet = 'FORMAT parquet, COMPRESSION zstd';

/**
 * Reads rows of a tail, for `sealMonth`. Duplicates, and what is left out, are dropped.
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
 * Writes the file of a month's rows, by time, without those that are in other files already. The first click of a visitor on
 * a link and day is unique, unless those files have one.
 *
 * @param known local paths of the month's files that may have the same rows, or clicks of the same days.
 * @param to the path of the new file.
 * @returns how many rows it has.
 */
export async function sealMonth({ run }: Database, month: string, known: readonly string[], to: string): Promise<number> {
  await run(
    `CREATE OR REPLACE TEMP TABLE known AS ${
      known.length > 0
        ? `SELECT id, link_id, epoch, visitor, clicked_at::DATE AS day FROM read_parquet($known)
          WHERE clicked_at >= (SELECT min(clicked_at)::DATE FROM rows WHERE strftime(clicked_at, '%Y-%m') = $month)`
        : `SELECT id, link_id, epoch, visitor, clicked_at::DATE AS day FROM rows WHERE false`
    }`,
    known.length > 0 ? { known, month } : {},
  );
  await run(
    `COPY (
      SELECT ${sealedColumns} FROM (
        SELECT *, visitor IS NOT NULL
          AND row_number() OVER (PARTITION BY link_id, epoch, clicked_at::DATE, visitor ORDER BY clicked_at, id) = 1
          AND NOT EXISTS (
            FROM known WHERE known.link_id = rows.link_id AND known.epoch = rows.epoch AND known.visitor = rows.visitor
              AND known.day = rows.clicked_at::DATE) AS is_unique
        FROM rows WHERE strftime(clicked_at, '%Y-%m') = $month AND NOT EXISTS (FROM known WHERE known.id = rows.id)
      ) ORDER BY clicked_at, id
    ) TO $to (${asParquet})`,
    { month, to },
  );
  return countRows(run, to);
}

/**
 * Writes files of a month as one, by time, without ids, hashes and what is left out.
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

async function countRows(run: Database['run'], path: string): Promise<number> {
  const [row] = await run('SELECT count(*) AS count FROM read_parquet($path)', { path });
  return Number(row?.count);
}
