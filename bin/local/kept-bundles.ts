import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { type BundleOf, bundleFunctions, bundlesIn } from '../../lib/bundles.ts';
import { duckDbHere } from '../../lib/clicks/duckdb-layer.ts';

const project = join(import.meta.dirname, '../..');
const folder = join(project, 'node_modules/.cache/links-bundles');

/** How many versions of the bundles are kept: enough that no start copies a version that another start deletes. */
const most = 8;

/** All files of the project that bundles depend on. The lock file stands for the packages. */
const inputs = [
  'lambdas/**/*.ts',
  'clients/{console,mcp,typescript}/**/*.{css,json,ts,tsx}',
  'lib/{bundles,clicks/duckdb-layer,site/console}.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];

/**
 * Bundles the functions for the laptop into `outdir`, like `bundleFunctions`, but copies the bundles of an earlier
 * start if nothing has changed since. Bundling takes most of the time of a start. A deployment always bundles again.
 */
export function keptBundles(outdir: string): BundleOf {
  const kept = join(folder, digest());
  if (!existsSync(kept)) keep(kept);
  cpSync(kept, outdir, { recursive: true });
  // The bundle names its folder, and this may be a copy.
  duckDbHere(outdir);
  return bundlesIn(outdir);
}

/** Keeps new bundles, and deletes the oldest. Two starts may do so at once, because the rename is atomic. */
function keep(kept: string): void {
  mkdirSync(folder, { recursive: true });
  const made = mkdtempSync(join(folder, 'new-'));
  // A copy keeps the permissions, and only the owner may read a data folder.
  const umask = process.umask(0o077);
  bundleFunctions(made);
  process.umask(umask);
  try {
    renameSync(made, kept);
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!existsSync(kept)) throw error;
  }
  const found = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    // Another start may just have renamed or deleted it.
    const time = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    return time === undefined ? [] : [{ path, time, isNew: name.startsWith('new-') }];
  });
  const newestFirst = found.filter(({ isNew }) => !isNew).sort((a, b) => b.time - a.time);
  // Bundles that another start is making must stay, but not those that a killed start has left.
  const left = found.filter(({ isNew, time }) => isNew && time < Date.now() - 60 * 60 * 1_000);
  for (const { path } of [...newestFirst.slice(most), ...left]) rmSync(path, { recursive: true, force: true });
}

function digest(): string {
  const hash = createHash('sha256');
  for (const file of globSync(inputs, { cwd: project }).sort()) {
    const content = readFileSync(join(project, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex').slice(0, 16);
}
