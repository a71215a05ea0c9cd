import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Synthesises the CDK app of a project folder into `<dataDir>/cdk.out`.
 *
 * Runs the app directly, with the context of `cdk.json` and the given one. That takes a fraction of the time that the
 * CDK's command line takes. The templates are not validated, which would take seconds; tests and deployments do that.
 *
 * @returns the folder `<dataDir>/cdk.out`.
 * @throws Error with a one-line message; `<dataDir>/synth.log` then has the whole output.
 */
export async function synthesise(project: string, dataDir: string, context: Readonly<Record<string, string>>): Promise<string> {
  const outdir = join(dataDir, 'cdk.out');
  const log = join(dataDir, 'synth.log');
  const settings = JSON.parse(readFileSync(join(project, 'cdk.json'), 'utf8')) as { context?: object };
  rmSync(outdir, { recursive: true, force: true });
  rmSync(log, { force: true });

  const app = spawn(process.execPath, ['bin/local-app.ts'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ ...settings.context, ...context }),
      CDK_VALIDATION: 'false',
    },
  });
  let output = '';
  for (const stream of [app.stdout, app.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((resolve, reject) => app.once('error', reject).once('close', resolve));
  if (code === 0) return outdir;
  writeFileSync(log, output);
  const lines = output.split('\n').filter((line) => line.trim());
  throw new Error(
    `the app cannot be synthesised: ${lines.find((line) => /error/i.test(line)) ?? lines.at(-1)} (whole output: ${log})`,
  );
}
