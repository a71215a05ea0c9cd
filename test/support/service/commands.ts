import { execFile } from 'node:child_process';
import { Console } from 'node:console';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { Command, CommanderError } from 'commander';
import { expect } from 'vitest';
import { localServiceOf } from '../../../bin/shared/target.ts';
import type { Terminal } from '../../../bin/shared/terminal.ts';
import type { Service } from './service.ts';

/** How a command ended. */
type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

const { PATH, NODE_COMPILE_CACHE } = process.env;

/** Runs a command as npm does, with only `PATH` and the given variables in its environment. */
export const runCommand = (
  command: keyof typeof programs,
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

type Program = (program: Command, terminal: Terminal, wait: () => Promise<void>) => Command;

const programs: Readonly<Record<'admin' | 'export' | 'import' | 'links' | 'restore' | 'smoke', () => Promise<Program>>> = {
  admin: async () => (await import('../../../bin/admin/program.ts')).addAdminCommands,
  export: async () => (await import('../../../bin/export/program.ts')).addExportCommands,
  import: async () => (await import('../../../bin/import/program.ts')).addImport,
  links: async () => (await import('../../../bin/links/program.ts')).addLinksCommands,
  restore: async () => (await import('../../../bin/restore/program.ts')).addRestore,
  smoke: async () => (await import('../../../bin/smoke/program.ts')).addSmoke,
};

/**
 * Runs a program in this process, which takes a tenth of the time. It cannot be stopped, and the operator's commands
 * wait for nothing, because nothing else uses the service.
 *
 * @param env variables that only this run has, so no other one with variables may be under way.
 */
export async function runHere(
  name: keyof typeof programs,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const printed = { stdout: '', stderr: '' };
  const into = (to: keyof typeof printed) =>
    new Writable({
      write: (text, _encoding, done) => {
        printed[to] += text;
        done();
      },
    });
  const [stdout, stderr] = [into('stdout'), into('stderr')];
  let code = 0;
  const exitWith = (exitCode: number) => {
    code = exitCode;
  };
  const terminal = { console: new Console(stdout, stderr), stdout, stderr, exitWith, onStop: () => {} };
  const program = new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  const addTo = await programs[name]();
  const before = Object.keys(env).map((variable) => [variable, process.env[variable]] as const);
  Object.assign(process.env, env);
  try {
    await addTo(program, terminal, async () => {}).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    code = error.exitCode;
  } finally {
    for (const [variable, value] of before) {
      if (value === undefined) delete process.env[variable];
      else process.env[variable] = value;
    }
  }
  return { code, ...printed };
}

/** The operator's command on that data folder. */
export function adminOn(dataDir: string) {
  const admin = (...args: string[]) => runHere('admin', ['--data-dir', dataDir, ...args]);
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
