import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, expectProblem, type Service, useService } from '../../../../support/service/service.ts';

let service: Service;
let getItem: typeof import('../../../../../lambdas/store/table/reads.ts').getItem;
beforeAll(async () => {
  service = await useService();
  ({ getItem } = await import('../../../../../lambdas/store/table/reads.ts'));
});

const url = 'https://example.org/';
const codes = (answer: Answer) => answer.body.failed.map(({ index, code }: { index: number; code: string }) => [index, code]);

test('One request creates 1,000 active links, each as it was sent.', async () => {
  const { importLinks, domain } = await service.newWorkspace();
  const { links } = JSON.parse(readFileSync('examples/links-1000.json', 'utf8'));
  const { status, body } = await importLinks(links);
  expect(status).toBe(200);
  expect(body).toMatchObject({ created: 1000, activeCount: 1000, pendingCount: 0, failed: [] });
  expect(new Set(body.links.map(({ id }: { id: string }) => id)).size).toBe(1000);
  for (const [index, link] of body.links.entries()) {
    expect(link).toMatchObject({
      shortCode: links[index].customSlug ?? expect.stringMatching(/^[2-9a-hj-km-np-z]{7}$/),
      url: new URL(links[index].url).href,
      title: links[index].title ?? null,
      redirectType: 'TEMPORARY_302',
      domain,
      shortUrl: `http://${domain}:3000/${link.shortCode}`,
      pendingVerification: false,
    });
  }
});

test('The response of an import has each link as GET returns it.', async () => {
  const { importLinks, call } = await service.newWorkspace();
  const { body } = await importLinks([{ url }, { url, customSlug: 'Two', title: 'Two', redirectType: 'PERMANENT_301' }]);
  for (const link of body.links) expect((await call('PATCH', `/links/${link.id}`, {})).body.link).toEqual(link);
});

test('A link can have every field that a creation accepts, tags also by name, and a request for it returns the same.', async () => {
  const { importLinks, call, newTag } = await service.newWorkspace();
  const [a, b] = [await newTag('Summer Sale'), await newTag('B')];
  const settings = {
    title: 'Full',
    description: 'Described',
    image: 'https://example.org/image.png',
    redirectType: 'PERMANENT_301',
    isActive: false,
    cloaked: false,
    forwardParameters: true,
    forwardPath: true,
    hideReferrer: true,
    isArchived: true,
    blockBots: true,
    confirmVisit: true,
    startsAt: '2020-01-01T00:00:00.000Z',
    expiresAt: '2031-01-01T00:00:00.000Z',
    expiredUrl: 'https://example.org/over',
    rules: [{ if: { device: ['mobile'] }, url: 'https://example.org/mobile' }],
    variants: [
      { id: 'a', url: 'https://example.org/a', weight: 3 },
      { id: 'b', url: 'https://example.org/b', weight: 1 },
    ],
    maxClicks: 10,
    externalId: 'page:1',
    managedBy: 'team@go.example.com',
    metaPixelId: '123',
    googleTagId: 'G-ABC',
  };
  const links = [
    { url, ...settings, password: 'secret words', tagIds: [b], tagNames: ['summer sale', 'b'] },
    { url, password: 'secret words', title: null },
  ];
  const key = { headers: { 'Idempotency-Key': 'full' } };
  const { body, text } = await importLinks(links, key);
  expect(body).toMatchObject({
    created: 2,
    links: [{ ...settings, hasPassword: true, tags: [{ id: b }, { id: a }] }, { tags: [] }],
  });
  for (const link of body.links) expect((await call('GET', `/links/${link.id}`)).body.link).toEqual(link);
  expect(codes(await importLinks(links))).toEqual([[0, 'external_id_taken']]);
  await call('PATCH', `/tags/${a}`, { name: 'Renamed' });
  expect((await importLinks(links, key)).text).toBe(text);
});

test('Fields that break their rules fail only their entry, and the message names the field.', async () => {
  const { importLinks } = await service.newWorkspace();
  const answer = await importLinks([
    { url, startsAt: '2031-01-01T00:00:00Z', expiresAt: '2030-01-01T00:00:00Z' },
    { url, externalId: 'a/b' },
    { url, tagNames: ['Nobody has this'] },
    { url, tagIds: ['tag_0123456789abcdef'] },
    { url, rules: [{ if: { os: ['ios'] }, url: 'https://evil.example.com/' }] },
    { url, tagNames: Array.from({ length: 21 }, (_, index) => `T${index}`) },
    { url },
  ]);
  expect(answer.body.created).toBe(1);
  expect(answer.body.failed.map(({ code, message }: { code: string; message: string }) => [code, message.split(' ')[0]])).toEqual(
    [
      ['starts_too_late', '/startsAt'],
      ['invalid_external_id', '/externalId'],
      ['tag_not_found', '/tagNames/0'],
      ['tag_not_found', '/tagIds/0'],
      ['destination_blocked', '/rules/0/url'],
      ['too_many', '/tagNames'],
    ],
  );
});

