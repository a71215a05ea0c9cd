import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { region } from '../../local/template/resources.ts';
import type { Service } from './service.ts';

/** What came of a command. */
type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** Runs a command as npm does, with nothing in its environment but this. */
export const runCommand = (
  command: 'admin' | 'import',
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> =>
  promisify(execFile)('node', [`bin/${command}.ts`, ...args], { env: { PATH: process.env.PATH, ...env } }).then(
    (output) => ({ code: 0, ...output }),
    (error) => error,
  );

/** A data folder by which commands find a service that runs in this process, once it is told which. */
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
    /** Gives what it prints, which must be JSON alone. */
    json: async (...args: string[]) => {
      const { code, stdout, stderr } = await admin(...args, '--json');
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    },
    /** Gives the one line that says why it does nothing. */
    refused: async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await admin(...args, '--json');
      expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
      return stderr;
    },
  };
}
