import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Command, CommanderError } from 'commander';
import { expect } from 'vitest';
import { addAdminCommands } from '../../../bin/admin/program.ts';
import { localServiceOf } from '../../../bin/shared/target.ts';
import type { Service } from './service.ts';

/** How a command ended. */
type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

const { PATH, NODE_COMPILE_CACHE } = process.env;

/** Runs a command as npm does, with only `PATH` and the given variables in its environment. */
export const runCommand = (
  command: 'admin' | 'export' | 'import' | 'links' | 'restore' | 'smoke',
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> =>
  promisify(execFile)('node', [`bin/${command}.ts`, ...args], { env: { PATH, NODE_COMPILE_CACHE, ...env } }).then(
    (output) => ({ code: 0, ...output }),
    (error) => error,
  );

/** Makes a data folder. After `pointAt`, commands find a service of this process by it. */
export function newDataFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), 'links-commands-'));
  return {
    dataDir,
    pointAt: (service: Service) =>
      writeFileSync(
        join(dataDir, 'service.json'),
        JSON.stringify({ pid: process.pid, baseUrl: service.baseUrl, ...localServiceOf(service) }),
      ),
    remove: () => rmSync(dataDir, { recursive: true }),
  };
}

/** Runs an operator's command in this process, in which that takes a tenth of the time, and waits for nothing. */
export async function runAdmin(args: readonly string[]): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const program = new Command('admin').exitOverride().configureOutput({
    writeOut: (text) => {
      printed.stdout += text;
    },
    writeErr: (text) => {
      printed.stderr += text;
    },
  });
  const print = async (text: string) => {
    printed.stdout += text;
  };
  try {
    let code = 0;
    const exitWith = (exitCode: number) => {
      code = exitCode;
    };
    const report = (line: string) => {
      printed.stderr += `${line}\n`;
    };
    // Nothing else uses the service, so nothing has to be waited for.
    await addAdminCommands(program, print, exitWith, report, async () => {}).parseAsync(args, { from: 'user' });
    return { code, ...printed };
  } catch (error) {
    if (error instanceof CommanderError) return { code: error.exitCode, ...printed };
    throw error;
  }
}

/** The operator's command on that data folder. */
export function adminOn(dataDir: string) {
  const admin = (...args: string[]) => runAdmin(['--data-dir', dataDir, ...args]);
  return {
    admin,
    /** Returns what it prints, which must be only JSON. */
    json: async (...args: string[]) => {
      const { code, stdout, stderr } = await admin(...args, '--json');
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    },
    /** Expects a failure, and returns its one-line error. */
    refused: async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await admin(...args, '--json');
      expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
      return stderr;
    },
  };
}
