import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOn, newDataFolder } from '../../support/service/commands.ts';
import { type OwnService, useOwnService } from '../../support/service/service.ts';

let service: OwnService;
const folder = newDataFolder();
const { json, refused } = adminOn(folder.dataDir);
beforeAll(async () => {
  service = await useOwnService();
  folder.pointAt(service);
});
afterAll(() => folder.remove());

const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString();

test('A lift lets one workspace send that many imports a minute, through the gateway and the table, until the operator ends it.', async () => {
  const own = await service.newWorkspace();
  const { id, key } = own;
  const other = await service.newWorkspace();
  const imports = (...args: string[]) => json('workspaces', 'imports', '--workspace', id, ...args);
  const passing = async ({ key, domain }: typeof own, count: number) => {
    const body = { domain, links: [{ url: 'https://example.org/' }] };
    const asking = () => service.send('POST', '/api/v1/links/bulk', { key, body });
    const sent = await Promise.all(Array.from({ length: count }, asking));
    for (const { status } of sent) expect([200, 201, 429]).toContain(status);
    return sent.filter(({ status }) => status !== 429).length;
  };
  expect(await imports()).toEqual({ workspaceId: id, perMinute: 3, until: null });
  const until = inDays(1);
  expect(await imports('--per-minute', '20', '--until', until)).toEqual({ workspaceId: id, perMinute: 20, until });
  expect(await imports()).toEqual({ workspaceId: id, perMinute: 20, until });
  expect((await service.send('GET', '/api/v1/me', { key })).body.limits.bulkRequests).toEqual({
    limit: 20,
    remaining: 20,
    windowSeconds: 60,
    resetSeconds: 0,
  });
  expect([await passing(own, 25), await passing(other, 5)]).toEqual([20, 3]);
  expect(await imports('--per-minute', '3')).toEqual({ workspaceId: id, perMinute: 3, until: null });
  const { body } = await service.send('GET', '/api/v1/me', { key });
  expect(body.limits.bulkRequests).toMatchObject({ limit: 3, remaining: 0 });
});

test.for<[readonly string[], string]>([
  [['--per-minute', '2', '--until', inDays(1)], 'from 3 to 50'],
  [['--per-minute', '51', '--until', inDays(1)], 'from 3 to 50'],
  [['--per-minute', '10.5', '--until', inDays(1)], 'from 3 to 50'],
  [['--per-minute', '10'], '--until'],
  [['--per-minute', '3', '--until', inDays(1)], 'leave out --until'],
  [['--until', inDays(1)], '--per-minute'],
  [['--per-minute', '10', '--until', 'tomorrow'], 'ISO 8601'],
  [['--per-minute', '10', '--until', inDays(-1)], 'in the future'],
  [['--per-minute', '10', '--until', inDays(7.01)], '7 days'],
])('The command refuses %j in one line, and changes nothing.', async ([args, reason]) => {
  const { id } = await service.newWorkspace();
  expect(await refused('workspaces', 'imports', '--workspace', id, ...args)).toContain(reason);
  expect(await json('workspaces', 'imports', '--workspace', id)).toMatchObject({ perMinute: 3, until: null });
});

test('There is nothing to lift in a workspace that does not exist or is being deleted.', async () => {
  const lift = ['--per-minute', '10', '--until', inDays(1)];
  expect(await refused('workspaces', 'imports', '--workspace', 'ws_x', ...lift)).toContain('there is no workspace ws_x');
  const { id } = await service.newWorkspace();
  const { beginDeletion } = await import('../../../lambdas/operator/workspace-deletion.ts');
  await beginDeletion(id);
  expect(await refused('workspaces', 'imports', '--workspace', id, ...lift)).toContain('is being deleted');
});
