import { beforeAll, expect, test } from 'vitest';
import { expectProblem, type Service, useService } from '../../../support/service/service.ts';
import { createLinks } from '../../../support/things/links.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

type Shown = { readonly id: string; readonly isArchived: boolean; readonly state: string };

async function arrange() {
  const workspace = await service.newWorkspace();
  const [kept = '', archived = ''] = await createLinks(workspace, 2);
  const tagId = await workspace.newTag('Old');
  await workspace.call('PATCH', '/links/bulk', { ids: [kept, archived], fields: { tagIds: [tagId] } });
  await workspace.call('PATCH', `/links/${archived}`, { externalId: 'page:1' });
  const { body } = await workspace.call('PATCH', '/links/bulk', { ids: [archived], fields: { isArchived: true } });
  expect(body).toEqual({ updated: 1, failed: [] });
  const listed = async (path: string) => (await workspace.call('GET', path)).body.links.map(({ id }: Shown) => id);
  return { ...workspace, kept, archived, tagId, listed };
}

test('Lists and searches leave archived links out unless `archived` says otherwise.', async () => {
  const { kept, archived, tagId, domain, listed, call } = await arrange();
  for (const path of [
    '/links?',
    `/links?tagId=${tagId}&`,
    `/tags/${tagId}/links?`,
    '/links?q=example&',
    `/links?domain=${domain}&`,
  ]) {
    expect([path, await listed(path)]).toEqual([path, [kept]]);
    expect([path, await listed(`${path}archived=false`)]).toEqual([path, [kept]]);
    expect([path, await listed(`${path}archived=true`)]).toEqual([path, [archived]]);
    expect([path, (await listed(`${path}archived=any`)).sort()]).toEqual([path, [kept, archived].sort()]);
    expectProblem(await call('GET', `${path}archived=maybe`), 422, 'validation_failed');
  }
  const { nextCursor } = (await call('GET', '/links?archived=any&limit=1')).body;
  expect((await call('GET', `/links?cursor=${nextCursor}`)).body.errors[0].code).toBe('invalid_cursor');
});

test('An archived link redirects, keeps its state, counts for its tag, and is found by its external id and its address.', async () => {
  const { archived, tagId, domain, call } = await arrange();
  const { link } = (await call('GET', `/links/${archived}`)).body;
  expect(link).toMatchObject({ isArchived: true, state: 'active' });
  const { body: tag } = await call('GET', `/tags/${tagId}`);
  expect(tag._count.links).toBe(2);
  for (const query of ['externalId=page:1', `domain=${domain}&slug=${link.shortCode}`])
    expect((await call('GET', `/links/lookup?${query}`)).body.link.id).toBe(archived);
  expect(await service.visit(domain, link.shortCode)).toBe(302);
});

test('A domain is in use while an archived link is on it.', async () => {
  const { kept, archived, domain, call } = await arrange();
  await call('DELETE', `/links/${kept}`);
  expectProblem(await call('DELETE', `/domains/${domain}`), 409, 'domain_in_use');
  await call('DELETE', `/links/${archived}`);
  expect((await call('DELETE', `/domains/${domain}`)).status).toBe(204);
});
