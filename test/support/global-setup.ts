import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEngine } from '../../local/engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The embedded engine of this run, and the folder with the synthesised app. */
    service: { endpoint: string; outdir: string };
  }
}

/** One engine and one synthesised app for the whole run; each test file makes a table of its own. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'links-test-'));
  const outdir = join(folder, 'cdk.out');
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  execFileSync('node', ['bin/app.ts'], {
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, stage: 'local' }),
      CDK_VALIDATION: 'false',
    },
  });
  const onFailure = (error: Error) => console.error(error.message);
  const engine = await startEngine({ folder, scratch: true, log: console.error, onFailure });
  project.provide('service', { endpoint: engine.endpoint, outdir });
  return () => engine.stop();
}
