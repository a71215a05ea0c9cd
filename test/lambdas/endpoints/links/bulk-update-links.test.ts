import { beforeAll, expect, test } from 'vitest';
import { countKey } from '../../../../lambdas/store/table/keys.ts';
import { expectProblem, type Service, useService } from '../../../support/service/service.ts';
import { createLinks, unknownLink } from '../../../support/things/links.ts';

let service: Service;
let store: typeof import('../../../../lambdas/store/links/caps.ts') & typeof import('../../../../lambdas/store/table/writes.ts');
beforeAll(async () => {
  service = await useService();
  store = {
    ...(await import('../../../../lambdas/store/links/caps.ts')),
    ...(await import('../../../../lambdas/store/table/writes.ts')),
  };
});
async function arrange(count = 3) {
  const workspace = await service.newWorkspace();
  const ids = await createLinks(workspace, count);
  const update = (fields: unknown, of: unknown = ids) => workspace.call('PATCH', '/links/bulk', { ids: of, fields });
  const links = async () => Promise.all(ids.map(async (id) => (await workspace.call('GET', `/links/${id}`)).body.link));
  return { ...workspace, workspaceId: workspace.id, ids, update, links };
}

test('All links get the same fields, and the response says how many.', async () => {
  const { update, links } = await arrange();
  const fields = {
    title: 'All',
    description: null,
    notes: 'For all',
    redirectType: 'PERMANENT_301',
    blockBots: true,
    expiresAt: '2040-01-01T00:00:00+01:00',
    metaPixelId: '123',
    webhookUrls: 'https://example.com/a , https://example.com/b',
  };
  expect(await update(fields)).toMatchObject({ status: 200, body: { updated: 3, failed: [] } });
  for (const link of await links()) {
    expect(link).toMatchObject({
      ...fields,
      expiresAt: '2039-12-31T23:00:00.000Z',
      webhookUrls: 'https://example.com/a,https://example.com/b',
    });
  }
});

test('An update without fields changes nothing, and is no error.', async () => {
  const { update, links } = await arrange();
  const before = await links();
  expect((await update({})).body).toEqual({ updated: 3, failed: [] });
  expect(await links()).toEqual(before);
});

test('Each link gets the same tags in the same order, and their counts follow.', async () => {
  const { call, update, links, newTag } = await arrange();
  const [a, b, c] = [await newTag('A'), await newTag('B'), await newTag('C')];
  expect((await update({ tagIds: [a, b] })).body.updated).toBe(3);
  expect((await update({ tagIds: [c, b, c], title: 'New' })).body.updated).toBe(3);
  for (const { tags, title } of await links()) expect([tags.map(({ id }: { id: string }) => id), title]).toEqual([[c, b], 'New']);
  const { body } = await call('GET', '/tags');
  expect(body.tags.map(({ _count }: { _count: { links: number } }) => _count.links)).toEqual([0, 3, 3]);
});

test("An unknown tag or another workspace's is refused by its place in the fields, and nothing changes.", async () => {
  const { update, links, newTag } = await arrange();
  const mine = await newTag('Mine');
  const theirs = await (await service.newWorkspace()).newTag('Theirs');
  const before = await links();
  const response = await update({ tagIds: [mine, theirs, 'x'], title: 'New' });
  expectProblem(response, 422, 'tag_not_found');
  expect(response.body.errors).toMatchObject([{ path: '/fields/tagIds/1' }, { path: '/fields/tagIds/2' }]);
  expectProblem(await update({ tagIds: ['x'] }, [unknownLink]), 422, 'tag_not_found');
  expect(await links()).toEqual(before);
});

test('A password is set on all links and removed again, and no response or log repeats it.', async () => {
  const { update, links } = await arrange();
  expect((await update({ password: 'open sesame' })).body.updated).toBe(3);
  expect((await links()).map(({ hasPassword }) => hasPassword)).toEqual([true, true, true]);
  expect(JSON.stringify([await links(), service.logged()])).not.toMatch(/sesame|argon2/);
  expect((await update({ password: null })).body.updated).toBe(3);
  expect((await links()).map(({ hasPassword }) => hasPassword)).toEqual([false, false, false]);
});

test('The cap of each link starts from its own clicks.', async () => {
  const { ids, update, newTag } = await arrange();
  const tagIds = [await newTag('A')];
  for (const [clicks, id] of ids.entries()) {
    const key = countKey(id);
    await store.updateItem(key, { text: 'SET #count = :count', values: { ':count': clicks } });
  }
  const used = () => Promise.all(ids.map((id) => store.getCap({ id }).then((cap) => cap?.used)));
  await update({ maxClicks: 2 });
  expect(await used()).toEqual([0, 1, 2]);
  await update({ maxClicks: null });
  expect(await used()).toEqual([0, 1, 2]);
  await store.updateItem(countKey(ids[0] ?? ''), { text: 'SET #count = :count', values: { ':count': 7 } });
  // In one transaction with their tags, too.
  await update({ maxClicks: 5, tagIds });
  expect(await used()).toEqual([7, 1, 2]);
});

test('All links can be cloaked, even if the destination has a port that is never asked.', async () => {
  const { update, links } = await arrange();
  expect((await update({ cloaked: true, url: 'https://example.org:8443/' })).body.updated).toBe(3);
  for (const link of await links()) expect(link).toMatchObject({ cloaked: true, url: 'https://example.org:8443/' });
});

test.for([
  ['an unknown field', { fields: { slug: 'x' } }, '/fields/slug', 'unknown_field'],
  ['a field that only a new link has', { fields: { customSlug: 'x' } }, '/fields/customSlug', 'unknown_field'],
  ['a field beside "fields"', { fields: {}, title: 'x' }, '/title', 'unknown_field'],
  ['no fields', {}, '/fields', 'required'],
  ['null instead of fields', { fields: null }, '/fields', 'null_not_allowed'],
  ['a list instead of fields', { fields: [] }, '/fields', 'invalid_type'],
  ['null for a field that cannot be cleared', { fields: { url: null } }, '/fields/url', 'null_not_allowed'],
  ['a destination that breaks a rule', { fields: { url: 'ftp://example.org' } }, '/fields/url', 'destination_scheme'],
  ['a cap of 0', { fields: { maxClicks: 0 } }, '/fields/maxClicks', 'too_small'],
  ['21 tags', { fields: { tagIds: Array(21).fill('x') } }, '/fields/tagIds', 'too_many'],
  ['a destination on a short domain', { fields: { url: 'https://DOMAIN/x' } }, '/fields/url', 'destination_short_domain'],
] as const)('An update with %s is refused, and nothing changes.', async ([, body, path, code]) => {
  const { call, domain, ids, links } = await arrange(1);
  const before = await links();
  const sent = JSON.parse(JSON.stringify({ ids, ...body }).replace('DOMAIN', domain));
  const response = await call('PATCH', '/links/bulk', sent);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
  expect(await links()).toEqual(before);
});
