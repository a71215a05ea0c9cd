import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fileColumns } from '../../../lambdas/click-log/columns.ts';
import type { fakeBucket } from '../../support/clicks/fake-bucket.ts';
import { atEnd, type Log, oldMonth, useLog } from '../../support/clicks/log.ts';

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let log: Log;
beforeAll(async () => {
  await import('../../../lambdas/outbound/click-files.ts');
  log = await useLog(bucket);
});

const folder = mkdtempSync(join(tmpdir(), 'columns-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The statements of examples/athena.sql: the table, the view, and the queries. */
const statements = readFileSync(join(import.meta.dirname, '../../../examples/athena.sql'), 'utf8').matchAll(/^--.*\n([^;]*);$/gm);
const [table = '', view = '', ...questions] = [...statements].map(([, sql = '']) => sql);

/** Athena's names of DuckDB's types: https://docs.aws.amazon.com/athena/latest/ug/data-types.html */
const athena: Readonly<Record<string, string>> = {
  VARCHAR: 'string',
  BIGINT: 'bigint',
  BOOLEAN: 'boolean',
  TIMESTAMP_MS: 'timestamp',
};

test("Athena's table in examples/athena.sql has the columns of the files, in their order, with their types.", () => {
  const [, columns = ''] = /^CREATE EXTERNAL TABLE clicks \(([^)]*)\)/.exec(table) ?? [];
  expect(columns.split(',').map((column) => column.trim())).toEqual(
    fileColumns.map(({ name, type }) => `${name} ${athena[type]}`),
  );
});

test('The view and the queries in examples/athena.sql run on files, and count each click once while files are replaced.', async () => {
  const workspaceId = await log.newLog();
  const clicks = [0, 1, 2].map((index) =>
    log.newClick({
      at: atEnd(-100 - index),
      linkId: 'lnk_AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      device: 'mobile',
      utmCampaign: 'spring',
    }),
  );
  const erased = log.newClick({ at: atEnd(-50), linkId: 'lnk_BBBBBBBBBBBBBBBBBBBBBBBBBBBB' });
  for (const rows of [[clicks[0], erased], [clicks[1]]]) {
    await log.writeTail(workspaceId, 'ShardA', rows as typeof clicks);
    await log.seal(workspaceId);
  }
  await log.noteErasure(workspaceId, erased.linkId, 1);
  await log.tendMonth(workspaceId, oldMonth, true);
  bucket.age(workspaceId, 40 * log.dayMs);
  await log.tendMonth(workspaceId, oldMonth);
  await log.writeTail(workspaceId, 'ShardA', clicks.slice(2));
  await log.seal(workspaceId);
  const keys = bucket.keysOf(workspaceId).map((key) => `clicks/workspace=${workspaceId}/${key}`);
  expect(keys.length).toBeGreaterThan(3);
  for (const key of keys) {
    mkdirSync(dirname(join(folder, key)), { recursive: true });
    writeFileSync(join(folder, key), bucket.files.get(key)?.content ?? '');
  }
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const run = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
  const source = `read_parquet('${folder}/**/*.parquet', union_by_name = true, hive_partitioning = true, filename = '$path')`;
  await run(`CREATE VIEW clicks AS SELECT * FROM ${source}`);
  await run(view);
  const slugs = (await run('SELECT slug FROM current_clicks')).map(({ slug }) => slug);
  expect(slugs.sort()).toEqual(clicks.map(({ slug }) => slug).sort());
  // The clicks aren't in the queries' months.
  const answers = await Promise.all(questions.map((sql) => run(sql.replace(/month (>?=) '[\d-]+'/, `month $1 '${oldMonth}'`))));
  expect(answers.map((rows) => rows.reduce((sum, { clicks: some }) => sum + Number(some), 0))).toEqual([3, 3, 3]);
  connection.closeSync();
});
