import { writeFile } from 'node:fs/promises';
import { type Database, withDatabase } from '../../../lambdas/click-log/duckdb.ts';
import { type LeftOut, mergeMonth, readRows, sealMonth } from '../../../lambdas/click-log/writing.ts';
import { type ClickRow, lineOf } from '../../../lambdas/core/click/row.ts';

/** Nothing is erased or expired. */
export const nothing: LeftOut = { erasures: new Map(), keptFrom: '1970-01-01T00:00:00.000Z' };

/** All rows of local files, in their order. */
export const rowsOf = (database: Database, ...paths: readonly string[]) =>
  database.run('SELECT * FROM read_parquet($paths, union_by_name = true)', { paths });

/** Seals rows of a month into a local file. @param known other files of the month @returns its path */
export async function sealed(database: Database, rows: readonly ClickRow[], known: readonly string[] = [], leftOut = nothing) {
  const path = database.newPath();
  await writeFile(path, rows.map(lineOf).join(''));
  await readRows(database, path, leftOut);
  const to = database.newPath();
  await sealMonth(database, rows[0]?.at.slice(0, 7) ?? '', known, to);
  return to;
}

/** Merges local files. @returns the path of the new one */
export async function merged(database: Database, from: readonly string[], leftOut = nothing) {
  const to = database.newPath();
  await mergeMonth(database, from, to, leftOut);
  return to;
}

export { withDatabase };
