import { beforeAll, expect, test } from 'vitest';
import { countKey } from '../../../../../lambdas/store/table/keys.ts';
import { expectProblem, type Service, useService } from '../../../../support/service/service.ts';
import { createLinks, unknownLink } from '../../../../support/things/links.ts';

let service: Service;
let store: typeof import('../../../../../lambdas/store/links/caps.ts') &
  typeof import('../../../../../lambdas/store/table/writes.ts');
beforeAll(async () => {
  service = await useService();
  store = {
    ...(await import('../../../../../lambdas/store/links/caps.ts')),
    ...(await import('../../../../../lambdas/store/table/writes.ts')),
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

test("An unknown tag or another workspace's is refused by its path, and nothing changes.", async () => {
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

test("Tags are added to each link's own and removed from them, by their ids and names.", async () => {
  const { call, ids, update, links, newTag } = await arrange();
  const [a, b, c, d] = [await newTag('A'), await newTag('B'), await newTag('C'), await newTag('D')];
  await update({ tagIds: [a, b] }, [ids[0]]);
  await update({ tagIds: [d, c] }, [ids[1]]);
  const tags = async () => (await links()).map((link) => link.tags.map(({ name }: { name: string }) => name).join(''));
  expect((await update({ addTagIds: [b], addTagNames: ['c'], removeTagIds: [a], removeTagNames: [' d '] })).body.updated).toBe(3);
  expect(await tags()).toEqual(['BC', 'CB', 'BC']);
  expect((await update({ removeTagNames: ['B'], title: 'New' })).body.updated).toBe(3);
  expect(await tags()).toEqual(['C', 'C', 'C']);
  expect((await links()).map(({ title }) => title)).toEqual(['New', 'New', 'New']);
  const { body } = await call('GET', '/tags');
  expect(body.tags.map(({ _count }: { _count: { links: number } }) => _count.links)).toEqual([0, 0, 3, 0]);
});

test('An update that adds tags that links have, and removes others, changes nothing, not even the time of the update.', async () => {
  const { update, links, newTag } = await arrange();
  const [a, b] = [await newTag('A'), await newTag('B')];
  await update({ tagIds: [a] });
  const before = await links();
  expect((await update({ addTagIds: [a], removeTagIds: [b] })).body).toEqual({ updated: 3, failed: [] });
  expect(await links()).toEqual(before);
});

test('A link that would have more than 20 tags fails by itself.', async () => {
  const { ids, update, links, newTag } = await arrange(2);
  const tags = await Promise.all(Array.from({ length: 21 }, (_, index) => newTag(`T${index}`)));
  await update({ tagIds: tags.slice(0, 20) }, [ids[0]]);
  const failed = [{ index: 0, id: ids[0], code: 'validation_failed', message: 'The link would have more than 20 tags.' }];
  expect((await update({ addTagNames: ['T20'] })).body).toEqual({ updated: 1, failed });
  expect((await links()).map((link) => link.tags.length)).toEqual([20, 1]);
});

test('Names of tags replace the list together with ids, and unknown names are refused by their path.', async () => {
  const { update, links, newTag } = await arrange();
  const [a, b] = [await newTag('A'), await newTag('B')];
  expect((await update({ tagIds: [b], tagNames: ['a', 'B'] })).body.updated).toBe(3);
  for (const { tags } of await links()) expect(tags.map(({ id }: { id: string }) => id)).toEqual([b, a]);
  const before = await links();
  for (const field of ['tagNames', 'addTagNames', 'removeTagNames']) {
    const response = await update({ [field]: ['A', 'Nobody has this'], title: 'New' });
    expectProblem(response, 422, 'tag_not_found');
    expect(response.body.errors).toMatchObject([{ path: `/fields/${field}/1`, code: 'tag_not_found' }]);
    expect(response.body.detail).toContain('"Nobody has this"');
  }
  for (const field of ['addTagIds', 'removeTagIds']) {
    const response = await update({ [field]: [a, 'x'] });
    expectProblem(response, 422, 'tag_not_found');
    expect(response.body.errors).toMatchObject([{ path: `/fields/${field}/1`, code: 'tag_not_found' }]);
  }
  const contrary = await update({ addTagNames: ['a'], removeTagIds: [b, a] });
  expectProblem(contrary, 422, 'validation_failed');
  expect(contrary.body.errors).toMatchObject([{ path: '/fields/removeTagIds/1', code: 'not_together' }]);
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
  // Also in one transaction with their tags.
  await update({ maxClicks: 5, tagIds });
  expect(await used()).toEqual([7, 1, 2]);
});

test("All links can be cloaked, even if the destination's port is never fetched.", async () => {
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
  ['21 names of tags', { fields: { tagNames: Array(21).fill('x') } }, '/fields/tagNames', 'too_many'],
  ['21 tags to add', { fields: { addTagIds: Array(21).fill('x') } }, '/fields/addTagIds', 'too_many'],
  ['21 names of tags to remove', { fields: { removeTagNames: Array(21).fill('x') } }, '/fields/removeTagNames', 'too_many'],
  ['a name that no tag can have', { fields: { addTagNames: ['ok', 'a.b'] } }, '/fields/addTagNames/1', 'invalid_tag_name'],
  ['null for tags to add', { fields: { addTagIds: null } }, '/fields/addTagIds', 'null_not_allowed'],
  ['all tags and tags to add', { fields: { tagIds: [], addTagIds: [] } }, '/fields/addTagIds', 'not_together'],
  ['all tags and tags to remove', { fields: { tagNames: [], removeTagNames: [] } }, '/fields/removeTagNames', 'not_together'],
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
