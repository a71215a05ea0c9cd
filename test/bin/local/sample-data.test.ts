import { afterAll, beforeAll, expect, test } from 'vitest';
import type { seedSample } from '../../../bin/local/sample-data.ts';
import { adminOn, newDataFolder } from '../../support/service/commands.ts';
import { type OwnService, useOwnService } from '../../support/service/service.ts';

let service: OwnService;
let seed: typeof seedSample;
const folder = newDataFolder();
const { json } = adminOn(folder.dataDir);
beforeAll(async () => {
  service = await useOwnService();
  folder.pointAt(service);
  ({ seedSample: seed } = await import('../../../bin/local/sample-data.ts'));
});
afterAll(() => folder.remove());

/** Makes a small sample, and calls the API with the key that it prints. */
async function sample() {
  const lines = await seed(service, { links: 90, clicks: 150 });
  const [, workspaceId, key] = /console\/(ws_\w+)\/links#key=(lk_\w+)$/.exec(lines.at(-1) ?? '') ?? [];
  const get = async (path: string) => (await service.send('GET', `/api/v1${path}`, { key: String(key) })).body;
  return { workspaceId: String(workspaceId), get };
}

test('The sample has links in every state, templates, all its clicks, deliveries that fail and that do not, and changes by several keys; statistics agree, and the sample of an earlier start is gone.', async () => {
  // An earlier start's sample.
  const old = await service.createWorkspace('Garden Shop', async () => 'gateway');
  await service.addDomain(old.id, 'garden.localhost', 'ACTIVE');
  const { workspaceId, get } = await sample();
  for (const state of ['active', 'inactive', 'scheduled', 'expired', 'used_up', 'disabled', 'pending']) {
    expect([state, (await get(`/links?state=${state}`)).links.length > 0]).toEqual([state, true]);
  }
  expect((await get('/templates')).templates.map(({ domain }: { domain: string }) => domain)).toContain('garden.localhost');
  const { deliveries } = await get('/webhook-deliveries?limit=100');
  const answers = deliveries.flatMap(({ attempts }: { attempts: { status: number }[] }) => attempts.map(({ status }) => status));
  expect(answers).toEqual(expect.arrayContaining([204, 503]));
  const { entries } = await get('/history?limit=100');
  const actors = new Set(entries.map(({ actor }: { actor: { name: string } }) => actor.name));
  expect([...actors]).toEqual(expect.arrayContaining(["Ada's laptop", "Jo's laptop", 'deploy']));
  const { links, differences } = await json('stats', 'verify', '--workspace', workspaceId, '--settled');
  expect(differences).toEqual([]);
  expect(links).toBeGreaterThan(50);

  const { workspaces } = await json('workspaces', 'list');
  const ids = workspaces.filter(({ name }: { name: string }) => name === 'Garden Shop').map(({ id }: { id: string }) => id);
  expect(ids).toEqual([workspaceId]);
});
