import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = join(import.meta.dirname, '../..');
const kept = join(project, 'node_modules/.cache/links-layers');

/** The package that bundles leave out, because it contains a library for each platform. */
export const duckDb = '@duckdb/node-api';

/** Its library for Lambda's processors. */
const library = '@duckdb/node-bindings-linux-arm64';

/** The path of modules in a layer: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-layers.html */
const modules = 'nodejs/node_modules';

/**
 * In bytes. Lambda allows 250 MB for layers and function together, unzipped
 * (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html). Our functions have at most some 10 MB.
 */
const largestLayer = 240_000_000;

type Entry = { readonly version?: string; readonly dependencies?: Names; readonly optionalDependencies?: Names };
type Names = Readonly<Record<string, string>>;
export type LockFile = { readonly packages: Readonly<Record<string, Entry>> };

/**
 * A lock file with one package of another lock file, and its dependencies.
 *
 * @throws Error if the package is missing, or a package has its own version of a dependency
 */
export function lockOf(name: string, { packages }: LockFile) {
  const needed = new Map<string, Entry>();
  const add = (one: string): void => {
    const path = `node_modules/${one}`;
    const entry = packages[path];
    if (!entry) throw new Error(`package-lock.json has no ${path}`);
    if (needed.has(path)) return;
    needed.set(path, entry);
    for (const part of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      if (packages[`${path}/node_modules/${part}`]) throw new Error(`${one} has its own version of ${part}`);
      add(part);
    }
  };
  add(name);
  const { version = '' } = packages[`node_modules/${name}`] ?? {};
  const dependencies = { [name]: version };
  return { lockfileVersion: 3, packages: { '': { dependencies }, ...Object.fromEntries([...needed].sort()) } };
}

/**
 * The folder of the layer with DuckDB for Lambda's processors. npm fills it with the versions of `package-lock.json`.
 * Then it is cached, so that later syntheses need no network.
 *
 * @param install runs `npm ci` in a folder with a `package.json` and a `package-lock.json`.
 * @throws Error if a part is missing, or the layer is larger than Lambda allows
 */
export function duckDbLayer(folder = kept, install = installFor('linux', 'arm64')): string {
  const lock = lockOf(duckDb, JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')));
  const text = JSON.stringify(lock);
  const layer = join(folder, createHash('sha256').update(text).digest('hex').slice(0, 16));
  if (existsSync(layer)) return layer;
  mkdirSync(folder, { recursive: true });
  const made = mkdtempSync(join(folder, 'new-'));
  const root = join(made, 'nodejs');
  mkdirSync(root);
  writeFileSync(join(root, 'package.json'), JSON.stringify({ private: true, ...lock.packages[''] }));
  writeFileSync(join(root, 'package-lock.json'), text);
  install(root);
  // npm ignores optional packages that it can't download.
  if (!existsSync(join(made, modules, library))) throw new Error(`npm did not install ${library}`);
  const size = sizeOf(made);
  if (size > largestLayer) throw new Error(`the layer with DuckDB has ${size} bytes, and Lambda allows ${largestLayer}`);
  try {
    renameSync(made, layer);
  } catch (error) {
    // Another synthesis may have made it in the meantime.
    rmSync(made, { recursive: true });
    if (!existsSync(layer)) throw error;
  }
  return layer;
}

/** Runs `npm ci` for another platform, with the npm that runs this program, if there is one. */
const installFor = (os: string, cpu: string) => (cwd: string) => {
  const { npm_execpath: npm } = process.env;
  const [program, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const args = ['ci', `--os=${os}`, `--cpu=${cpu}`, '--libc=glibc', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync(program, [...first, ...args], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
};

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => statSync(join(folder, file)))
    .reduce((sum, found) => sum + (found.isFile() ? found.size : 0), 0);

/**
 * Writes a layer for this machine, whose only module loads the package of this project. It needs no download.
 *
 * @returns its folder, `<outdir>/duckdb`
 */
export function duckDbHere(outdir: string): string {
  const layer = join(outdir, 'duckdb');
  const folder = join(layer, modules, duckDb);
  const file = fileURLToPath(import.meta.resolve('@duckdb/node-api'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'index.js'), `module.exports = require(${JSON.stringify(file)});\n`);
  return layer;
}
