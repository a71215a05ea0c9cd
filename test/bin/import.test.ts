import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { region } from '../../local/resources.ts';
import { type Service, useService, type Workspace } from '../support/service.ts';

let service: Service;
let workspace: Workspace;
const dataDir = mkdtempSync(join(tmpdir(), 'links-import-'));
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
  const { baseUrl, endpoint, tableName } = service;
  writeFileSync(join(dataDir, 'service.json'), JSON.stringify({ pid: process.pid, baseUrl, endpoint, tableName, region }));
  writeFileSync(join(dataDir, 'demo.json'), JSON.stringify({ baseUrl, apiKey: workspace.key }));
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true });
});

/** Runs the command as `npm run import --` does. */
const run = (
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number; stdout: string; stderr: string }> =>
  promisify(execFile)('node', ['bin/import.ts', ...args], { env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...env } }).then(
    (output) => ({ code: 0, ...output }),
    (error) => error,
  );

const file = (name: string, text: string) => {
  const path = join(dataDir, name);
  writeFileSync(path, text);
  return path;
};

test('brings an export here, says what became of it, and finds it there the next time', async () => {
  const path = file('good.csv', 'url,slug,tags\nhttps://example.org/1,one,news\nhttps://example.org/2,two,\n');
  const args = ['--from', 'csv', '--domain', workspace.domain, path];
  const dry = await run([...args, '--dry-run']);
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringMatching(/^would create +2$/m)]);
  expect((await workspace.call('GET', '/links')).body.links).toEqual([]);

  const report = join(dataDir, 'report.csv');
  const first = await run([...args, '--report', report]);
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/^created +2\nexisting +0\nrefused +0$/m)]);
  expect(first.stderr).toContain('2 of 2 rows');
  expect(readFileSync(report, 'utf8').split('\r\n')).toHaveLength(4);
  expect((await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=one`)).body.link.tags).toMatchObject([
    { name: 'news' },
  ]);

  writeFileSync(path, `${readFileSync(path, 'utf8')}nope,three,\n`);
  const again = await run([...args, '--json']);
  expect(again).toMatchObject({ code: 2, stderr: '' });
  expect(JSON.parse(again.stdout)).toMatchObject({
    created: 0,
    existing: 2,
    refused: 1,
    results: [
      { line: 2, slug: 'one', outcome: 'existing' },
      {},
      { line: 4, outcome: 'refused', reason: 'url must be an absolute URL, such as https://example.com/page' },
    ],
  });
});

test('the operator needs no key: one is made for the import, and revoked behind it', async () => {
  const own = await service.newWorkspace();
  const path = file('operator.csv', 'url,slug\nhttps://example.org/1,one\n');
  const { code, stdout, stderr } = await run(['--from', 'csv', '--domain', own.domain, '--workspace', own.id, path]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^created +1$/m)]);
  const keys = await service.listApiKeys(own.id);
  expect(keys.filter(({ name }) => name === 'import')).toMatchObject([{ revokedAt: expect.any(String) }]);
  expect(stdout + stderr).not.toContain('lk_');
});

describe('says in one line what is wrong, and ends with 1', () => {
  const good = () => file('line.csv', 'url\nhttps://example.org/\n');
  test.for([
    ['no format', () => ['--domain', 'x.example', good()], {}, '--from'],
    ['an unknown format', () => ['--from', 'tiny', '--domain', 'x.example', good()], {}, 'tiny'],
    ['no domain', () => ['--from', 'csv', good()], {}, '--domain'],
    ['what is no domain', () => ['--from', 'csv', '--domain', 'x', good()], {}, 'no domain name'],
    ['no file', () => ['--from', 'csv', '--domain', 'x.example', '/nothing.csv'], {}, 'ENOENT'],
    [
      'an unknown workspace',
      () => ['--from', 'csv', '--domain', 'x.example', '--workspace', 'ws_x', good()],
      {},
      'there is no workspace ws_x',
    ],
    [
      'a folder without a service',
      () => ['--from', 'csv', '--domain', 'x.example', '--data-dir', '/nothing', good()],
      {},
      'no service runs',
    ],
    [
      'an address without a key',
      () => ['--from', 'csv', '--domain', 'x.example', '--url', 'http://127.0.0.1:9', good()],
      {},
      'LINKS_API_KEY',
    ],
    ['a key that is wrong', () => ['--from', 'csv', '--domain', 'x.example', good()], { LINKS_API_KEY: 'lk_secret' }, 'API key'],
    [
      "a domain that is not the workspace's",
      () => ['--from', 'csv', '--domain', 'x.example', good()],
      {},
      'no domain of that name',
    ],
  ] as const)('%s', async ([, args, env, text]) => {
    const { code, stdout, stderr } = await run(args(), env);
    expect(code).toBe(1);
    const [line] = stderr.trim().split('\n').slice(-1);
    expect(line).toContain(text);
    expect(line).toMatch(/^error: /);
    expect(stdout + stderr).not.toContain('lk_secret');
  });
});
