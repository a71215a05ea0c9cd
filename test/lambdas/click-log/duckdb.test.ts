import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { withDatabase } from '../../../lambdas/click-log/duckdb.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

test.for([
  ['another file', "SELECT * FROM read_text('/etc/hostname')", 'Permission'],
  ['a listing', "SELECT * FROM glob('/etc/*')", 'Permission'],
  ['an address', "SELECT * FROM read_parquet('https://example.com/x.parquet')", 'disabled'],
  ['another database', "ATTACH '/tmp/other.db'", 'Permission'],
  ['an extension', 'INSTALL httpfs', 'Permission'],
  ['a loaded extension', "LOAD '/tmp/some.duckdb_extension'", ''],
  ['more threads', 'SET threads = 8', 'locked'],
  ['access to files', 'SET enable_external_access = true', 'locked'],
  ['more folders', "SET allowed_directories = ['/']", 'locked'],
  ['open settings', 'SET lock_configuration = false', 'locked'],
] as const)('A statement cannot reach %s.', async ([, sql, reason]) => {
  await withDatabase(async ({ run }) => {
    await expect(run(sql)).rejects.toThrow(reason);
    await expect(run('SELECT 1 AS still')).resolves.toEqual([{ still: 1 }]);
  });
});

test('A statement cannot write or read outside of the folder, by any path.', async () => {
  const folder = temporaryFolder();
  const secret = join(folder, 'secret.txt');
  writeFileSync(secret, 'secret');
  await withDatabase(async ({ run, newPath }) => {
    for (const path of [join(folder, 'new.parquet'), `${newPath()}/../../../new.parquet`]) {
      await expect(run('COPY (SELECT 1) TO $path (FORMAT parquet)', { path })).rejects.toThrow('Permission');
      expect(existsSync(path)).toBe(false);
    }
    await expect(run('SELECT * FROM read_text($path)', { path: secret })).rejects.toThrow('Permission');
  });
  expect(readFileSync(secret, 'utf8')).toBe('secret');
});

test('A parameter is never part of the statement.', async () => {
  await withDatabase(async ({ run }) => {
    const evil = "x'); DROP TABLE kept; --";
    await run('CREATE TEMP TABLE kept AS SELECT $evil AS text', { evil });
    expect(await run('SELECT text FROM kept WHERE text = $evil', { evil })).toEqual([{ text: evil }]);
    expect(await run('SELECT unnest($list) AS text', { list: [evil, ''] })).toEqual([{ text: evil }, { text: '' }]);
    expect(await run('SELECT unnest($list) AS text', { list: [] })).toEqual([]);
  });
});

test("A database's files are deleted with it, even after an error, and its tables are private.", async () => {
  let folder = '';
  const work = withDatabase(async ({ run, newPath }) => {
    folder = dirname(newPath());
    await run('COPY (SELECT 1) TO $path (FORMAT parquet)', { path: newPath() });
    await run('CREATE TEMP TABLE mine AS SELECT 1 AS one');
    await withDatabase(async (other) => {
      await expect(other.run('SELECT * FROM mine')).rejects.toThrow('mine');
      expect(dirname(other.newPath())).not.toBe(folder);
    });
    expect(existsSync(folder)).toBe(true);
    throw new Error('failed');
  });
  await expect(work).rejects.toThrow('failed');
  expect(existsSync(folder)).toBe(false);
});
