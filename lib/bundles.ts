import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const project = join(import.meta.dirname, '..');
const lambdas = join(project, 'lambdas');

/** The folders whose files are functions: each file is one entry point that exports `handler`. */
const entryFolders = ['authorizer', 'endpoints', 'events'];
/** A function with its parts beside it. */
const entryFiles = ['redirect/redirect.ts'];

/** Parts of the SDK that a function on Lambda never uses, and what stands in for them. */
const leftOut = {
  '@aws-sdk/credential-provider-node': join(lambdas, 'sdk/environment-credentials.ts'),
  '@aws-sdk/endpoint-cache': join(lambdas, 'sdk/no-endpoint-cache.ts'),
  '@smithy/core/checksum': join(lambdas, 'sdk/native-sha256.ts'),
  '@smithy/core/event-streams': join(lambdas, 'sdk/no-event-streams.ts'),
  '@smithy/core/retry': join(lambdas, 'sdk/no-retries.ts'),
};

/** Every function's entry point. */
const entryPoints = (): string[] => {
  const inFolders = entryFolders.flatMap((folder) =>
    readdirSync(join(lambdas, folder))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  return [...inFolders, ...entryFiles].map((file) => join(lambdas, file));
};

/** Gives a function's bundle by its name. */
export type BundleOf = (name: string) => string;

/** Bundles every function in one esbuild run into `<outdir>/<name>/index.cjs`. */
export function bundleFunctions(outdir: string): BundleOf {
  bundle(entryPoints(), outdir);
  return bundlesIn(outdir);
}

/** The bundles that `bundleFunctions` put there before. */
export function bundlesIn(outdir: string): BundleOf {
  const names = new Set(entryPoints().map(nameOf));
  return (name) => {
    if (!names.has(name)) throw new Error(`no function "${name}" in lambdas/`);
    return join(outdir, name);
  };
}

const nameOf = (file: string): string => basename(file, '.ts');

/**
 * Bundles each of the files into `<outdir>/<its name>/index.cjs`, with its source map beside it.
 *
 * CommonJS, `mainFields` and what is left out are there for size and start-up time; docs/decisions.md has the figures.
 */
export function bundle(files: readonly string[], outdir: string): void {
  buildSync({
    entryPoints: files.map((file) => ({ in: file, out: join(nameOf(file), 'index') })),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    alias: leftOut,
    // Beside the bundle, which does not mention it: `lambdas/runtime/stack.ts` reads it once something has failed.
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'warning',
  });
  for (const file of files) nameSourcesFromProject(join(outdir, nameOf(file), 'index.cjs.map'));
}

/** esbuild names sources from where the map lies: then a function's code would change with the folder that it was bundled into. */
function nameSourcesFromProject(file: string): void {
  const map = JSON.parse(readFileSync(file, 'utf8')) as { sources: readonly string[] };
  const sources = map.sources.map((source) => relative(project, resolve(dirname(file), source)));
  writeFileSync(file, JSON.stringify({ ...map, sources }));
}
