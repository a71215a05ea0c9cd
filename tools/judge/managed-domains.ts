import { join } from 'node:path';
import type { Emulator } from './emulator.ts';
import { project, run } from './programs.ts';
import type { Result, Trials } from './steps.ts';

/** Tries the calls of ACM and API Gateway that `managedDomains` needs, with the service's own code. */
export async function checkManagedDomains({ add, step }: Trials, { env }: Emulator): Promise<void> {
  const { stdout, output, code } = await run(process.execPath, [join(import.meta.dirname, 'calls-for-domains.ts')], {
    cwd: project,
    env,
  });
  if (code !== 0) {
    await step('managed domains', () => Promise.reject(new Error(output.trim().split('\n').at(-1))));
    return;
  }
  for (const result of JSON.parse(stdout) as readonly Result[]) add(result);
}
