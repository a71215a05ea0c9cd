import { beforeAll, expect, test } from 'vitest';
import { mcpClient } from '../../support/http/mcp.ts';
import { type Service, useService } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

/** A workspace with a link and a tag, and the tools. */
async function newAgent() {
  const workspace = await service.newWorkspace();
  const tagId = await workspace.newTag('News');
  const links = [{ url: 'https://example.com/a', customSlug: 'a', title: 'A', externalId: 'a', password: 'correct horse' }];
  const [{ id }] = (await workspace.importLinks(links)).body.links;
  const found = async () => (await workspace.call('GET', `/links/${id}`)).body.link;
  return { id, tagId, found, ...(await mcpClient(service.baseUrl, workspace.key)) };
}

test('A client that sends each argument as a string can switch a link off, cap it, tag it, and clear its fields.', async () => {
  const { answer, id, tagId, found } = await newAgent();
  const change = { isActive: 'false', maxClicks: '100', tagIds: `["${tagId}"]`, title: 'null', externalId: 'null' };
  await answer('update_link', { id, ...change });
  const changed = { isActive: false, maxClicks: 100, tags: [{ id: tagId }], title: null, externalId: null };
  expect(await found()).toMatchObject({ ...changed, hasPassword: true });
  await answer('update_link', { id, maxClicks: 'null', tagIds: '[]', isActive: 'true' });
  expect(await found()).toMatchObject({ maxClicks: null, tags: [], isActive: true });
});

test('The text "null" neither sets nor removes a password, and null removes it.', async () => {
  const { answer, error, id, found } = await newAgent();
  const { updatedAt } = await found();
  expect(await error('update_link', { id, password: 'null' })).toContain('password must not be the text "null"');
  expect(await found()).toMatchObject({ hasPassword: true, updatedAt });
  await answer('update_link', { id, password: null });
  expect(await found()).toMatchObject({ hasPassword: false });
});
