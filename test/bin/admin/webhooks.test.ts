import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { webhookEvents } from '../../../lambdas/core/webhook/webhook.ts';
import { startReceiver } from '../../support/http/receiver.ts';
import { adminOn, newDataFolder } from '../../support/service/commands.ts';
import { type Service, useService, type Workspace } from '../../support/service/service.ts';

let service: Service;
const folder = newDataFolder();
const { admin, refused } = adminOn(folder.dataDir);
beforeAll(async () => {
  service = await useService();
  folder.pointAt(service);
});
afterAll(() => folder.remove());

const webhooksOf = async ({ call }: Workspace) => (await call('GET', '/webhooks')).body.webhooks;

/** The webhook of a listener, once it listens. */
async function listenerOf(workspace: Workspace): Promise<{ id: string; url: string; events: string[]; active: boolean }> {
  await expect.poll(async () => (await webhooksOf(workspace)).length).toBe(1);
  return (await webhooksOf(workspace))[0];
}

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers }).then(({ status }) => status);

test('The listener prints each webhook and whether its signature is right, refuses other requests, and leaves nothing behind.', async () => {
  const workspace = await service.newWorkspace();
  const listening = admin('webhooks', 'listen', '--workspace', workspace.id, '--count', '3', '--json');
  const { id, url, events, active } = await listenerOf(workspace);
  expect([new URL(url).hostname, events, active]).toEqual(['127.0.0.1', webhookEvents, true]);
  // Anybody on this machine can send to it.
  expect(await post(url, 'not JSON')).toBe(400);
  expect(await post(url, '{"type":"forged"}', { 'webhook-id': 'dlv_forged', 'webhook-signature': 'v1,AAAA' })).toBe(204);
  expect((await workspace.call('POST', `/webhooks/${id}/test`)).status).toBe(202);
  const { body } = await workspace.importLinks([{ url: 'https://example.org/', title: 'Shown' }]);
  const { code, stdout, stderr } = await listening;
  expect([code, stderr]).toEqual([0, '']);
  const [ready, ...lines] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(ready).toEqual({ listening: url, webhookId: id });
  expect(lines.pop()).toEqual({ received: 3 });
  expect(lines[0]).toEqual({ id: 'dlv_forged', isSigned: false, body: { type: 'forged' } });
  expect(lines.slice(1).toSorted((one, other) => (one.body.type < other.body.type ? -1 : 1))).toEqual([
    {
      id: expect.stringMatching(/^dlv_/),
      isSigned: true,
      body: {
        type: 'link.created',
        timestamp: expect.any(String),
        data: { link: expect.objectContaining({ id: body.links[0].id, title: 'Shown' }) },
      },
    },
    {
      id: expect.stringMatching(/^dlv_/),
      isSigned: true,
      body: { type: 'webhook.test', timestamp: expect.any(String), data: {} },
    },
  ]);
  expect(await webhooksOf(workspace)).toEqual([]);
  await expect(fetch(url)).rejects.toThrow();
});

test('Without --json, each webhook is a line for people.', async () => {
  const workspace = await service.newWorkspace();
  const listening = admin('webhooks', 'listen', '--workspace', workspace.id, '--count', '1');
  const { url } = await listenerOf(workspace);
  await post(url, '{"type":"forged"}', { 'webhook-id': 'dlv_forged' });
  const { code, stdout } = await listening;
  expect(code).toBe(0);
  expect(stdout).toMatch(
    new RegExp(`^listening at ${url}; clicks follow[^\\n]*\\ndlv_forged NOT SIGNED {"type":"forged"}\\nreceived +1\\n$`),
  );
});

test('The list of webhooks says how the URL of each is doing, and which address to use instead of one that redirects.', async () => {
  const workspace = await service.newWorkspace();
  const elsewhere = await startReceiver(() => 200);
  const redirecting = await startReceiver(() => ({ status: 307, headers: { Location: `${elsewhere.url}/hooks` } }));
  const made: { id: string; url: string }[] = [];
  for (const { url } of [redirecting, elsewhere]) {
    const { body } = await workspace.call('POST', '/webhooks', { url, events: ['link.created'] });
    made.push({ id: body.id, url: body.url });
  }
  const [first] = made;
  await workspace.call('POST', `/webhooks/${first?.id}/test`);
  await expect.poll(async () => (await workspace.call('GET', `/webhooks/${first?.id}`)).body.status.state).toBe('failing');
  const { webhooks } = JSON.parse((await admin('webhooks', 'list', '--workspace', workspace.id, '--json')).stdout);
  const redirectsTo = `${elsewhere.url}/hooks`;
  const working = { active: true, state: 'ok', since: null, error: null, redirectsTo: null, oldestDueAt: null, advice: null };
  const advice = `It redirects to ${redirectsTo}: use that address.`;
  expect(webhooks).toEqual([
    { ...made[0], ...working, state: 'failing', since: expect.any(String), error: 'redirect', redirectsTo, advice },
    { ...made[1], ...working },
  ]);
  const { stdout } = await admin('webhooks', 'list', '--workspace', workspace.id);
  expect(stdout).toContain(`advice       ${advice}\n`);
  expect(await refused('webhooks', 'list', '--workspace', 'ws_unknown')).toContain('ws_unknown');
  expect(elsewhere.received).toEqual([]);
  await Promise.all([redirecting.stop(), elsewhere.stop()]);
});

test('A listener that cannot start says so in one line, and exits.', async () => {
  const workspace = await service.newWorkspace();
  const listen = (...args: string[]) => refused('webhooks', 'listen', ...args);
  expect(existsSync(join(folder.dataDir, 'demo.json'))).toBe(false);
  expect(await listen()).toContain('has no demo workspace: choose one with --workspace');
  expect(await listen('--workspace', 'ws_unknown')).toContain('ws_unknown');
  expect(await listen('--workspace', workspace.id, '--count', '0')).toContain('--count');
  const full = { url: 'https://hooks.example.com/', events: ['link.created'] };
  for (let made = 0; made < 20; made++) await workspace.call('POST', '/webhooks', full);
  expect(await listen('--workspace', workspace.id)).toContain('20 webhooks');
  expect(await webhooksOf(workspace)).toHaveLength(20);
});
