import { request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import type { Engine } from './engine.ts';

const intervalMs = 60_000;
const keepRecordsMs = 24 * 60 * 60 * 1000;
/** A short transaction each time: the engine's writes wait for it. */
const trimAtOnce = 5_000;

/**
 * Does for the engine what it does not do for itself: an index on its stream records (each write costs time in proportion to
 * them otherwise), expiry by TTL, and the removal of old stream records.
 *
 * @throws Error if the engine keeps its stream in another way than this knows, as another version of it may.
 *
 * `processedUpTo` is the sequence number that every reader of the stream has passed; nothing above it is removed.
 */
export function startUpkeep(
  engine: Engine,
  processedUpTo: () => bigint | undefined,
  log: (line: string) => void,
): { stop(): void } {
  const withDatabase = (work: (database: DatabaseSync) => void) => {
    const database = new DatabaseSync(engine.database, { timeout: 2_000 });
    try {
      work(database);
    } finally {
      database.close();
    }
  };
  withDatabase((database) => {
    checkSchema(database);
    database.exec('CREATE INDEX IF NOT EXISTS ix_stream ON _stream_records(table_name, CAST(sequence_number AS INTEGER))');
  });

  const timer = setInterval(() => {
    const passed = processedUpTo();
    try {
      if (passed !== undefined) withDatabase((database) => trim(database, passed, Date.now() - keepRecordsMs));
    } catch (error) {
      log(`stream records not trimmed: ${(error as Error).message}`);
    }
    sweepExpired(engine, log);
  }, intervalMs);
  return { stop: () => clearInterval(timer) };
}

/** The columns of the engine's table that are used here. */
const streamColumns = ['id', 'table_name', 'sequence_number', 'created_at'];

/** @throws Error if the database is not one that this knows: nothing is changed in it then. */
function checkSchema(database: DatabaseSync): void {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('_stream_records');
  const missing = streamColumns.filter((column) => !columns.some(({ name }) => name === column));
  if (missing.length === 0) return;
  throw new Error(
    `the database engine is another version than this service knows: its table _stream_records lacks ${missing.join(', ')}`,
  );
}

/** The newest record of a table stays: the engine counts on from it. */
export function trim(database: DatabaseSync, passed: bigint, before: number): void {
  database
    .prepare(
      `DELETE FROM _stream_records WHERE id IN (
         SELECT id FROM _stream_records AS record
         WHERE created_at < ? AND CAST(sequence_number AS INTEGER) <= ?
           AND id < (SELECT MAX(id) FROM _stream_records WHERE table_name = record.table_name)
         LIMIT ?)`,
    )
    .run(Math.floor(before / 1000), passed, trimAtOnce);
}

/** Has the engine remove what has expired. */
export function sweepExpired({ tools }: Engine, log: (line: string) => void): void {
  const call = request(
    tools.url,
    {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${tools.token}`,
      },
    },
    (response) => {
      if (response.statusCode !== 200) log(`expired items not swept: status ${response.statusCode}`);
      response.resume();
    },
  );
  call.on('error', (error) => log(`expired items not swept: ${error.message}`));
  call.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sweep_ttl', arguments: {} } }));
}
