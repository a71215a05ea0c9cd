import { beforeAll, describe, expect, test } from 'vitest';
import { mcpClient } from '../../support/http/mcp.ts';
import { type Service, useService } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

/** A workspace with two links and a tag, the tools, and calls of the API with the same key. */
async function newAgent() {
  const workspace = await service.newWorkspace();
  const tagId = await workspace.newTag('News');
  const made = await workspace.importLinks([
    { url: 'https://example.com/a', customSlug: 'a', title: 'A', tagIds: [tagId] },
    { url: 'https://example.com/b', customSlug: 'b', externalId: 'b:1' },
  ]);
  const [a, b] = made.body.links;
  const api = async (path: string) => (await workspace.call('GET', path)).body;
  return { workspace, api, tagId, a, b, domain: workspace.domain, ...(await mcpClient(service.baseUrl, workspace.key)) };
}

type Agent = Awaited<ReturnType<typeof newAgent>>;
type Entry = Record<string, unknown>;

const only = (fields: readonly string[]) => (entry: Entry) => Object.fromEntries(fields.map((field) => [field, entry[field]]));
const shortLink = only(['id', 'shortUrl', 'url', 'title', 'state', 'clickCount', 'tags', 'externalId', 'createdAt']);
const shortDomain = only(['domain', 'status', 'covered', 'rootUrl', 'notFoundUrl', 'expiredUrl']);
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type Shown = (answer: any) => unknown;
const shortLinks: Shown = ({ links, ...rest }) => ({ links: links.map(shortLink), ...rest });
const shortRanked: Shown = ({ links, ...rest }) => ({
  links: links.map((link: Entry) => ({ ...shortLink(link), ...only(['lastClickedAt', 'inRange'])(link) })),
  ...rest,
});
const shortDomains: Shown = ({ domains, ...rest }) => ({ domains: domains.map(shortDomain), ...rest });
/** Statistics without the time at which they were read. */
const timeless: Shown = ({ readAt: _, ...answer }) => answer;
const whole: Shown = (answer) => answer;

test.for<[name: string, args: (agent: Agent) => object, path: (agent: Agent) => string, shown?: Shown]>([
  ['list_links', () => ({}), () => '/links', shortLinks],
  ['list_links', () => ({ q: 'example', limit: 1 }), () => '/links?q=example&limit=1', shortLinks],
  ['list_ranked_links', () => ({ sort: 'clicks' }), () => '/links/ranked?sort=clicks', shortRanked],
  ['list_links', () => ({ tagNames: ['news'], order: 'asc' }), () => '/links?tagNames=news&order=asc', shortLinks],
  ['get_link', ({ a }) => ({ id: a.id }), ({ a }) => `/links/${a.id}`],
  ['get_link', () => ({ id: 'ext_b:1' }), () => '/links/ext_b:1'],
  ['get_link', ({ domain }) => ({ domain, slug: 'a' }), ({ domain }) => `/links/lookup?domain=${domain}&slug=a`],
  ['list_tags', () => ({}), () => '/tags'],
  ['list_templates', () => ({}), () => '/templates'],
  ['get_stats', () => ({ groupBy: ['device', 'country'] }), () => '/stats?groupBy=device,country', timeless],
  ['get_stats', ({ tagId }) => ({ tagIds: [tagId] }), ({ tagId }) => `/stats?tagIds=${tagId}`, timeless],
  ['get_stats', ({ a }) => ({ id: a.id, os: ['ios'] }), ({ a }) => `/links/${a.id}/stats?os=ios`, timeless],
  ['get_top_links', () => ({ day: '2026-01-02' }), () => '/stats/top-links?day=2026-01-02', timeless],
  ['list_domains', () => ({}), () => '/domains', shortDomains],
  ['list_history', ({ a }) => ({ id: a.id }), ({ a }) => `/links/${a.id}/history`],
])('%s returns what the API returns.', async ([name, args, path, shown = whole]) => {
  const agent = await newAgent();
  const body = await agent.api(path(agent));
  const answer = await agent.answer(name, args(agent));
  expect(shown === timeless ? timeless(answer) : answer).toEqual(shown(body));
});

