import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { project, type Run, run } from './programs.ts';
import { answers, type Server, startServer } from './server.ts';

/** A server that emulates AWS. */
export type Emulator = Server & {
  readonly url: string;
  /** The environment for programs that must reach the emulator instead of AWS. */
  readonly env: NodeJS.ProcessEnv;
};

export const region = 'eu-central-1';

/**
 * Starts an emulator, and waits until it answers.
 *
 * @param url where it will listen.
 * @param env variables that only this emulator needs.
 * @throws Error with the end of its log if it does not answer within a minute.
 */
export async function startEmulator(
  program: string,
  args: readonly string[],
  { url, folder, env = {} }: { readonly url: string; readonly folder: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Emulator> {
  const home = join(folder, 'home');
  mkdirSync(home);
  const common = { ...withoutAws(), HOME: home, CDK_HOME: home, TMPDIR: home, AWS_REGION: region, AWS_DEFAULT_REGION: region };
  const server = await startServer(program, args, {
    cwd: folder,
    logFile: join(folder, 'emulator.log'),
    env: { ...common, ...env },
    isReady: () => answers(url),
    withinSeconds: 60,
  });
  return {
    ...server,
    url,
    env: {
      ...common,
      AWS_ENDPOINT_URL: url,
      // Fake, so that nothing can reach an account, whatever goes wrong.
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  };
}

/** The environment of this process without AWS accounts and credentials. */
function withoutAws(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_') || name === 'AWS_CA_BUNDLE');
  return Object.fromEntries(others);
}

/** Runs the CDK's command line on synthesised stacks. @throws Error with its last line about an error. */
export async function cdk({ env }: Emulator, outdir: string, args: readonly string[]): Promise<Run> {
  const program = join(project, 'node_modules/aws-cdk/bin/cdk');
  const result = await run(process.execPath, [program, ...args, '--app', outdir, '--ci'], { cwd: project, env });
  if (result.code !== 0) throw new Error(lastErrorOf(result));
  return result;
}

const lastErrorOf = ({ output }: Run): string => {
  const lines = output.split('\n').filter((line) => line.trim() && !line.includes('CloudTrail'));
  return lines.findLast((line) => /‣|error|fail|not |cannot/i.test(line)) ?? lines.at(-1) ?? 'it says nothing';
};

/** Runs one of the project's own commands. @returns its output. @throws Error with what it wrote if it fails. */
export async function command({ env }: Emulator, name: string, args: readonly string[]): Promise<Run> {
  const result = await run(process.execPath, [join(project, 'bin', `${name}.ts`), ...args], { cwd: project, env });
  if (result.code !== 0 && !result.stdout) throw new Error(result.output.trim().split('\n').at(-1));
  return result;
}
