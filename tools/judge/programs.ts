import { type ExecFileException, execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NotAvailable } from './verdict.ts';

export const project = join(import.meta.dirname, '../..');
export const settings = join(import.meta.dirname, 'settings');
/** Where the judges' programs are kept between runs. */
const kept = join(project, 'node_modules/.cache/judge');

export type Run = { readonly code: number; readonly output: string; readonly stdout: string };

type RunOptions = { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv };

/** Runs a program, and returns its exit code and its output. The code is 127 if the program does not exist. */
export const run = (program: string, args: readonly string[], options: RunOptions = {}): Promise<Run> =>
  new Promise((resolve) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string) => {
      const code = error?.code === 'ENOENT' ? 127 : typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      resolve({ code, output: `${stdout}${stderr}`, stdout });
    };
    execFile(program, args, { ...options, maxBuffer: 1 << 28 }, done);
  });

export const lastLine = ({ output }: Pick<Run, 'output'>): string => output.trimEnd().split('\n').at(-1) ?? '';

/**
 * Makes a folder in `kept`, once for each version of a file in `settings`. @throws NotAvailable if it cannot be made.
 */
export async function once(name: string, file: string, make: (folder: string) => Promise<Run>): Promise<string> {
  const folder = join(kept, name);
  const made = join(folder, file);
  if (existsSync(made) && readFileSync(made, 'utf8') === readFileSync(join(settings, file), 'utf8')) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const result = await make(folder);
  if (result.code !== 0) throw new NotAvailable(lastLine(result) || `${name} cannot be installed`);
  cpSync(join(settings, file), made);
  return folder;
}

/**
 * The folder with the programs of the Python packages that `settings/<name>.txt` lists. Each list has its own
 * environment, so that no judge needs the packages of another.
 *
 * @throws NotAvailable if Python is missing, or they cannot be installed.
 */
export async function pythonPrograms(name: string): Promise<string> {
  const requirements = `${name}.txt`;
  const folder = await once(name, requirements, async (folder) => {
    const made = await run('python3', ['-m', 'venv', folder]);
    if (made.code === 127) throw new NotAvailable('Python');
    return made.code === 0
      ? run(join(folder, 'bin/pip'), ['install', '--quiet', '--requirement', join(settings, requirements)])
      : made;
  });
  return join(folder, 'bin');
}
