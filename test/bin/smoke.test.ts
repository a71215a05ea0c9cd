import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessTo } from '../../bin/smoke/access.ts';
import { longestRunMs } from '../../clients/smoke/steps.ts';
import { newDataFolder, runHere } from '../support/service/commands.ts';
import { type Service, useService, type Workspace } from '../support/service/service.ts';

let service: Service;
const folder = newDataFolder();
const { dataDir } = folder;
beforeAll(async () => {
  service = await useService();
  folder.pointAt(service);
});
afterAll(() => folder.remove());

const run = (args: readonly string[], env: Record<string, string> = {}) => runHere('smoke', args, { DATA_DIR: dataDir, ...env });

/** Everything in a workspace that a smoke test makes. */
const contentOf = async ({ call }: Workspace) => [
  ...(await call('GET', '/links')).body.links,
  ...(await call('GET', '/tags')).body.tags,
  ...(await call('GET', '/webhooks')).body.webhooks,
];

describe('npm run smoke', () => {
  test('With a URL and a key, every step that needs no operator passes, and nothing is left behind.', async () => {
    const workspace = await service.newWorkspace();
    const { code, stdout, stderr } = await run(['--base-url', service.baseUrl, '--json'], { LINKS_API_KEY: workspace.key });
    const { steps } = JSON.parse(stdout) as { steps: { step: string; outcome: string; said?: string }[] };
    const others = steps.filter(({ outcome }) => outcome !== 'passed');
    expect(others).toMatchObject([{ step: 'use of the key', outcome: 'not tried', said: expect.stringContaining('--stage') }]);
    expect([code, steps.length]).toEqual([0, 16]);
    expect(await contentOf(workspace)).toEqual([]);
    expect(stdout + stderr).not.toContain(workspace.key);
  });

  test('The operator sees that the authorizer records the use of a key, which is made for the test and revoked.', async () => {
    const workspace = await service.newWorkspace();
    const { code, stdout, stderr } = await run(['--stage', 'local', '--workspace', workspace.id]);
    expect(stdout.match(/^.* (passed|failed|not tried) .*$/gm)).toEqual(
      Array.from({ length: 16 }, () => expect.stringMatching(/^[a-z ]+ {2}passed {5}[a-z]/)),
    );
    expect(code).toBe(0);
    const keys = await service.listApiKeys(workspace.id);
    expect(keys.filter(({ name }) => name === 'smoke')).toMatchObject([{ revokedAt: expect.any(String) }]);
    expect(await contentOf(workspace)).toEqual([]);
    expect(stdout + stderr).not.toContain('lk_');
  });

  test('If the command is stopped, it removes what it has created, and exits with 130.', async () => {
    const workspace = await service.newWorkspace();
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const child = spawn('node', ['bin/smoke.ts', '--base-url', service.baseUrl], {
      env: { PATH, NODE_COMPILE_CACHE, LINKS_API_KEY: workspace.key },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.includes('tagged link: passed') && !child.killed) child.kill('SIGINT');
    });
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
    expect(said).not.toContain('delete: passed');
    expect(await contentOf(workspace)).toEqual([]);
  });

  test('If a step fails, the command exits with 2, and names the step and what to look at.', async () => {
    const workspace = await service.newWorkspace();
    const args = ['--base-url', service.baseUrl, '--key', workspace.key, '--domain', 'other.example.com'];
    const { code, stdout } = await run(args);
    expect([code, stdout]).toEqual([2, expect.stringContaining('failed')]);
    expect(stdout).toContain('other.example.com is not an active domain of the workspace\n');
    expect(stdout).toMatch(/see shortDomains: docs\/deploy\.md/);
  });

  test('Without a key, or with an address that contains a password, the command says so and tries nothing.', async () => {
    expect(await run(['--base-url', service.baseUrl])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('LINKS_API_KEY'),
    });
    const { code, stderr } = await run(['--base-url', 'http://me:secret@localhost', '--key', 'lk_x']);
    expect([code, stderr]).toEqual([1, 'error: the URL of the service must not have a user name or a password\n']);
  });
});

describe("The operator's own workspace for a test", () => {
  test('It has a domain of its own and a key for the longest run, and is deleted at the end.', async () => {
    const waits: number[] = [];
    const before = Date.now();
    const access = await accessTo(
      { stage: 'local', dataDir },
      () => {},
      async (ms) => void waits.push(ms),
    );
    const { workspaceId = '' } = (await service.getDomain(access.domain ?? '')) ?? {};
    const [key] = await service.listApiKeys(workspaceId);
    const lastsMs = Date.parse(key?.expiresAt ?? '') - before;
    expect(lastsMs).toBeGreaterThanOrEqual(longestRunMs);
    expect(lastsMs).toBeLessThanOrEqual(longestRunMs + Date.now() - before);
    expect((await service.send('GET', '/api/v1/me', { key: access.apiKey })).status).toBe(200);
    await access.close();
    expect(waits).toHaveLength(1);
    expect(await service.getDomain(access.domain ?? '')).toBeUndefined();
    expect(await service.listApiKeys(workspaceId)).toEqual([]);
  });

  test('With a URL, the operator tries the stage at that URL, such as behind a proxy.', async () => {
    const { id } = await service.newWorkspace();
    const options = { stage: 'local', dataDir, workspace: id, baseUrl: 'https://proxy.example/' };
    const access = await accessTo(options, () => {});
    expect(access.baseUrl).toBe('https://proxy.example');
    expect((await service.send('GET', '/api/v1/me', { key: access.apiKey })).status).toBe(200);
    await access.close();
  });

  test('If another workspace has the domain, the command says so and leaves nothing behind.', async () => {
    const { domain } = await service.newWorkspace();
    const attempt = accessTo(
      { stage: 'local', dataDir, domain },
      () => {},
      async () => {},
    );
    await expect(attempt).rejects.toThrow(`another workspace has the domain ${domain}`);
    expect((await service.listWorkspaces()).filter(({ name }) => name === 'Smoke test')).toEqual([]);
  });
});
