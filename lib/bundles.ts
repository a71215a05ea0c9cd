import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const lambdas = join(import.meta.dirname, '../lambdas');

/** The folders whose files are functions: each file is one entry point that exports `handler`. */
const entryFolders = ['authorizer', 'endpoints', 'events'];

/** Parts of the SDK that a function on Lambda never uses, and what stands in for them. */
const leftOut = {
  '@aws-sdk/credential-provider-node': join(lambdas, 'sdk/environment-credentials.ts'),
  '@aws-sdk/endpoint-cache': join(lambdas, 'sdk/no-endpoint-cache.ts'),
  '@smithy/core/event-streams': join(lambdas, 'sdk/no-event-streams.ts'),
};

/**
 * Bundles every function in one esbuild run into `<outdir>/<name>/index.cjs` and answers with a look-up from a function's
 * name to its folder.
 *
 * CommonJS, `mainFields` and what is left out are there for size and start-up time; docs/decisions.md has the figures.
 */
export function bundleFunctions(outdir: string): (name: string) => string {
  const entryPoints = entryFolders.flatMap((folder) =>
    readdirSync(join(lambdas, folder))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => ({ in: join(lambdas, folder, file), out: join(file.slice(0, -'.ts'.length), 'index') })),
  );
  buildSync({
    entryPoints,
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
  const names = new Set(entryPoints.map(({ out }) => out));
  return (name) => {
    if (!names.has(join(name, 'index'))) throw new Error(`no function "${name}" in ${entryFolders.join(', ')}`);
    return join(outdir, name);
  };
}
