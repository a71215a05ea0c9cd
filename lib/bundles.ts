import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';

const lambdas = join(import.meta.dirname, '../lambdas');

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

/**
 * Bundles every function in one esbuild run into `<outdir>/<name>/index.cjs` and answers with a look-up from a function's
 * name to its folder.
 */
export function bundleFunctions(outdir: string): (name: string) => string {
  const inFolders = entryFolders.flatMap((folder) =>
    readdirSync(join(lambdas, folder))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  const files = [...inFolders, ...entryFiles].map((file) => join(lambdas, file));
  bundle(files, outdir);
  const names = new Set(files.map(nameOf));
  return (name) => {
    if (!names.has(name)) throw new Error(`no function "${name}" in lambdas/`);
    return join(outdir, name);
  };
}

const nameOf = (file: string): string => basename(file, '.ts');

/**
 * Bundles each of the files into `<outdir>/<its name>/index.cjs`.
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
    logLevel: 'warning',
  });
}
