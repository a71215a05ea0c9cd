import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { region } from '../../local/template/resources.ts';
import type { Service } from './service.ts';

/** How a command ended. */
type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs a command as npm does, with only `PATH` and the given variables in its environment. */
export const runCommand = (
  command: 'admin' | 'import',
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> =>
  promisify(execFile)('node', [`bin/${command}.ts`, ...args], { env: { PATH: process.env.PATH, ...env } }).then(
    (output) => ({ code: 0, ...output }),
    (error) => error,
  );

/** Makes a data folder. After `pointAt`, commands find a service of this process by it. */
export function newDataFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), 'links-commands-'));
  return {
    dataDir,
    pointAt: ({ baseUrl, endpoint, tableName }: Service) =>
      writeFileSync(join(dataDir, 'service.json'), JSON.stringify({ pid: process.pid, baseUrl, endpoint, tableName, region })),
    remove: () => rmSync(dataDir, { recursive: true }),
  };
}

/** The operator's command on that data folder. */
export function adminOn(dataDir: string) {
  const admin = (...args: string[]) => runCommand('admin', args, { DATA_DIR: dataDir });
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
