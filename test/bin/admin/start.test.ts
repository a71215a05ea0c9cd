import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultPermissions } from '../../../lambdas/core/key/permissions.ts';
import { adminOn, newDataFolder } from '../../support/service/commands.ts';
import { type OwnService, useOwnService } from '../../support/service/service.ts';

let service: OwnService;
const folder = newDataFolder();
const { admin, json, refused } = adminOn(folder.dataDir);
beforeAll(async () => {
  service = await useOwnService();
  folder.pointAt(service);
});
afterAll(() => folder.remove());

const called = async (name: string) =>
  (await json('workspaces', 'list')).workspaces.filter((one: { name: string }) => one.name === name);
/** The link that a line makes if it is pasted into a shell. */
const pasted = async (line: string) => JSON.parse((await promisify(execFile)('sh', ['-c', line])).stdout);

test('One command makes a workspace with a domain and a key, and the line that it prints makes the first link.', async () => {
  const made = await json('start', '--name', 'Acme & Co.');
  const [{ id }] = await called('Acme & Co.');
  expect(made).toEqual({
    workspaceId: id,
    name: 'Acme & Co.',
    domain: 'acme-co.localhost',
    keyId: expect.stringMatching(/^key_/),
    key: expect.stringMatching(/^lk_/),
    console: `${service.baseUrl}/console/${id}/links#key=${made.key}`,
    firstLink: expect.stringMatching(/^curl /),
  });
  expect(await json('keys', 'list', '--workspace', id)).toMatchObject({
    keys: [{ id: made.keyId, name: 'start', permissions: defaultPermissions }],
  });
  const { link } = await pasted(made.firstLink);
  expect(link).toMatchObject({ domain: 'acme-co.localhost', url: 'https://example.com/' });
  const { stdout } = await admin('start', '--name', 'Zen');
  expect(stdout).toMatch(/^workspaceId +ws_\w+\nname +Zen\n(.*\n)*firstLink +curl .*\n$/);
});

test('Until a key is used, another run continues with the same workspace and domain, and names the earlier key, which may have been lost.', async () => {
  const first = await json('start', '--name', 'Twice');
  const second = await json('start', '--name', 'Twice');
  const { workspaceId, domain } = first;
  expect(second).toMatchObject({ workspaceId, domain, earlierKeys: [first.keyId] });
  await json('keys', 'revoke', '--id', first.keyId);
  expect(await json('start', '--name', 'Twice')).toMatchObject({ workspaceId, earlierKeys: [second.keyId] });
  expect(await called('Twice')).toHaveLength(1);
});

test('A run that died after the workspace, or after its domain, is completed by the next one.', async () => {
  const { id } = await json('workspaces', 'create', '--name', 'Died');
  const made = await json('start', '--name', 'Died', '--domain', 'other.localhost');
  expect(made).toMatchObject({ workspaceId: id, domain: 'other.localhost' });
  expect(made).not.toHaveProperty('earlierKeys');

  const { id: second } = await json('workspaces', 'create', '--name', 'Later');
  await json('domains', 'add', '--workspace', second, '--domain', 'later.localhost', '--status', 'PENDING_DNS');
  expect(await json('start', '--name', 'Later')).toMatchObject({ workspaceId: second, domain: 'later.localhost' });
  expect((await json('domains', 'list', '--workspace', second)).domains).toMatchObject([{ status: 'ACTIVE' }]);
});

test('No key is made if the workspace of that name has used one, or if several workspaces have that name.', async () => {
  const { workspaceId, firstLink } = await json('start', '--name', 'Used');
  await pasted(firstLink);
  await expect
    .poll(async () => (await json('keys', 'list', '--workspace', workspaceId)).keys)
    .toMatchObject([{ lastUsedAt: expect.any(String) }]);
  const keys = await json('keys', 'list', '--workspace', workspaceId);
  expect(await refused('start', '--name', 'Used')).toBe(
    `error: the workspace Used is in use: make a key with "keys create --workspace ${workspaceId}", or choose another --name for a new one\n`,
  );
  expect(await json('keys', 'list', '--workspace', workspaceId)).toEqual(keys);

  for (const _ of [1, 2]) await json('workspaces', 'create', '--name', 'Same');
  expect(await refused('start', '--name', 'Same')).toContain('several workspaces are called Same: ws_');
});

test('If others have the domain, nothing is made, and the error says who has it.', async () => {
  const { domain, id } = await service.newWorkspace();
  expect(await refused('start', '--name', 'New', '--domain', domain)).toContain(
    `no domain is free: ${domain} belongs to ${id} (`,
  );
  expect(await called('New')).toEqual([]);
  expect(await refused('start')).toContain("required option '--name <name>' not specified");
});
