import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { duckDb, duckDbHere, duckDbLayer, type LockFile, lockOf } from '../../../lib/clicks/duckdb-layer.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

const lock: LockFile = JSON.parse(readFileSync('package-lock.json', 'utf8'));

test("The lock file of the layer has only DuckDB and its dependencies, in the project's versions.", () => {
  const { packages } = lockOf(duckDb, lock);
  const { '': root, ...others } = packages as typeof packages & { '': object };
  expect(root).toEqual({ dependencies: { [duckDb]: lock.packages[`node_modules/${duckDb}`]?.version } });
  expect(Object.keys(others)).toEqual(
    expect.arrayContaining([duckDb, '@duckdb/node-bindings-linux-arm64'].map((name) => `node_modules/${name}`)),
  );
  for (const [path, entry] of Object.entries(others)) {
    expect(path).toMatch(/^node_modules\/(@duckdb\/|detect-libc$)/);
    expect(entry).toEqual(lock.packages[path]);
  }
});

test('A missing package, or one that needs another version of a dependency than others do, is refused.', () => {
  expect(() => lockOf('a', { packages: {} })).toThrow('package-lock.json has no node_modules/a');
  const packages = { 'node_modules/a': { dependencies: { b: '1' } }, 'node_modules/b': {}, 'node_modules/a/node_modules/b': {} };
  expect(() => lockOf('a', { packages })).toThrow('a has its own version of b');
});

/** Stands in for npm: the library, with a size. */
const installing = (size: number) => {
  const folders: string[] = [];
  const install = (folder: string) => {
    folders.push(folder);
    expect(readdirSync(folder)).toEqual(['package-lock.json', 'package.json']);
    const library = join(folder, 'node_modules/@duckdb/node-bindings-linux-arm64');
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, 'libduckdb.so'), '');
    truncateSync(join(library, 'libduckdb.so'), size);
  };
  return { folders, install };
};

test('npm installs the layer once, in the folder where Lambda looks for modules; later it needs no network.', () => {
  const folder = temporaryFolder();
  const { folders, install } = installing(100_000_000);
  const layer = duckDbLayer(folder, install);
  expect(duckDbLayer(folder, install)).toBe(layer);
  expect(folders).toHaveLength(1);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(readdirSync(join(layer, 'nodejs/node_modules/@duckdb/node-bindings-linux-arm64'))).toEqual(['libduckdb.so']);
});

test.for<[string, (folder: string) => void, RegExp]>([
  ['that npm did not finish', () => {}, /^npm did not install @duckdb\/node-bindings-linux-arm64$/],
  ['that npm could not make', () => execFileSync('false', { stdio: 'ignore' }), /^Command failed: false/],
  ['that is larger than Lambda allows', installing(250_000_000).install, /^the layer with DuckDB has 25\d{7} bytes/],
])('A layer %s is an error, and is installed anew the next time.', ([, install, message]) => {
  const folder = temporaryFolder();
  expect(() => duckDbLayer(folder, install)).toThrow(message);
  const { folders, install: second } = installing(1);
  duckDbLayer(folder, second);
  expect(folders).toHaveLength(1);
});

test('On this machine, a function loads the package from its layer as on Lambda, also in a thread, and DuckDB answers.', () => {
  const layer = duckDbHere(temporaryFolder());
  const script = `
    const { Worker } = require('node:worker_threads');
    new Worker(\`
      const { DuckDBInstance } = require('${duckDb}');
      DuckDBInstance.create(':memory:')
        .then((instance) => instance.connect())
        .then((connection) => connection.runAndReadAll('SELECT 6 * 7'))
        .then((reader) => console.log(reader.getRows()));\`, { eval: true, env: { NODE_PATH: process.argv[1] } });`;
  const found = execFileSync(process.execPath, ['-e', script, join(layer, 'nodejs/node_modules')], {
    cwd: '/',
    encoding: 'utf8',
  });
  expect(found).toBe('[ [ 42 ] ]\n');
});
