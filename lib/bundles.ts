import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { duckDb, duckDbHere, duckDbLayer } from './clicks/duckdb-layer.ts';
import { bundleConsole } from './site/console.ts';

const project = join(import.meta.dirname, '..');
const lambdas = join(project, 'lambdas');

/** In these folders and their subfolders, each file is a function: an entry point that exports `handler`. */
const entryFolders = ['authorizer', 'endpoints', 'events'];
/** Functions in folders of their own. */
const entryFiles = [
  'managed-domains/manage-domains.ts',
  'mcp/mcp.ts',
  'redirect/redirect.ts',
  'sign-in/sign-in.ts',
  'site/site.ts',
];
/**
 * Modules that a function loads when it first needs them, from files beside its bundle: pages, QR codes, reports of
 * links, and the client of the queue for clicks, which redirects don't need.
 */
const loadedLater: Readonly<Record<string, readonly string[]>> = {
  redirect: ['redirect/page-responses.ts', 'redirect/code-image.ts', 'redirect/reporting.ts', 'outbound/waiting-clicks.ts'],
};
/** The imports of those modules in the sources, and their files. */
const laterImports = {
  '#page-responses': './page-responses.cjs',
  '#code-image': './code-image.cjs',
  '#reporting': './reporting.cjs',
  '#waiting-clicks': './waiting-clicks.cjs',
};

/**
 * Functions that call DynamoDB without the SDK: every visitor or API call may wait for the start of the first two, and
 * the others make thousands of calls at a time.
 */
const lean = ['authorize', 'redirect', 'count-clicks', 'record-waiting-clicks'];

/** Parts of packages that a function on Lambda doesn't need, and their replacements. */
const leftOut = {
  '@aws-sdk/credential-provider-node': join(lambdas, 'sdk/environment-credentials.ts'),
  '@smithy/core/event-streams': join(lambdas, 'sdk/no-event-streams.ts'),
  '@smithy/core/retry': join(lambdas, 'sdk/no-retries.ts'),
  // The package's validator for runtimes that cannot compile code. It is a tenth as large as Ajv, and compiling a
  // schema doesn't pay off for one or two calls.
  '@modelcontextprotocol/server/_shims': join(project, 'node_modules/@modelcontextprotocol/server/dist/shimsWorkerd.mjs'),
};

/** The entry points of all functions. */
const entryPoints = (): string[] => {
  const inFolders = entryFolders.flatMap((folder) =>
    readdirSync(join(lambdas, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(folder, file)),
  );
  return [...inFolders, ...entryFiles].map((file) => join(lambdas, file));
};

/** The source file of a function. @throws Error if there is none */
export function sourceOf(name: string): string {
  const source = entryPoints().find((file) => nameOf(file) === name);
  if (source === undefined) throw new Error(`no function "${name}" in lambdas/`);
  return source;
}

/**
 * Returns the folder of a function's bundle; for `console`, that of the console's files; for `duckdb`, that of the
 * layer.
 *
 * @throws Error if there is no function with that name.
 */
export type BundleOf = (name: string) => string;

/**
 * Bundles all functions for Lambda.
 *
 * @param isPacked whether to make the layer for Lambda's processors. Otherwise, it is made for this machine.
 */
export function bundlesForLambda(outdir: string, isPacked: boolean): BundleOf {
  const bundleOf = bundleFunctions(outdir);
  return (name) => (isPacked && name === 'duckdb' ? duckDbLayer() : bundleOf(name));
}

/**
 * Bundles all functions into `<outdir>/<name>/index.cjs`, and the console into `<outdir>/console`. The layer in
 * `<outdir>/duckdb` is for this machine.
 */
export function bundleFunctions(outdir: string): BundleOf {
  const isLean = (file: string) => lean.includes(nameOf(file));
  bundle(
    entryPoints().filter((file) => !isLean(file)),
    outdir,
  );
  bundle(entryPoints().filter(isLean), outdir, ['lean']);
  bundleConsole(outdir);
  duckDbHere(outdir);
  return bundlesIn(outdir);
}

/** The bundles that an earlier `bundleFunctions` wrote to `outdir`. */
export function bundlesIn(outdir: string): BundleOf {
  const names = new Set(['console', 'duckdb', ...entryPoints().map(nameOf)]);
  return (name) => {
    if (!names.has(name)) throw new Error(`no function "${name}" in lambdas/`);
    return join(outdir, name);
  };
}

const nameOf = (file: string): string => basename(file, '.ts');

/**
 * Bundles each file into `<outdir>/<its name>/index.cjs`, and each part into its own file, with source maps beside
 * them.
 *
 * CommonJS, `mainFields` and the replacements reduce size and start-up time (docs/decisions/0042).
 */
export function bundle(files: readonly string[], outdir: string, conditions: readonly string[] = []): void {
  const outputs = files.flatMap((file) => [
    { in: file, out: join(nameOf(file), 'index') },
    ...(loadedLater[nameOf(file)] ?? []).map((part) => ({ in: join(lambdas, part), out: join(nameOf(file), nameOf(part)) })),
  ]);
  buildSync({
    entryPoints: outputs,
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    conditions: ['module', ...conditions],
    alias: { ...leftOut, ...laterImports },
    external: [...Object.values(laterImports), duckDb],
    // So that they are loaded with `require`, without Node's loader of ES modules.
    supported: { 'dynamic-import': false },
    // The bundle does not refer to the map: `lambdas/runtime/stack.ts` reads it only after an error.
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'warning',
  });
  for (const { out } of outputs) nameSourcesFromProject(join(outdir, `${out}.cjs.map`));
}

/**
 * Makes sources relative to the project. esbuild makes them relative to the map, so a package would depend on its
 * output folder.
 */
function nameSourcesFromProject(file: string): void {
  const map = JSON.parse(readFileSync(file, 'utf8')) as { sources: readonly string[] };
  const sources = map.sources.map((source) => relative(project, resolve(dirname(file), source)));
  writeFileSync(file, JSON.stringify({ ...map, sources }));
}