test.for([
  ['101 different passwords', Array.from({ length: 101 }, (_, index) => ({ url, password: `password ${index}` }))],
  [
    '2,001 different hosts',
    Array.from({ length: 667 }, (_, index) => ({
      url: `https://a${index}.example.com/`,
      expiredUrl: `https://b${index}.example.com/`,
      rules: [{ if: { os: ['ios'] }, url: `https://c${index}.example.com/` }],
    })),
  ],
] as const)('An import with %s is refused, and creates nothing.', async ([, links]) => {
  const { importLinks, call } = await service.newWorkspace();
  const answer = await importLinks(links as never);
  expectProblem(answer, 422, 'validation_failed');
  expect(answer.body.errors).toMatchObject([{ path: '/links', code: 'too_many' }]);
  expect((await call('GET', '/links')).body.links).toEqual([]);
});

test('All links on a domain that does not serve yet are pending.', async () => {
  const { id, importLinks } = await service.newWorkspace();
  await service.addDomain(id, 'pending.example.com', 'PENDING_DNS');
  const { body } = await importLinks([{ url }, { url }], { domain: 'pending.example.com' });
  expect(body).toMatchObject({ created: 2, activeCount: 0, pendingCount: 2, failed: [] });
  expect(body.links.every((link: { pendingVerification: boolean }) => link.pendingVerification)).toBe(true);
});

test('A bad link fails with its index, its values as sent, a code and a message, and the rest of the batch is created.', async () => {
  const { importLinks, domain } = await service.newWorkspace();
  const sent = [
    { url },
    { url: 'ftp://example.org', customSlug: 'a' },
    { customSlug: 'b' },
    { url: 5 },
    null,
    'https://example.org',
    [],
    { url, customSlug: 'no spaces' },
    { url, customSlug: 'API' },
    { url, title: 'x'.repeat(257) },
    { url, redirectType: '302' },
    { url, tags: [] },
    { url: `https://${domain}/hello` },
    { url: 'http://localhost:3000/' },
    { url, customSlug: 'last' },
  ];
  const { status, body } = await importLinks(sent);
  expect(status).toBe(200);
  expect(body).toMatchObject({ created: 2, activeCount: 2, pendingCount: 0 });
  expect(body.links.map(({ shortCode }: { shortCode: string }) => shortCode)).toEqual([expect.any(String), 'last']);
  expect(body.failed.map(({ message, ...rest }: { message: string }) => rest)).toEqual([
    { index: 1, url: 'ftp://example.org', customSlug: 'a', code: 'destination_scheme' },
    { index: 2, url: null, customSlug: 'b', code: 'required' },
    { index: 3, url: null, customSlug: null, code: 'invalid_type' },
    { index: 4, url: null, customSlug: null, code: 'invalid_type' },
    { index: 5, url: null, customSlug: null, code: 'invalid_type' },
    { index: 6, url: null, customSlug: null, code: 'invalid_type' },
    { index: 7, url, customSlug: 'no spaces', code: 'slug_invalid' },
    { index: 8, url, customSlug: 'API', code: 'slug_reserved' },
    { index: 9, url, customSlug: null, code: 'too_long' },
    { index: 10, url, customSlug: null, code: 'invalid_value' },
    { index: 11, url, customSlug: null, code: 'unknown_field' },
    { index: 12, url: `https://${domain}/hello`, customSlug: null, code: 'destination_short_domain' },
    { index: 13, url: 'http://localhost:3000/', customSlug: null, code: 'destination_private' },
  ]);
  expect(body.failed.every(({ message }: { message: string }) => message.length > 10)).toBe(true);
});

