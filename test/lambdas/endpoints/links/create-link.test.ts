import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, type Service, useService, type Workspace } from '../../../support/service/service.ts';

let service: Service;
let workspace: Workspace;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
});

const url = 'https://example.org/';
const create = (body: object, headers?: Record<string, string>, own = workspace) =>
  own.call('POST', '/links', { domain: own.domain, url, ...body }, headers);
let made = 0;
const newSlug = () => `Slug-${++made}`;

test('A creation responds with 201, the whole link, its location and the entity tag that get-link returns.', async () => {
  const customSlug = newSlug();
  const { status, body, headers } = await create({ customSlug });
  expect(status).toBe(201);
  expect(body.link).toMatchObject({
    id: expect.stringMatching(/^lnk_[0-9A-Za-z]{28}$/),
    shortCode: customSlug,
    domain: workspace.domain,
    shortUrl: expect.stringMatching(new RegExp(`^http://${workspace.domain}:\\d+/${customSlug}$`)),
    url,
    isActive: true,
    pendingVerification: false,
    hasPassword: false,
    clickCount: 0,
    tags: [],
  });
  expect(headers.get('location')).toBe(`/api/v1/links/${body.link.id}`);
  const found = await workspace.call('GET', `/links/${body.link.id}`);
  expect(found).toMatchObject({ status: 200, body });
  expect(found.headers.get('etag')).toBe(headers.get('etag'));
});

test.for([
  ['bytes that are not UTF-8', (text: string) => Buffer.from(text, 'latin1'), 'application/json', 400],
  ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'application/json', 400],
  ['a foreign charset', (text: string) => Buffer.from(text), 'application/json; charset=iso-8859-1', 415],
  ['a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`), 'application/json; charset=utf-8', 201],
] as const)('Text is stored as it was sent, or refused: %s.', async ([, bytes, type, wanted]) => {
  const customSlug = newSlug();
  const response = await fetch(`${service.baseUrl}/api/v1/links`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${workspace.key}`, 'Content-Type': type },
    body: bytes(JSON.stringify({ domain: workspace.domain, url, customSlug, title: 'Café' })),
  });
  expect(response.status).toBe(wanted);
  const found = await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=${customSlug}`);
  expect([found.status, found.body.link?.title]).toEqual(wanted === 201 ? [200, 'Café'] : [404, undefined]);
});

test('A new link can have every field that an update can set.', async () => {
  const tag = await workspace.newTag('Every field');
  const settings = {
    title: 'Full',
    description: 'Described',
    notes: 'Noted',
    image: 'https://example.org/image.png',
    redirectType: 'PERMANENT_301',
    isActive: false,
    cloaked: false,
    forwardParameters: true,
    forwardPath: true,
    hideReferrer: true,
    isArchived: true,
    blockBots: true,
    startsAt: '2020-01-01T00:00:00.000Z',
    expiresAt: '2031-01-01T00:00:00.000Z',
    expiredUrl: 'https://example.org/over',
    confirmVisit: true,
    rules: [{ if: { language: ['de'] }, url: 'https://example.org/de' }],
    variants: [
      { id: 'a', url: 'https://example.org/a', weight: 1 },
      { id: 'b', url: 'https://example.org/b', weight: 1 },
    ],
    maxClicks: 10,
    metaPixelId: '123',
    googleTagId: 'G-ABC',
    webhookUrls: 'https://example.org/a,https://example.org/b',
  };
  const { body } = await create({ ...settings, password: 'secret words', tagIds: [tag, tag] });
  expect(body.link).toMatchObject({ ...settings, hasPassword: true, tags: [{ id: tag, name: 'Every field' }] });
  expect((await workspace.call('GET', `/tags/${tag}`)).body._count).toEqual({ links: 1 });
  expect(service.logged().join()).not.toContain('secret words');
});

test('A field that an update can clear may be null, as if it were absent.', async () => {
  const cleared = { title: null, description: null, image: null, notes: null, password: null, expiresAt: null, maxClicks: null };
  expect((await create({ ...cleared, metaPixelId: null, googleTagId: null, webhookUrls: null })).body.link).toMatchObject({
    title: null,
    hasPassword: false,
    expiresAt: null,
    maxClicks: null,
  });
});

test('A new link redirects at once, and its cap counts from the first click.', async () => {
  const { body } = await create({ maxClicks: 2 });
  const statuses = [];
  for (let times = 0; times < 3; times++) statuses.push(await service.visit(workspace.domain, body.link.shortCode));
  expect(statuses).toEqual([302, 302, 410]);
});

test('Generated slugs have seven characters, and each is different.', async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, () => create({})));
  const slugs = responses.map(({ body }) => body.link.shortCode);
  expect(new Set(slugs).size).toBe(20);
  for (const slug of slugs) expect(slug).toMatch(/^[2-9a-km-np-z]{7}$/);
});

