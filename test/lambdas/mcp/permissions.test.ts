import { beforeAll, expect, test } from 'vitest';
import { type Permission, permissions } from '../../../lambdas/core/key/permissions.ts';
import { mcpClient } from '../../support/http/mcp.ts';
import { type Service, useService, type Workspace } from '../../support/service/service.ts';

let service: Service;
let workspace: Workspace;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
});

/** The tools of each permission. */
const tools: Readonly<Partial<Record<Permission, readonly string[]>>> = {
  'links:read': ['get_link', 'get_qr_code', 'list_links'],
  'links:write': ['create_link', 'create_links', 'delete_links', 'update_link', 'update_links'],
  'tags:read': ['list_tags', 'list_templates'],
  'tags:write': ['create_tag'],
  'domains:read': ['list_domains'],
  'stats:read': ['get_stats', 'get_top_links'],
  'history:read': ['list_history'],
};
/** The tools that need two permissions. */
const withBoth = ['list_ranked_links', 'revert_change'];

const clientWith = async (granted: readonly Permission[]) => mcpClient(service.baseUrl, (await workspace.newKey(granted)).key);

test.for(permissions)('A key with only %s sees the tools that it may use, and no others.', async (permission) => {
  const { names, call } = await clientWith([permission]);
  expect(names.toSorted()).toEqual(tools[permission] ?? []);
  const hidden = [...Object.values(tools).flat(), ...withBoth].filter((name) => !names.includes(name));
  for (const name of hidden) await expect(call(name)).rejects.toMatchObject({ code: -32_602 });
});

test('A key with all permissions sees all tools, and a key with all permissions for reading sees those that read.', async () => {
  expect((await clientWith(permissions)).names.toSorted()).toEqual([...Object.values(tools).flat(), ...withBoth].toSorted());
  const reading = await clientWith(permissions.filter((one) => one.endsWith(':read')));
  expect(reading.names).toHaveLength(10);
  expect(reading.tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
});

test('Undoing a change needs both permissions that the API requires.', async () => {
  expect((await clientWith(['links:write', 'history:read'])).names).toContain('revert_change');
});

test('The API refuses a tool that needs a further permission, and names it.', async () => {
  const { answer, error } = await clientWith(['links:write']);
  expect(await error('delete_links', { filter: {}, expected: 1 })).toMatch(/lacks the permission.*\n?.*Ask the user/s);
  const asked = { domain: workspace.domain, url: 'https://example.com', externalId: 'mine' };
  expect((await answer('create_link', asked)).created).toBe(true);
  // It may not read the link that exists.
  expect(await error('create_link', asked)).toContain('external_id_taken');
});

test('A revoked or expired key is refused, even while the gateway still accepts it.', async () => {
  const short = await workspace.newKey(permissions, new Date(Date.now() + 1_500).toISOString());
  const { client } = await mcpClient(service.baseUrl, short.key);
  await expect
    .poll(() =>
      client.listTools().then(
        () => 'listed',
        (error) => error.status ?? String(error),
      ),
    )
    .toBe(401);
});
