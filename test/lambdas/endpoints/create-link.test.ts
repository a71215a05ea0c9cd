import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rawRequest } from '../../support/raw-request.ts';
import { expectProblem, type Service, useService, type Workspace } from '../../support/service.ts';

let service: Service;
let workspace: Workspace;
beforeAll(async () => {
  service = await useService();
  // Before any function reads the list, which it then remembers for 50 seconds.
  await service.blockHost('blocked.example.com');
  workspace = await service.newWorkspace();
});
afterAll(() => service.stop());

const url = 'https://example.org/';
const create = (body: object, headers?: Record<string, string>, own = workspace) =>
  own.call('POST', '/links', { domain: own.domain, url, ...body }, headers);
const visit = async (domain: string, slug: string) => {
  const answer = await rawRequest(Number(new URL(service.baseUrl).port), [`GET /${slug} HTTP/1.1`, `Host: ${domain}`]);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
};
let made = 0;
const newSlug = () => `Slug-${++made}`;

describe('create-link', () => {
  test('answers 201 with the whole link, where it is, and the entity tag that a GET has', async () => {
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

  test('sets every field that an update can set', async () => {
    const tag = await workspace.newTag('Every field');
    const settings = {
      title: 'Full',
      description: 'Described',
      image: 'https://example.org/image.png',
      redirectType: 'PERMANENT_301',
      isActive: false,
      cloaked: false,
      forwardParameters: true,
      blockBots: true,
      expiresAt: '2031-01-01T00:00:00.000Z',
      maxClicks: 10,
      metaPixelId: '123',
      googleTagId: 'G-ABC',
      webhookUrls: 'https://example.org/a,https://example.org/b',
    };
    const { body } = await create({ ...settings, password: 'secret words', tagIds: [tag, tag] });
    expect(body.link).toMatchObject({ ...settings, hasPassword: true, tags: [{ id: tag, name: 'Every field' }] });
    expect((await workspace.call('GET', `/tags/${tag}`)).body._count).toEqual({ links: 1 });
    expect(service.log.join()).not.toContain('secret words');
  });

  test('takes null for what an update can clear, as if it were absent', async () => {
    const cleared = { title: null, description: null, image: null, password: null, expiresAt: null, maxClicks: null };
    expect((await create({ ...cleared, metaPixelId: null, googleTagId: null, webhookUrls: null })).body.link).toMatchObject({
      title: null,
      hasPassword: false,
      expiresAt: null,
      maxClicks: null,
    });
  });

  test('redirects from then on, and a cap counts from the first click', async () => {
    const { body } = await create({ maxClicks: 2 });
    const statuses = [];
    for (let times = 0; times < 3; times++) statuses.push(await visit(workspace.domain, body.link.shortCode));
    expect(statuses).toEqual([302, 302, 410]);
  });

  test('makes slugs of seven characters, each its own', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({})));
    const slugs = answers.map(({ body }) => body.link.shortCode);
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
  ] as const)('refuses %j at %s as %s', async ([more, path, code]) => {
    const answer = await create(more);
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path, code }]);
  });

  test('refuses a destination on a short domain, whosever it is', async () => {
    const other = await service.newWorkspace();
    const answer = await create({ url: `https://${other.domain}/x` });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path: '/url', code: 'destination_short_domain' }]);
  });

  test('refuses a destination that the operator has blocked', async () => {
    const answer = await create({ url: 'https://www.blocked.example.com/x' });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path: '/url', code: 'destination_blocked' }]);
  });

  test("refuses a domain that nobody has, another's, and none at all, with one answer", async () => {
    const other = await service.newWorkspace();
    for (const domain of ['nobody.example.com', other.domain, 'no domain']) {
      expectProblem(await create({ domain }), 422, 'domain_not_verified');
    }
  });

  test('refuses an unknown tag, and creates nothing', async () => {
    const own = await service.newWorkspace();
    const tag = await own.newTag('Known');
    const answer = await create({ tagIds: [tag, 'tag_0123456789abcdef'] }, {}, own);
    expectProblem(answer, 422, 'tag_not_found');
    expect(answer.body.errors).toMatchObject([{ path: '/tagIds/1' }]);
    expect((await own.call('GET', '/links')).body.links).toEqual([]);
    expect((await own.call('GET', `/tags/${tag}`)).body._count).toEqual({ links: 0 });
  });

  test('gives a slug out once, in whatever case and however many ask at once', async () => {
    const tag = await workspace.newTag('Raced');
    const slug = newSlug();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        create({
          customSlug: index % 2 ? slug.toUpperCase() : slug.toLowerCase(),
          url: `https://example.org/${index}`,
          tagIds: index % 3 ? [tag] : [],
        }),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    for (const answer of answers.filter((one) => one !== created[0])) expectProblem(answer, 409, 'slug_taken');
    const found = await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=${slug}`);
    expect(found.body).toEqual(created[0]?.body);
    expect((await workspace.call('GET', `/tags/${tag}`)).body._count).toEqual({ links: created[0]?.body.link.tags.length });
  });
});

describe('create-link with an Idempotency-Key', () => {
  test('gives the same answer to the same request, and creates one link, however many come at once', async () => {
    const own = await service.newWorkspace();
    const headers = { 'Idempotency-Key': 'once' };
    const answers = await Promise.all(Array.from({ length: 10 }, () => create({ title: 'Once' }, headers, own)));
    for (const { status, text } of answers) expect([status, text]).toEqual([201, answers[0]?.text]);
    expect((await own.call('GET', '/links')).body.links).toHaveLength(1);
  });

  test('gives the recorded answer whatever happened to the link since, and touches nothing', async () => {
    const headers = { 'Idempotency-Key': 'recorded' };
    const customSlug = newSlug();
    const first = await create({ customSlug }, headers);
    await workspace.call('PATCH', `/links/${first.body.link.id}`, { title: 'Changed' });
    expect(await create({ customSlug }, headers)).toMatchObject({ status: 201, text: first.text });
    await workspace.call('DELETE', `/links/${first.body.link.id}`);
    expect(await create({ customSlug }, headers)).toMatchObject({ status: 201, text: first.text });
    expectProblem(await workspace.call('GET', `/links/${first.body.link.id}`), 404, 'not_found');
  });

  test('keeps nothing from which a password could be guessed', async () => {
    const key = 'not-in-the-table';
    const body = { domain: workspace.domain, url, password: 'secret words' };
    await workspace.call('POST', '/links', body, { 'Idempotency-Key': key });
    const hash = (text: string, encoding: 'hex' | 'base64url') => createHash('sha256').update(text).digest(encoding);
    const { getItem } = await import('../../../lambdas/store/table/reads.ts');
    const { requestKey } = await import('../../../lambdas/store/table/keys.ts');
    const record = JSON.stringify(await getItem(requestKey(workspace.id, 'create-link', hash(key, 'base64url'))));
    expect(record).toContain('bodyHash');
    const hashes = (['hex', 'base64url'] as const).map((encoding) => hash(JSON.stringify(body), encoding));
    for (const secret of ['secret words', ...hashes, key]) expect(record).not.toContain(secret);
  });

  test('refuses another body under the key', async () => {
    const headers = { 'Idempotency-Key': 'reused' };
    await create({ title: 'One' }, headers);
    expectProblem(await create({ title: 'Two' }, headers), 422, 'idempotency_key_reused');
    // The key of an import is another one.
    expect((await workspace.importLinks([{ url }], { headers })).status).toBe(200);
  });
});

describe('delete-link', () => {
  test('answers 204, and the link is gone for everybody', async () => {
    const { body } = await create({});
    const { id, shortCode } = body.link;
    expect(await workspace.call('DELETE', `/links/${id}`)).toMatchObject({ status: 204, text: '' });
    const gone = [
      await workspace.call('GET', `/links/${id}`),
      await workspace.call('PATCH', `/links/${id}`, { title: 'Back' }),
      await workspace.call('DELETE', `/links/${id}`),
      await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=${shortCode}`),
    ];
    for (const answer of gone) expectProblem(answer, 404, 'not_found');
    expect(await visit(workspace.domain, shortCode)).toBe(404);
  });

  test('sets the address free, and neither the id nor the clicks of the old link find the new one', async () => {
    const customSlug = newSlug();
    const old = (await create({ customSlug, title: 'Old' })).body.link;
    await workspace.call('DELETE', `/links/${old.id}`);
    const { status, body } = await create({ customSlug: customSlug.toUpperCase() });
    expect(status).toBe(201);
    expect(body.link.id).not.toBe(old.id);
    expect(body.link.id.slice(0, -6)).toBe(old.id.slice(0, -6));

    // Clicks of the old link that come late.
    const { countClicks } = await import('../../../lambdas/store/clicks/counts.ts');
    await countClicks(old.id, 'shardId-1', ['1', '2']);
    expectProblem(await workspace.call('GET', `/links/${old.id}`), 404, 'not_found');
    expectProblem(await workspace.call('PATCH', `/links/${old.id}`, { title: 'Old' }), 404, 'not_found');
    expectProblem(await workspace.call('DELETE', `/links/${old.id}`), 404, 'not_found');
    expect((await workspace.call('GET', `/links/${body.link.id}`)).body.link).toMatchObject({ title: null, clickCount: 0 });
  });

  test('takes the link off its tags, once, however many delete it', async () => {
    const tag = await workspace.newTag('Deleted from');
    const [one, kept] = [await create({ tagIds: [tag] }), await create({ tagIds: [tag] })];
    const answers = await Promise.all(Array.from({ length: 10 }, () => workspace.call('DELETE', `/links/${one.body.link.id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
    expect((await workspace.call('GET', `/tags/${tag}`)).body._count).toEqual({ links: 1 });
    const { links } = (await workspace.call('GET', `/tags/${tag}/links`)).body;
    expect(links.map(({ id }: { id: string }) => id)).toEqual([kept.body.link.id]);
  });
});

describe('lookup-link', () => {
  test('finds a link by its address, in whatever case', async () => {
    const customSlug = newSlug();
    const { body } = await create({ customSlug });
    const domain = workspace.domain.toUpperCase();
    for (const slug of [customSlug, customSlug.toLowerCase(), customSlug.toUpperCase()]) {
      expect(await workspace.call('GET', `/links/lookup?domain=${domain}.&slug=${slug}`)).toMatchObject({ status: 200, body });
    }
  });

  test("answers 404 for an unknown slug, an unknown domain and another workspace's, and for what is neither", async () => {
    await create({ customSlug: 'k-1' });
    const other = await service.newWorkspace();
    const { body } = await create({ customSlug: newSlug() }, {}, other);
    for (const [domain, slug] of [
      [workspace.domain, 'unknown'],
      ['unknown.example.com', body.link.shortCode],
      [other.domain, body.link.shortCode],
      [workspace.domain, '%00'],
      [workspace.domain, ''],
      // Its lower case is the k of a slug that is there.
      [workspace.domain, '\u212a-1'],
      ['%20', 'x'],
    ]) {
      expectProblem(await workspace.call('GET', `/links/lookup?domain=${domain}&slug=${slug}`), 404, 'not_found');
    }
  });

  test.for([
    ['', ['"domain" is required', '"slug" is required']],
    ['?domain=x.example', ['"slug" is required']],
    ['?domain=x.example&slug=a&slug=b', ['"slug" may be sent once']],
    ['?domain=x.example&slug=a&limit=5', ['"limit" is not a query parameter of this operation']],
  ] as const)('refuses the query %j', async ([query, messages]) => {
    const answer = await workspace.call('GET', `/links/lookup${query}`);
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors.map(({ message }: { message: string }) => message)).toEqual(
      messages.map((message) => `the query parameter ${message}`),
    );
  });
});

test.for([
  ['GET', undefined],
  ['PATCH', { title: 'Mine' }],
  ['DELETE', undefined],
] as const)("%s answers another workspace's link as one that does not exist", async ([method, body]) => {
  const other = await service.newWorkspace();
  const { id } = (await create({})).body.link;
  const unknown = 'lnk_0000000000000000000000000000';
  for (const one of [id, unknown, id.slice(0, -1), 'lookup2', '%00']) {
    expectProblem(await other.call(method, `/links/${one}`, body), 404, 'not_found');
  }
  expect((await workspace.call('GET', `/links/${id}`)).body.link.title).toBeNull();
});

test.for([
  ['POST', '/links', 'links:read'],
  ['GET', '/links', 'links:write'],
  ['GET', '/links/lookup', 'links:write'],
  ['GET', '/links/lnk_x', 'links:write'],
  ['DELETE', '/links/lnk_x', 'links:read'],
  ['PATCH', '/links/bulk', 'links:read'],
  ['DELETE', '/links/bulk', 'links:read'],
  ['PATCH', '/tags/tag_x', 'tags:read'],
  ['GET', '/tags/tag_x/links', 'tags:read'],
] as const)('%s %s is refused to a key that has %s alone', async ([method, path, permission]) => {
  const { key } = await workspace.newKey([permission]);
  const answer = await service.send(method, `/api/v1${path}`, { key, ...(method !== 'GET' && { body: {} }) });
  // The usage plan refuses a bulk request before, since the key cannot be counted.
  expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
});

test('a key that may only write reads what it names by writing, as documented, and finds nothing', async () => {
  const { id } = (await create({ title: 'Secret' })).body.link;
  const { key } = await workspace.newKey(['links:write']);
  const send = (method: string, path: string, body?: object) => service.send(method, `/api/v1${path}`, { key, body });
  const { status, body } = await send('PATCH', `/links/${id}`, {});
  expect([status, body.link.title, body.link.hasPassword]).toEqual([200, 'Secret', false]);
  for (const path of [`/links/${id}`, '/links', `/links/lookup?domain=${body.link.domain}&slug=${body.link.shortCode}`]) {
    expectProblem(await send('GET', path), 403, 'forbidden');
  }
});