test('The API shows what tools create and change.', async () => {
  const { workspace, api, domain, answer } = await newAgent();
  const { id: tagId } = await answer('create_tag', { name: 'Campaign', color: '#112233' });
  expect((await answer('list_tags')).tags).toContainEqual(await api(`/tags/${tagId}`));
  const { link, created } = await answer('create_link', { domain, url: 'https://example.com/c', tagNames: ['campaign'] });
  expect([created, link]).toEqual([true, (await api(`/links/${link.id}`)).link]);
  const changed = await answer('update_link', { id: link.id, title: 'C', notes: null });
  expect(changed).toEqual(await api(`/links/${link.id}`));
  expect(changed.link.title).toBe('C');
  const links = [{ url: 'https://example.com/d', externalId: 'd' }, { url: 'nonsense' }];
  const { links: made, ...counts } = await answer('create_links', { domain, links });
  expect(made).toEqual([shortLink((await api('/links/ext_d')).link)]);
  expect(counts).toMatchObject({ created: 1, failed: [{ index: 1, code: 'destination_invalid' }] });
  const ids = [link.id, made[0].id];
  expect(await answer('update_links', { ids, fields: { isActive: false } })).toEqual({ updated: 2, failed: [] });
  expect((await api(`/links/${link.id}`)).link.state).toBe('inactive');
  expect(await answer('delete_links', { ids: [link.id] })).toEqual({ deleted: 1, failed: [] });
  expect((await workspace.call('GET', `/links/${link.id}`)).status).toBe(404);
});

test("A QR code is the API's SVG or PNG.", async () => {
  const { a, api, call, workspace } = await newAgent();
  const svg = await call('get_qr_code', { id: a.id, margin: 2 });
  expect(svg.structuredContent).toEqual({ mediaType: 'image/svg+xml', svg: await api(`/links/${a.id}/qr?margin=2`) });
  const { structuredContent, content } = await call('get_qr_code', { id: a.id, format: 'png' });
  const headers = { Accept: 'image/png', Authorization: `Bearer ${workspace.key}` };
  const response = await fetch(`${service.baseUrl}/api/v1/links/${a.id}/qr?format=png`, { headers });
  expect(structuredContent).toEqual({ mediaType: 'image/png' });
  expect(content[1]).toEqual({
    type: 'image',
    mimeType: 'image/png',
    data: Buffer.from(await response.arrayBuffer()).toString('base64'),
  });
});

test('A link with an externalId is created once, however often it is requested, also at once.', async () => {
  const { domain, answer, error } = await newAgent();
  const asked = { domain, url: 'https://example.com/once', externalId: 'once' };
  const answers = await Promise.all([1, 2, 3, 4].map(() => answer('create_link', asked)));
  expect(answers.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(answers.map(({ link }) => link.id)).size).toBe(1);
  const { created, link } = await answer('create_link', { ...asked, url: 'https://example.com/other' });
  expect([created, link.url]).toEqual([false, 'https://example.com/once']);
  expect(await error('create_link', { ...asked, externalId: 'another', customSlug: 'a' })).toContain('Choose another customSlug');
});

describe('A change of the links that match a filter', () => {
  test('is made only to these, and only if their number is the expected one.', async () => {
    const { tagId, answer, api } = await newAgent();
    const filter = { tagIds: [tagId] };
    const change = { filter, expected: 1, fields: { title: 'Changed' } };
    expect(await answer('update_links', change)).toEqual({ updated: 1, failed: [] });
    expect((await api('/links')).links.map(({ title }: Entry) => title).toSorted()).toEqual(['Changed', null]);
    expect(await answer('delete_links', { filter, expected: 1 })).toEqual({ deleted: 1, failed: [] });
    expect((await api('/links')).links).toHaveLength(1);
    expect(await answer('delete_links', { filter, expected: 0 })).toEqual({ deleted: 0, failed: [] });
  });

  test('is refused with a reason if their number is another one, or if the expected number is missing.', async () => {
    const { a, error, api } = await newAgent();
    for (const [args, message] of [
      [{ filter: {}, expected: 1 }, 'these are more than 1 links, and 1 were expected'],
      [{ filter: { q: 'example' }, expected: 3 }, 'these are 2 links, and 3 were expected'],
      [{ filter: {} }, 'filter needs expected'],
      [{ filter: {}, expected: 5_000 }, 'At most 1000 links'],
      [{ filter: {}, ids: [a.id], expected: 1 }, 'Send either ids, or filter'],
      [{}, 'Send either ids, or filter'],
      [{ ids: [a.id, a.id], expected: 2 }, 'these are 1 links'],
      [{ filter: { tagNames: ['nothing'] }, expected: 1 }, 'does not exist'],
      [{ filter: { q: { a: 1 } }, expected: 1 }, '#/filter/q: Instance type "object" is invalid'],
      [{ filter: { nothing: { a: 1 } }, expected: 1 }, 'filter/nothing must be a value'],
      [{ filter: { nothing: 1 }, expected: 2 }, 'nothing'],
    ] as const) {
      expect(await error('delete_links', args)).toContain(message);
      expect(await error('update_links', { ...args, fields: { title: 'No' } })).toContain(message);
    }
    expect((await api('/links')).links).toHaveLength(2);
  });

  test('reaches all pages.', async () => {
    const { workspace, answer } = await newAgent();
    await workspace.importLinks(Array.from({ length: 130 }, (_, n) => ({ url: `https://example.com/many/${n}` })));
    const filter = { q: 'example.com/many/' };
    expect(await answer('update_links', { filter, expected: 130, fields: { notes: 'x' } })).toEqual({ updated: 130, failed: [] });
  });
});

