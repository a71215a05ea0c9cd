import { beforeAll, expect, test } from 'vitest';
import { expectProblem, type Service, useService, type Workspace } from '../../../support/service/service.ts';

let service: Service;
let workspace: Workspace;
let tag: string;
const managedBy = 'team@go.example.com';
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
  tag = await workspace.newTag('Listed');
  await workspace.importLinks(Array.from({ length: 60 }, (_, index) => ({ url: `https://example.org/${index}` })));
  const { links } = (await workspace.call('GET', '/links?limit=10')).body;
  for (const { id } of links) await workspace.call('PATCH', `/links/${id}`, { tagIds: [tag], title: 'Found', managedBy });
});
test('A page has 50 whole links by default, and a cursor for the next page.', async () => {
  const first = await workspace.call('GET', '/links');
  expect(first.status).toBe(200);
  expect(Object.keys(first.body)).toEqual(['links', 'nextCursor']);
  expect(first.body.links).toHaveLength(50);
  const [link] = first.body.links;
  expect((await workspace.call('GET', `/links/${link.id}`)).body).toEqual({ link });
  const second = await workspace.call('GET', `/links?cursor=${first.body.nextCursor}&limit=100`);
  expect([second.body.links.length, second.body.nextCursor]).toEqual([10, null]);
});

test('All filters can be combined, and a cursor works with them.', async () => {
  const query = `tagId=${tag}&domain=${workspace.domain.toUpperCase()}&q=FOUND&managedBy=${managedBy}&limit=4`;
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await workspace.call('GET', `/links?${query}${cursor && `&cursor=${cursor}`}`);
    ids.push(...body.links.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  }
  const all = await workspace.call('GET', `/tags/${tag}/links`);
  expect(ids).toHaveLength(10);
  expect(ids).toEqual(all.body.links.map(({ id }: { id: string }) => id));
});

test('A search finds a link by its short URL as people paste it, and nothing else.', async () => {
  const own = await service.newWorkspace();
  const body = { domain: own.domain, url: 'https://example.org/', customSlug: 'Pasted' };
  const { link } = (await own.call('POST', '/links', body)).body;
  await own.call('POST', '/links', { ...body, customSlug: 'Pasted-2' });
  const [, bare] = link.shortUrl.split('//');
  for (const text of [
    link.shortUrl,
    bare,
    `${link.shortUrl}/`,
    `${bare}?fbclid=${'x'.repeat(500)}`,
    `\u200b${link.shortUrl}#top`,
  ]) {
    const found = await own.call('GET', `/links?q=${encodeURIComponent(text)}`);
    expect(found.body.links.map(({ shortCode }: { shortCode: string }) => shortCode)).toEqual(['Pasted']);
  }
});

test('Lists can be limited by tags, state and time of creation and ordered, and a cursor works in any spelling of the query.', async () => {
  const [first, second] = [await workspace.newTag('First'), await workspace.newTag('Second')];
  const { links } = (await workspace.call('GET', '/links?order=asc&limit=4')).body;
  const ids = links.map(({ id }: { id: string }) => id);
  await workspace.call('PATCH', `/links/${ids[0]}`, { tagIds: [first] });
  await workspace.call('PATCH', `/links/${ids[1]}`, { tagIds: [second, first], isActive: false });
  await workspace.call('PATCH', `/links/${ids[2]}`, { tagIds: [second] });
  const shown = async (query: string) =>
    (await workspace.call('GET', `/links?${query}`)).body.links.map(({ id }: { id: string }) => id);
  expect(await shown(`tagIds=${first},${second}&order=asc`)).toEqual(ids.slice(0, 3));
  expect(await shown(`tagIds=${first},${second}&match=all`)).toEqual([ids[1]]);
  expect(await shown(`tagIds=${first},${second}&match=all&state=active`)).toEqual([]);
  expect(await shown(`tagIds=${first}&state=inactive`)).toEqual([ids[1]]);
  const [{ createdAt }] = links;
  expect(await shown(`createdBefore=${createdAt}`)).toEqual([]);
  expect(await shown(`tagId=${first}&createdAfter=${createdAt}&order=asc`)).toEqual(ids.slice(0, 2));
  const page = await workspace.call('GET', `/links?tagIds=${first},${second}&match=any&limit=1&order=desc`);
  expect(await shown(`tagIds=${second},${first}&cursor=${page.body.nextCursor}`)).toEqual([ids[1], ids[0]]);
});

test('The filter managedBy finds the links with exactly that value.', async () => {
  const count = async (by: string) => (await workspace.call('GET', `/links?managedBy=${by}`)).body.links.length;
  expect([await count('team@GO.example.com'), await count('team-2@go.example.com'), await count('tea@go.example.com')]).toEqual([
    10, 0, 0,
  ]);
});

test('An empty workspace has an empty page.', async () => {
  const { call } = await service.newWorkspace();
  expect((await call('GET', '/links')).body).toEqual({ links: [], nextCursor: null });
});

