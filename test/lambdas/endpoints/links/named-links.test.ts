import { beforeAll, expect, test } from 'vitest';
import { expectProblem, type Service, useService, type Workspace } from '../../../support/service/service.ts';
import { unknownLink } from '../../../support/things/links.ts';

// External ids in place of the ids of links, in paths and bulk requests.

let service: Service;
let workspace: Workspace;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
});

const url = 'https://example.org/';

async function newLink(externalId?: string, of = workspace): Promise<string> {
  const { body } = await of.call('POST', '/links', { domain: of.domain, url, ...(externalId && { externalId }) });
  return body.link.id;
}

/** Each request with the id of a link in its path, and its status. */
const requests = [
  ['GET', '', 200],
  ['GET', '/qr', 200],
  ['GET', '/stats', 200],
  ['GET', '/clicks', 200],
  ['GET', '/history', 200],
  ['PATCH', '', 200],
  ['DELETE', '/clicks', 204],
  ['DELETE', '/aliases/former', 204],
  ['DELETE', '', 204],
] as const;

const bodyOf = (method: string) => (method === 'PATCH' ? { title: 'New' } : undefined);

let made = 0;

test.for(requests)('%s /links/{id}%s accepts the external id of a link, also with escapes.', async ([method, path, status]) => {
  const externalId = `cms:page.~_-${++made}`;
  const id = await newLink(externalId);
  const slug = (await workspace.call('GET', `/links/${id}`)).body.link.shortCode;
  await workspace.call('PATCH', `/links/${id}`, { customSlug: `new-${made}` });
  const own = path.replace('former', slug);
  const unescaped = method === 'GET' ? await workspace.call(method, `/links/ext_${externalId}${own}`) : { status };
  expect(unescaped.status).toBe(status);
  const { status: actual } = await workspace.call(method, `/links/ext_${encodeURIComponent(externalId)}${own}`, bodyOf(method));
  expect(actual).toBe(status);
  const { body } = await workspace.call('GET', `/links/${id}`);
  if (method === 'PATCH') expect(body.link.title).toBe('New');
  if (path === '/aliases/former') expect(body.link.aliases).toEqual([]);
  if (method === 'DELETE' && path === '') expect(body.code).toBe('not_found');
});

test.for(requests)(
  "%s /links/{id}%s does not find an unknown, malformed, former or another workspace's external id.",
  async ([method, path]) => {
    const [former, foreign] = [`former-${++made}`, `foreign-${made}`];
    const id = await newLink(former);
    await workspace.call('PATCH', `/links/${id}`, { externalId: null });
    await newLink(foreign, await service.newWorkspace());
    const names = [former, foreign, id, 'a b', '%2F', '..%2F', 'a'.repeat(256), '', '%E0%A4%A'];
    for (const name of names) {
      const answer = await workspace.call(method, `/links/ext_${name}${path}`, bodyOf(method));
      // The gateway refuses a path that isn't encoded as UTF-8.
      expect([400, 404], name).toContain(answer.status);
      if (answer.status === 404) expect(answer.body.code).toBe('not_found');
    }
    expect((await workspace.call('GET', `/links/${id}`)).status).toBe(200);
  },
);

test('An external id may look like the id of another link, or begin with ext_: with ext_ before it, it names its own link.', async () => {
  const other = await newLink();
  for (const externalId of [other, 'ext_ext_1', unknownLink]) {
    const id = await newLink(externalId);
    expect((await workspace.call('GET', `/links/ext_${externalId}`)).body.link.id).toBe(id);
  }
  expect((await workspace.call('GET', `/links/${other}`)).body.link.id).toBe(other);
});

test('A change is reverted by the external id of its link.', async () => {
  const id = await newLink('reverted');
  await workspace.call('PATCH', '/links/ext_reverted', { title: 'Wrong' });
  const entries = async () => (await workspace.call('GET', '/links/ext_reverted/history')).body.entries;
  await expect.poll(async () => (await entries()).length, { timeout: 10_000 }).toBe(2);
  const [{ id: entry }] = await entries();
  expect((await workspace.call('POST', `/links/ext_reverted/history/${entry}/revert`)).body.link).toMatchObject({
    id,
    title: null,
  });
});

test('Bulk requests accept external ids beside ids, and a link that is named twice counts once, at its first name.', async () => {
  const [one, two] = [await newLink('bulk:1'), await newLink('bulk:2')];
  const three = await newLink();
  const unknown = `ext_${'x'.repeat(255)}`;
  const ids = ['ext_bulk:1', two, unknown, 'ext_bulk:2', one, 'ext_', three, 'ext_bulk:1'];
  const failed = [2, 5].map((index) => ({ index, id: ids[index], code: 'not_found' }));
  const updated = await workspace.call('PATCH', '/links/bulk', { ids, fields: { title: 'All' } });
  expect(updated.body).toMatchObject({ updated: 3, failed });
  for (const id of [one, two, three]) expect((await workspace.call('GET', `/links/${id}`)).body.link.title).toBe('All');
  expect((await workspace.call('POST', '/links/bulk-delete', { ids })).body).toMatchObject({ deleted: 3, failed });
  for (const id of [one, two, three]) expectProblem(await workspace.call('GET', `/links/${id}`), 404, 'not_found');
});

test('If a link that is named twice cannot be changed, it is reported once, by its first name.', async () => {
  const id = await newLink('bulk:3');
  await workspace.call('PATCH', `/links/${id}`, { expiresAt: '2030-01-01T00:00:00Z' });
  const fields = { startsAt: '2031-01-01T00:00:00Z' };
  const { body } = await workspace.call('PATCH', '/links/bulk', { ids: ['ext_bulk:3', id], fields });
  expect(body).toMatchObject({ updated: 0, failed: [{ index: 0, id: 'ext_bulk:3', code: 'validation_failed' }] });
});
