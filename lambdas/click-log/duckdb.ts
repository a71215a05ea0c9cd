import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as duckdb from '@duckdb/node-api';
import { timeLeft } from '../runtime/deadline.ts';

/**
 * The only file that uses DuckDB's API. The database works in memory and on the files of one folder. Other files, the
 * network and extensions are locked out for good. SQL is written only in `lambdas/click-log/`; values from elsewhere
 * are parameters.
 */

/** A parameter of a statement. Lists are lists of strings. */
type Parameter = Cell | readonly string[];
export type Parameters = Readonly<Record<string, Parameter>>;

/** A connection, and where the files of its work are. */
export type Database = {
  /** The path for a new file, which is deleted after the work. */
  readonly newPath: () => string;
  /** A folder for files that outlive the work. */
  readonly keptFolder: string;
  /**
   * Runs a statement, until the deadline. Returns its rows, with numbers for integers and ISO 8601 for times.
   *
   * @throws DatabaseError with DuckDB's message
   */
  readonly run: (sql: string, parameters?: Parameters) => Promise<Row[]>;
};
type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** A statement failed: a file can't be read, or the deadline has passed. */
export class DatabaseError extends Error {}

/** What the database may use. It spills to disk beyond that memory. Functions that use it have 1.7 GB or more. */
const limits = { threads: '2', memory_limit: '1GB' };

/** The database of this process, and the folder with all its files. */
type Opened = { readonly root: string; readonly instance: duckdb.DuckDBInstance; readonly library: typeof duckdb };
let opening: Promise<Opened> | undefined;

async function open(): Promise<Opened> {
  // Its 70 MB are loaded only if there is something to do, because most scheduled runs find nothing.
  const library = await import('@duckdb/node-api');
  const root = mkdtempSync(join(tmpdir(), 'click-log-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  const spill = join(root, 'spill');
  mkdirSync(spill);
  mkdirSync(join(root, 'kept'));
  const instance = await library.DuckDBInstance.create(':memory:', {
    ...limits,
    temp_directory: spill,
    allow_community_extensions: 'false',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  // These are not options of `create`. The last one locks all of them.
  await connection.run(`SET allowed_directories = ['${root.replaceAll("'", "''")}/']`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
  connection.closeSync();
  return { root, instance, library };
}

/** Does some work with a connection of its own. Its tables are temporary. */
export async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  opening ??= open();
  const { root, instance, library } = await opening.catch((error: unknown) => {
    opening = undefined;
    throw error;
  });
  const folder = await mkdtemp(join(root, 'work-'));
  const connection = await instance.connect();
  let files = 0;
  try {
    return await work({
      newPath: () => join(folder, String(++files)),
      keptFolder: join(root, 'kept'),
      run: (sql, parameters) => run(library, connection, sql, parameters),
    });
  } finally {
    connection.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(
  { LIST, listValue, VARCHAR }: typeof duckdb,
  connection: duckdb.DuckDBConnection,
  sql: string,
  parameters: Parameters = {},
): Promise<Row[]> {
  const given = Object.entries(parameters);
  const values = given.map(([name, value]) => [name, isList(value) ? listValue([...value]) : value] as const);
  // Only lists need their type: an empty one doesn't show it.
  const types = given.map(([name, value]) => [name, isList(value) ? LIST(VARCHAR) : undefined] as const);
  const left = timeLeft();
  const timer = Number.isFinite(left) ? setTimeout(() => connection.interrupt(), left) : undefined;
  try {
    const reader = await connection.runAndReadAll(sql, Object.fromEntries(values), Object.fromEntries(types));
    return reader.getRowObjectsJS().map(toRow);
  } catch (error) {
    throw new DatabaseError((error as Error).message, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

const isList = (value: Parameter): value is readonly string[] => typeof value === 'object' && value !== null;

const toRow = (row: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toCell(value)]));

function toCell(value: unknown): Cell {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as Cell;
  throw new Error('a column has an unexpected type');
}