test.for([
  ['domain=', 'invalid_domain'],
  ['domain=a..b', 'invalid_domain'],
  ['managedBy=team', 'invalid_managed_by'],
  ['q=', 'too_short'],
  ['q=%00', 'invalid_text'],
  [`q=${'x'.repeat(2_049)}`, 'too_long'],
  ['tag=x', 'unknown_parameter'],
  ['tagId=x&tagIds=x', 'not_together'],
  [`tagIds=${Array.from({ length: 21 }, (_, index) => index)}`, 'too_many'],
  ['tagId=x&tagNames=x', 'not_together'],
  ['tagNames=a.b', 'invalid_tag_name'],
  ['tagNames=', 'invalid_tag_name'],
  [`tagNames=${'x'.repeat(65)}`, 'too_long'],
  [`tagNames=${Array.from({ length: 21 }, (_, index) => index)}`, 'too_many'],
  ['match=some', 'invalid_value'],
  ['state=gone', 'invalid_value'],
  ['order=newest', 'invalid_value'],
  ['createdAfter=2030-01-01', 'invalid_timestamp'],
  ['createdAfter=2030-01-01T00:00:00Z&createdBefore=2030-01-01T00:00:00Z', 'out_of_range'],
  ['limit=1&limit=2', 'repeated_parameter'],
] as const)('The query %s is refused as %s.', async ([query, code]) => {
  const response = await workspace.call('GET', `/links?${query}`);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ code }]);
});

test("An unknown tag, or another workspace's, is refused as a filter.", async () => {
  const other = await service.newWorkspace();
  const foreign = await other.newTag('Foreign');
  for (const id of [foreign, 'tag_0123456789abcdef', 'nonsense']) {
    for (const [parameter, value] of Object.entries({ tagId: id, tagIds: `${tag},${id}` })) {
      const response = await workspace.call('GET', `/links?${parameter}=${value}`);
      expectProblem(response, 422, 'tag_not_found');
      const message = `the query parameter "${parameter}" names "${id}", which does not exist in this workspace`;
      expect(response.body.errors).toEqual([{ path: '', code: 'tag_not_found', message }]);
    }
  }
});

test('Links are listed by names of tags, in any case, as by their ids, and by both together.', async () => {
  const own = await service.newWorkspace();
  const [a, b] = [await own.newTag('Näme 1'), await own.newTag('two')];
  const ids = await Promise.all(
    [[a], [a, b], [b], []].map(async (tagIds, index) => {
      const body = { domain: own.domain, url: `https://example.org/${index}`, tagIds };
      return (await own.call('POST', '/links', body)).body.link.id;
    }),
  );
  const shown = async (query: string) =>
    (await own.call('GET', `/links?${query}`)).body.links.map(({ id }: { id: string }) => ids.indexOf(id)).sort();
  const name = encodeURIComponent(' NÄME 1 ');
  expect(await shown(`tagNames=${name}`)).toEqual([0, 1]);
  expect(await shown(`tagNames=${name},TWO`)).toEqual([0, 1, 2]);
  expect(await shown(`tagNames=${name},Two&match=all`)).toEqual([1]);
  expect(await shown(`tagIds=${b}&tagNames=${name}&match=all`)).toEqual([1]);
  expect(await shown(`tagIds=${b}&tagNames=two`)).toEqual([1, 2]);
  const page = await own.call('GET', `/links?tagNames=two&limit=1`);
  expect((await own.call('GET', `/links?tagIds=${b}&cursor=${page.body.nextCursor}`)).body.links).toHaveLength(1);
});

test('A filter by a name that no tag of the workspace has is refused, and the response quotes it.', async () => {
  await (await service.newWorkspace()).newTag('Foreign');
  await workspace.newTag('Known');
  const response = await workspace.call('GET', '/links?tagNames=known,Foreign');
  expectProblem(response, 422, 'tag_not_found');
  expect(response.body.errors).toMatchObject([{ code: 'tag_not_found', message: expect.stringContaining('"tagNames"') }]);
  expect(response.body.detail).toContain('"Foreign"');
});

test('Names of further tags beside 20 ids are refused.', async () => {
  const own = await service.newWorkspace();
  const tags = await Promise.all(Array.from({ length: 21 }, (_, index) => own.newTag(`T${index}`)));
  const ids = tags.slice(0, 20).join();
  expect((await own.call('GET', `/links?tagIds=${ids}&tagNames=T19`)).status).toBe(200);
  const response = await own.call('GET', `/links?tagIds=${ids}&tagNames=T20`);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ code: 'too_many' }]);
});

test('The largest page fits into a response of Lambda.', async () => {
  const own = await service.newWorkspace();
  const settings = {
    title: '"'.repeat(256),
    description: '\u0001'.repeat(1_024),
    notes: '\u0001'.repeat(1_000),
    image: `https://example.org/${'x'.repeat(2_020)}`,
    url: `https://example.org/${'x'.repeat(2_020)}`,
    webhookUrls: Array.from({ length: 5 }, (_, index) => `https://example.org/${index}${'x'.repeat(2_000)}`).join(','),
  };
  const tagIds = await Promise.all(Array.from({ length: 20 }, (_, index) => own.newTag(`${'ä'.repeat(60)} ${index}`)));
  const links = (await own.importLinks(Array.from({ length: 100 }, () => ({ url: 'https://example.org/' })))).body.links;
  const ids = links.map(({ id }: { id: string }) => id);
  const changed = await own.call('PATCH', '/links/bulk', { ids, fields: { ...settings, tagIds } });
  expect(changed.body).toEqual({ updated: 100, failed: [] });
  const page = await own.call('GET', '/links?limit=100');
  expect(page.status).toBe(200);
  expect(page.body.links).toHaveLength(100);
  // Lambda gets it as a string within JSON: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  expect(Buffer.byteLength(JSON.stringify(page.text))).toBeLessThan(6_000_000);
});