test.for([
  [{ url: undefined }, '/url', 'required'],
  [{ url: 'ftp://example.org/' }, '/url', 'destination_scheme'],
  [{ domain: undefined }, '/domain', 'required'],
  [{ domain: 5 }, '/domain', 'invalid_type'],
  [{ customSlug: 'api' }, '/customSlug', 'slug_reserved'],
  [{ customSlug: 'a b' }, '/customSlug', 'slug_invalid'],
  [{ customSlug: null }, '/customSlug', 'null_not_allowed'],
  [{ maxClicks: 0 }, '/maxClicks', 'too_small'],
  [{ id: 'lnk_x' }, '/id', 'unknown_field'],
] as const)('A link with %j is refused at %s as %s.', async ([more, path, code]) => {
  const response = await create(more);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
});

test("A destination on a short domain is refused, even on another workspace's.", async () => {
  const other = await service.newWorkspace();
  const response = await create({ url: `https://${other.domain}/x` });
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path: '/url', code: 'destination_short_domain' }]);
});

test('A destination that the operator has blocked is refused.', async () => {
  const response = await create({ url: 'https://www.blocked.example.com/x' });
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path: '/url', code: 'destination_blocked' }]);
});

test("An unknown domain, another workspace's and a malformed name get the same error.", async () => {
  const other = await service.newWorkspace();
  for (const domain of ['nobody.example.com', other.domain, 'no domain']) {
    expectProblem(await create({ domain }), 422, 'domain_not_verified');
  }
});

test('An unknown tag is refused, and nothing is created.', async () => {
  const own = await service.newWorkspace();
  const tag = await own.newTag('Known');
  const response = await create({ tagIds: [tag, 'tag_0123456789abcdef'] }, {}, own);
  expectProblem(response, 422, 'tag_not_found');
  expect(response.body.errors).toMatchObject([{ path: '/tagIds/1' }]);
  expect((await own.call('GET', '/links')).body.links).toEqual([]);
  expect((await own.call('GET', `/tags/${tag}`)).body._count).toEqual({ links: 0 });
});

test('However many requests want a slug at once, in any case, one gets it.', async () => {
  const tag = await workspace.newTag('Raced');
  const slug = newSlug();
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      create({
        customSlug: index % 2 ? slug.toUpperCase() : slug.toLowerCase(),
        url: `https://example.org/${index}`,
        tagIds: index % 3 ? [tag] : [],
      }),
    ),
  );
  const created = responses.filter(({ status }) => status === 201);
  expect(created).toHaveLength(1);
  for (const response of responses.filter((one) => one !== created[0])) expectProblem(response, 409, 'slug_taken');
  const found = await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=${slug}`);
  expect(found.body).toEqual(created[0]?.body);
  expect((await workspace.call('GET', `/tags/${tag}`)).body._count).toEqual({ links: created[0]?.body.link.tags.length });
});

describe('Idempotency-Key', () => {
  test('Ten requests at once with the same key and body create one link, and get the same response.', async () => {
    const own = await service.newWorkspace();
    const headers = { 'Idempotency-Key': 'once' };
    const responses = await Promise.all(Array.from({ length: 10 }, () => create({ title: 'Once' }, headers, own)));
    for (const { status, text } of responses) expect([status, text]).toEqual([201, responses[0]?.text]);
    expect((await own.call('GET', '/links')).body.links).toHaveLength(1);
  });

  test('A repeated request gets the recorded response even if the link has been changed or deleted since, and changes nothing.', async () => {
    const headers = { 'Idempotency-Key': 'recorded' };
    const customSlug = newSlug();
    const first = await create({ customSlug }, headers);
    await workspace.call('PATCH', `/links/${first.body.link.id}`, { title: 'Changed' });
    expect(await create({ customSlug }, headers)).toMatchObject({ status: 201, text: first.text });
    await workspace.call('DELETE', `/links/${first.body.link.id}`);
    expect(await create({ customSlug }, headers)).toMatchObject({ status: 201, text: first.text });
    expectProblem(await workspace.call('GET', `/links/${first.body.link.id}`), 404, 'not_found');
  });

  test('The record of a request contains neither its password nor a plain hash of its body.', async () => {
    const key = 'not-in-the-table';
    const body = { domain: workspace.domain, url, password: 'secret words' };
    await workspace.call('POST', '/links', body, { 'Idempotency-Key': key });
    const hash = (text: string, encoding: 'hex' | 'base64url') => createHash('sha256').update(text).digest(encoding);
    const { getItem } = await import('../../../../lambdas/store/table/reads.ts');
    const { requestKey } = await import('../../../../lambdas/store/table/keys.ts');
    const record = JSON.stringify(await getItem(requestKey(workspace.id, 'create-link', hash(key, 'base64url'))));
    expect(record).toContain('bodyHash');
    const hashes = (['hex', 'base64url'] as const).map((encoding) => hash(JSON.stringify(body), encoding));
    for (const secret of ['secret words', ...hashes, key]) expect(record).not.toContain(secret);
  });

  test('Another body under the same key is refused, and an import has keys of its own.', async () => {
    const headers = { 'Idempotency-Key': 'reused' };
    await create({ title: 'One' }, headers);
    expectProblem(await create({ title: 'Two' }, headers), 422, 'idempotency_key_reused');
    // An import's key is separate.
    expect((await workspace.importLinks([{ url }], { headers })).status).toBe(200);
  });
});
