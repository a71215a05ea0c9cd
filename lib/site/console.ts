import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import type { ConsoleFiles } from '../../lambdas/site/console.ts';

const project = join(import.meta.dirname, '../..');

/**
 * Bundles the console into `<outdir>/console`: its scripts and its style sheet, whose names have hashes, and
 * `files.json`, which lists them. Screens that are not needed at first are files of their own. Source maps are in
 * `<outdir>/console-maps`, for debugging; they are not deployed.
 */
export function bundleConsole(outdir: string): void {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: project,
    entryPoints: ['clients/console/main.tsx', 'clients/console/looks/looks.css'],
    // Nothing is written there. Fixed, so that names don't depend on the output folder.
    outdir: 'console',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    // As if every file imported the first screen. esbuild makes a chunk of the modules that the same entries reach, so
    // the first screen becomes one chunk. As 33 chunks, it was 7 kB larger.
    inject: ['clients/console/main.tsx'],
    format: 'esm',
    platform: 'browser',
    target: ['chrome120', 'firefox121', 'safari17'],
    jsx: 'automatic',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  for (const { path, contents } of outputFiles) {
    const folder = join(outdir, path.endsWith('.map') ? 'console-maps' : 'console');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, basename(path)), contents);
  }
  const outputs = Object.entries(metafile.outputs);
  const outputOf = (source: string): string => basename(outputs.find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? '');
  const files: ConsoleFiles = {
    script: outputOf('clients/console/main.tsx'),
    style: outputOf('clients/console/looks/looks.css'),
    names: outputs
      .map(([path]) => basename(path))
      .filter((name) => !name.endsWith('.map'))
      .sort(),
  };
  writeFileSync(join(outdir, 'console/files.json'), JSON.stringify(files));
}