test('If slugs differ only in case, the first valid one gets the address, within a request and between requests.', async () => {
  const { importLinks, domain } = await service.newWorkspace();
  const first = await importLinks([
    { url: `https://${domain}/`, customSlug: 'launch' },
    { url, customSlug: 'Launch' },
    { url, customSlug: 'LAUNCH' },
  ]);
  expect(first.body.links.map(({ shortCode }: { shortCode: string }) => shortCode)).toEqual(['Launch']);
  expect(codes(first)).toEqual([
    [0, 'destination_short_domain'],
    [2, 'slug_taken'],
  ]);
  const second = await importLinks([{ url, customSlug: 'launch' }]);
  expect(second).toMatchObject({ status: 200, body: { created: 0, links: [] } });
  expect(codes(second)).toEqual([[0, 'slug_taken']]);
});

test('Only the link to a blocked host fails, and its slug goes to the next link.', async () => {
  const { importLinks } = await service.newWorkspace();
  const answer = await importLinks([
    { url: 'https://evil.example.com/', customSlug: 'launch' },
    { url: 'https://a.b.EVIL.example.com./x' },
    { url: 'https://notevil.example.com/', customSlug: 'launch' },
    { url: 'https://evil.example.org/' },
  ]);
  expect(answer).toMatchObject({ status: 200, body: { created: 2 } });
  expect(codes(answer)).toEqual([
    [0, 'destination_blocked'],
    [1, 'destination_blocked'],
  ]);
  expect(answer.body.failed[0].message).toMatch(/^\/url must not point to /);
});

test('A recorded import gets the same response again, even if hosts have been blocked or unblocked since.', async () => {
  const { importLinks } = await service.newWorkspace();
  const headers = { 'Idempotency-Key': 'blocked' };
  const links = [{ url: 'https://first.example.com/' }, { url: 'https://second.example.com/' }];
  const before = await importLinks(links, { headers });
  expect(codes(before)).toEqual([[0, 'destination_blocked']]);
  await service.unblockHost('first.example.com');
  await service.blockHost('second.example.com');
  const after = await importLinks(links, { headers });
  expect([after.status, after.body]).toEqual([200, before.body]);
});

describe('A refused batch', () => {
  test.for([
    ['an empty list', { links: [] }, '/links', 'too_few'],
    ['1,001 links', { links: Array.from({ length: 1001 }, () => ({ url })) }, '/links', 'too_many'],
    ['an object instead of a list', { links: { url } }, '/links', 'invalid_type'],
    ['no list', {}, '/links', 'required'],
    ['a number as its domain', { domain: 5, links: [{ url }] }, '/domain', 'invalid_type'],
    ['an unknown field', { links: [{ url }], tagIds: [] }, '/tagIds', 'unknown_field'],
  ] as const)('A batch with %s is refused as a whole.', async ([, body, path, code]) => {
    const { call, domain } = await service.newWorkspace();
    const answer = await call('POST', '/links/bulk', { domain, ...body });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path, code }]);
  });

  test("A domain that is unknown, only claimed, malformed or another workspace's gets the same error.", async () => {
    const [own, other] = [await service.newWorkspace(), await service.newWorkspace()];
    await service.addDomain(own.id, 'claimed.example.com', 'PENDING_OWNERSHIP');
    const bad = [
      'unknown.example.com',
      'claimed.example.com',
      other.domain,
      '',
      '*',
      'x'.repeat(5000),
      `${own.domain}/path`,
      `${own.domain}:80`,
    ];
    const answers: Answer[] = [];
    for (const domain of bad) {
      // Each has a workspace of its own, so that the limit does not interfere.
      const asking = domain === 'claimed.example.com' ? own : await service.newWorkspace();
      answers.push(await asking.importLinks([{ url }], { domain }));
    }
    for (const answer of answers) {
      expectProblem(answer, 422, 'domain_not_verified');
      expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' });
    }
  });

  test('A batch whose response could exceed 5 MB is refused.', async () => {
    const { importLinks } = await service.newWorkspace();
    const answer = await importLinks(Array.from({ length: 1000 }, () => ({ url: '"'.repeat(1300) })));
    expectProblem(answer, 422, 'answer_too_large');
  });
});

test('The domain is found in any spelling of its name.', async () => {
  const { importLinks, domain } = await service.newWorkspace();
  const { body } = await importLinks([{ url }], { domain: `${domain.toUpperCase()}.` });
  expect(body.links[0].domain).toBe(domain);
});

