import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

declare module 'vitest' {
  interface ProvidedContext {
    /** The engine of the test's project, the folder with the synthesised app, and the service that the project shares. */
    service: { endpoint: string; outdir: string; shared?: { baseUrl: string; logFile: string } };
  }
}

const newFolder = (): string => mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'links-test-'));

/**
 * Makes a folder for an engine, in memory if possible; the engine removes it. The first project of a run that is set up
 * synthesises the app into its folder, and all others share it: that takes seconds. Processes that the tests start keep
 * their compiled code there too, so that the next ones start faster.
 */
export function newContext(): { folder: string; outdir: string } {
  const folder = newFolder();
  if (process.env.TEST_APP) return { folder, outdir: process.env.TEST_APP };
  process.env.NODE_COMPILE_CACHE ??= join(folder, 'compiled');
  process.env.TEST_APP = join(folder, 'cdk.out');
  synthesise(process.env.TEST_APP);
  return { folder, outdir: process.env.TEST_APP };
}

function synthesise(outdir: string): void {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  execFileSync('node', ['bin/local-app.ts'], {
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      CDK_VALIDATION: 'false',
    },
  });
}