test('An agent can list only its own changes, and undo one, even a deletion.', async () => {
  const agent = await newAgent();
  const { workspace, b, answer, error } = agent;
  const own = await workspace.newKey();
  const mine = await mcpClient(service.baseUrl, own.key);
  await mine.answer('update_link', { id: b.id, title: 'Wrong' });
  await mine.answer('delete_links', { ids: [agent.a.id] });
  const entries = async () => (await mine.answer('list_history', { mine: true })).entries;
  await expect.poll(async () => (await entries()).map(({ action }: Entry) => action)).toEqual(['link.deleted', 'link.updated']);
  const [deleted, updated] = await entries();
  const undone = await mine.answer('revert_change', { id: updated.subject.id, entryId: updated.id });
  expect(undone.link).toMatchObject({ id: b.id, title: null });
  const { link } = await mine.answer('revert_change', { id: deleted.subject.id, entryId: deleted.id });
  expect(link).toMatchObject({ shortCode: 'a', restoredFrom: agent.a.id });
  expect((await answer('get_link', { id: link.id })).link.url).toBe(agent.a.url);
  expect(await error('list_history', { mine: true, id: link.id })).toContain('mine cannot be combined with id or actor');
});

test.for<[string, string, object, RegExp]>([
  ['a link that does not exist', 'get_link', { id: 'lnk_nothing' }, /not_found, request .*\n.*list_links/],
  [
    'a domain of others',
    'create_link',
    { domain: 'example.org', url: 'https://example.com' },
    /domain_not_verified.*\n.*list_domains/,
  ],
  [
    'a bad destination',
    'create_link',
    { domain: 'example.org', url: 'ftp://x' },
    /\/url must start with http.*\n.*Correct the arguments/,
  ],
  ['an unknown argument', 'list_links', { tag: 'x' }, /There is no argument tag. The tool takes limit, /],
  ['an argument of the wrong type', 'list_links', { limit: 'many' }, /limit.*Expected "integer"/],
  ['an empty id', 'get_link', { id: '' }, /id must not be empty/],
  ['a wrong range', 'get_stats', { from: '2030-01-01T00:00:00Z', to: '2029-01-01T00:00:00Z' }, /from/],
  ['a taken name', 'create_tag', { name: 'news', color: '#000000' }, /tag_name_taken.*\n.*list_tags/],
])('The error about %s says what is wrong and what to do.', async ([, tool, args, message]) => {
  const { error } = await newAgent();
  expect(await error(tool, args)).toMatch(message);
});

test('A throttled call fails at once, with the time to wait.', async () => {
  const { a, workspace, answer, error } = await newAgent();
  const { limits } = (await workspace.call('GET', '/me')).body;
  for (let n = limits.bulkRequests.remaining; n > 0; n--) {
    await answer('create_links', { domain: workspace.domain, links: [{ url: `https://example.com/${n}` }] });
  }
  const refused = await error('create_links', { domain: workspace.domain, links: [{ url: a.url }] });
  expect(refused).toMatch(/rate_limited, request .*\nWait \d+ seconds, then call again\./);
});
