import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

declare module 'vitest' {
  interface ProvidedContext {
    /** The engine of this run, and the folder with the synthesised app. */
    service: { endpoint: string; outdir: string };
  }
}

/** Synthesises the app into a new folder, in memory if possible. The engine that uses the folder removes it. */
export function synthesise(): { folder: string; outdir: string } {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'links-test-'));
  const outdir = join(folder, 'cdk.out');
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  execFileSync('node', ['bin/local-app.ts'], {
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      CDK_VALIDATION: 'false',
    },
  });
  return { folder, outdir };
}
