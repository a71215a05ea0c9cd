import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject, onTestFinished, vi } from 'vitest';
import { patience } from '../run/patience.ts';

/** The process ids of the engines whose arguments contain the text, such as a data folder. */
export function enginesOf(text: string): number[] {
  return processes()
    .filter(({ command, args }) => ['dynoxide', 'java'].includes(basename(command)) && args.includes(text))
    .map(({ pid }) => pid);
}

type Process = { readonly pid: number; readonly command: string; readonly args: string };

function processes(): Process[] {
  // Where there is no /proc, as on macOS, there is `ps`. It takes longer, and Linux may lack it.
  if (existsSync('/proc/self/cmdline')) return readdirSync('/proc').flatMap((entry) => processOf(Number(entry)) ?? []);
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, command = '', args = ''] = /^\s*(\d+) (\S+)(.*)$/.exec(line) ?? [];
    return pid ? { pid: Number(pid), command, args } : [];
  });
}

/** Undefined if there is no such process, or no longer. */
function processOf(pid: number): Process | undefined {
  try {
    const [command = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return { pid, command, args: args.join(' ') };
  } catch {
    return undefined;
  }
}

/** Variables with which `npm start` copies the synthesised app of this run, for tests that are not about synthesis. */
export const keptApp = (): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'kept-app.ts'))}`,
  KEPT_APP: inject('service').outdir,
});

/** Runs a script with Node, and kills it after the test if it is still running. */
export function run(script: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...output })),
  );
  return {
    ended,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Waits until the standard output matches, and returns the match. */
    output: (pattern: RegExp) =>
      vi.waitFor(
        () => {
          const match = pattern.exec(output.stdout);
          if (!match) throw new Error(`no ${pattern} in: ${output.stdout}${output.stderr}`);
          return match;
        },
        { timeout: patience, interval: 20 },
      ),
  };
}