describe('the limit', () => {
  test('Exactly 3 of 100 requests at once pass, and another workspace has its own limit.', async () => {
    const [one, two] = [await service.newWorkspace(), await service.newWorkspace()];
    const passed = (answers: Answer[]) => answers.filter(({ status }) => status === 200).length;
    const answers = await Promise.all(Array.from({ length: 100 }, () => one.importLinks([{ url }])));
    expect(passed(answers)).toBe(3);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectProblem(answer, 429, 'rate_limited');
      expect(answer.headers.get('retry-after')).toBe('60');
      // Refusals by the gateway don't say how many are left.
      if (!answer.headers.has('ratelimit')) continue;
      expect(answer.headers.get('ratelimit')).toMatch(/^"bulk";r=0;t=\d+$/);
      expect(answer.headers.get('ratelimit-policy')).toBe('"bulk";q=3;w=60');
    }
    expect((await two.importLinks([{ url }])).status).toBe(200);
  });

  test('A request that fails validation counts, and every response says how many are left.', async () => {
    const { call, importLinks } = await service.newWorkspace();
    const answers = [
      await call('POST', '/links/bulk', 'not json'),
      await call('POST', '/links/bulk', {}),
      await importLinks([{ url }]),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 422, 200]);
    expect(answers.map(({ headers }) => headers.get('ratelimit')?.split(';')[1])).toEqual(['r=2', 'r=1', 'r=0']);
    expect((await importLinks([{ url }])).status).toBe(429);
  });

  test("A request without permission does not count against the table's limit.", async () => {
    const { id, newKey, domain } = await service.newWorkspace();
    const reader = await newKey(['links:read']);
    const refused = await service.send('POST', '/api/v1/links/bulk', { key: reader.key, body: { domain, links: [{ url }] } });
    expectProblem(refused, 403, 'forbidden');
    expect(await getItem({ pk: `WORKSPACE#${id}`, sk: 'LIMIT#bulk' })).toBeUndefined();
  });
});

describe('Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': 'key-1' };
  const links = [{ url }, { url, customSlug: 'custom', title: 'Custom' }, { url: 'nonsense' }];

  test('A repeated request gets the same response and creates nothing, even if the links have changed since.', async () => {
    const { importLinks, call } = await service.newWorkspace();
    const first = await importLinks(links, { headers });
    await call('PATCH', `/links/${first.body.links[0].id}`, { title: 'Changed' });
    const second = await importLinks(links, { headers });
    expect(second.status).toBe(200);
    expect(second.text).toBe(first.text);
    expect((await call('PATCH', `/links/${first.body.links[0].id}`, {})).body.link.title).toBe('Changed');
  });

  test('Concurrent requests with the same key all get the same response.', async () => {
    const { importLinks } = await service.newWorkspace();
    const answers = await Promise.all(Array.from({ length: 3 }, () => importLinks(links, { headers })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('Another body under the same key is refused, and each workspace has keys of its own.', async () => {
    const [one, two] = [await service.newWorkspace(), await service.newWorkspace()];
    await one.importLinks(links, { headers });
    expectProblem(await one.importLinks([{ url }], { headers }), 422, 'idempotency_key_reused');
    expect((await two.importLinks([{ url }], { headers })).body.created).toBe(1);
  });

  test('A repeated request gets the same response even if it has more failures than a record can hold.', async () => {
    const { importLinks } = await service.newWorkspace();
    const wrong = ['€'.repeat(128), '\u0001'.repeat(128)];
    const refused = Array.from({ length: 1_000 }, (_, index) => ({ url, [wrong[index % 2] ?? '']: 1 }));
    const first = await importLinks(refused, { headers });
    expect([first.status, first.body.failed.length]).toEqual([200, 1_000]);
    expect(
      Buffer.byteLength(JSON.stringify(first.body.failed.map(({ message }: { message: string }) => message))),
    ).toBeGreaterThan(400_000);
    expect((await importLinks(refused, { headers })).text).toBe(first.text);
  });

  test('A refused batch does not use up its Idempotency-Key.', async () => {
    const { id, importLinks } = await service.newWorkspace();
    const more = { domain: 'later.example.com', headers };
    expectProblem(await importLinks(links, more), 422, 'domain_not_verified');
    await service.addDomain(id, 'later.example.com', 'ACTIVE');
    expect((await importLinks(links, more)).body.created).toBe(2);
  });

  test.for(['', 'x'.repeat(256), 'with space', 'tab\there', 'ü'])('The key %j is refused.', async (key) => {
    const { importLinks } = await service.newWorkspace();
    const value = Buffer.from(key).toString('latin1');
    expectProblem(await importLinks([{ url }], { headers: { 'Idempotency-Key': value } }), 422, 'validation_failed');
  });
});
