import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject, onTestFinished, vi } from 'vitest';

/** The process ids of the engines whose arguments contain the text, such as a data folder. Linux only. */
export function enginesOf(text: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      const [command = '', ...args] = argumentsOf(pid);
      return basename(command) === 'dynoxide' && args.some((argument) => argument.includes(text));
    });
}

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // The process has ended meanwhile.
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
        { timeout: 30_000, interval: 20 },
      ),
  };
}
