import { request } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import type { EmbeddedEngine } from './embedded-engine.ts';

const intervalMs = 60_000;
const keepRecordsMs = 24 * 60 * 60 * 1000;
/** Records per transaction. It must be short, because the engine's writes wait for it. */
const mostTrimmed = 5_000;

/**
 * Does what the embedded engine does not do by itself: indexes the stream records, because otherwise each write takes
 * time in proportion to their number; and deletes expired items and old stream records every minute.
 *
 * @param processedUpTo by table, the sequence number that every reader of its stream has passed; no record above it is
 * removed. Numbers of different tables have nothing to do with each other.
 * @throws Error if the engine stores its stream differently, as another version might.
 */
export function startUpkeep(
  engine: EmbeddedEngine,
  processedUpTo: () => ReadonlyMap<string, bigint>,
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
      withDatabase((database) => {
        for (const [table, number] of passed) trim(database, table, number, Date.now() - keepRecordsMs);
      });
    } catch (error) {
      log(`stream records not trimmed: ${(error as Error).message}`);
    }
    sweepExpired(engine, log);
  }, intervalMs);
  return { stop: () => clearInterval(timer) };
}

/** The columns of the engine's table that this file uses. */
const streamColumns = ['id', 'table_name', 'sequence_number', 'created_at'];

/** @throws Error if the database has another schema; it is left unchanged. */
function checkSchema(database: DatabaseSync): void {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('_stream_records');
  const missing = streamColumns.filter((column) => !columns.some(({ name }) => name === column));
  if (missing.length === 0) return;
  throw new Error(`this version of the database engine is not supported: its table _stream_records lacks ${missing.join(', ')}`);
}

/**
 * Removes a table's stream records that were made before a time (in milliseconds) and that every reader has passed. The
 * newest one stays, because the engine continues the table's numbers from it.
 */
export function trim(database: DatabaseSync, table: string, passed: bigint, before: number): void {
  database
    .prepare(
      `DELETE FROM _stream_records WHERE id IN (
         SELECT id FROM _stream_records
         WHERE table_name = ? AND created_at < ? AND CAST(sequence_number AS INTEGER) <= ?
           AND id < (SELECT MAX(id) FROM _stream_records WHERE table_name = ?)
         LIMIT ?)`,
    )
    .run(table, Math.floor(before / 1000), passed, table, mostTrimmed);
}

/** Tells the engine to delete expired items. */
export function sweepExpired({ tools }: EmbeddedEngine, log: (line: string) => void): void {
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
