import { beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, type Service, useService, type Workspace } from '../../../support/service/service.ts';

let service: Service;
let workspace: Workspace;
let links: string[];
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
  const { body } = await workspace.importLinks(
    Array.from({ length: 100 }, (_, index) => ({ url: `https://example.org/${index}`, title: `Link ${index}` })),
  );
  links = body.links.map((link: { id: string }) => link.id);
});

const newLink = () => links.pop() ?? '';
const patch = (id: string, body: unknown, headers?: Record<string, string>) =>
  workspace.call('PATCH', `/links/${id}`, body, headers);

/** A link with every field set. */
const full = {
  url: 'https://example.org/full',
  title: 'Full',
  description: 'Described',
  notes: 'Noted',
  image: 'https://example.org/image.png',
  redirectType: 'PERMANENT_301',
  isActive: false,
  cloaked: true,
  forwardParameters: true,
  forwardPath: true,
  hideReferrer: true,
  isArchived: true,
  blockBots: true,
  password: 'secret words',
  startsAt: '2020-01-01T00:00:00.000Z',
  expiresAt: '2031-01-01T00:00:00+01:00',
  expiredUrl: 'https://example.org/over',
  confirmVisit: true,
  rules: [{ if: { device: ['mobile'], query: { a: '1' } }, url: 'https://example.org/mobile' }],
  variants: [
    { id: 'a', url: 'https://example.org/a', weight: 3 },
    { id: 'b', url: 'https://example.org/b', weight: 1 },
  ],
  maxClicks: 10,
  metaPixelId: '123',
  googleTagId: 'G-ABC',
  managedBy: 'team@go.example.com',
  webhookUrls: 'https://example.org/a,https://example.org/b',
};

const asShown = (sent: Record<string, unknown>) => {
  const { password, ...shown } = sent;
  return {
    ...shown,
    ...(password !== undefined && { hasPassword: password !== null }),
    ...(typeof sent.expiresAt === 'string' && { expiresAt: new Date(sent.expiresAt).toISOString() }),
  };
};

test('A link is returned with exactly the documented fields.', async () => {
  const { status, body } = await patch(newLink(), {});
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['link']);
  expect(Object.keys(body.link)).toEqual(
    (
      'id shortCode domain shortUrl aliases url title description image notes redirectType isActive isArchived state pendingVerification cloaked hasPassword ' +
      'startsAt expiresAt expiredUrl maxClicks clickCount lastClickedAt tags externalId managedBy forwardParameters forwardPath hideReferrer blockBots confirmVisit rules variants metaPixelId googleTagId webhookUrls createdAt updatedAt'
    ).split(' '),
  );
});

test('A body with only url changes only the destination.', async () => {
  const id = newLink();
  const before = (await patch(id, full)).body.link;
  const after = (await patch(id, { url: 'HTTPS://Example.ORG/../new?x#y' })).body.link;
  expect(after).toEqual({ ...before, url: 'https://example.org/new?x#y', updatedAt: after.updatedAt });
});

test('A body with only "expiresAt": null and "password": null removes both and nothing else.', async () => {
  const id = newLink();
  const before = (await patch(id, full)).body.link;
  expect(before).toMatchObject({ hasPassword: true, expiresAt: '2030-12-31T23:00:00.000Z' });
  const after = (await patch(id, { expiresAt: null, password: null })).body.link;
  expect(after).toEqual({ ...before, expiresAt: null, hasPassword: false, updatedAt: after.updatedAt });
});

test('An empty object changes nothing, and gets 200.', async () => {
  const id = newLink();
  const before = (await patch(id, full)).body.link;
  expect(await patch(id, {})).toMatchObject({ status: 200, body: { link: before } });
});

test('The field isActive is applied together with the other fields of the request.', async () => {
  const id = newLink();
  expect((await patch(id, { isActive: false, title: 'Off', blockBots: true })).body.link).toMatchObject({
    isActive: false,
    title: 'Off',
    blockBots: true,
  });
  expect((await patch(id, { isActive: true, title: 'On' })).body.link).toMatchObject({
    isActive: true,
    title: 'On',
    blockBots: true,
  });
});

test('The field tagIds replaces the whole list, in its order and without repetitions, and the counts follow.', async () => {
  const id = newLink();
  const [a, b, c] = [await workspace.newTag('A'), await workspace.newTag('B'), await workspace.newTag('C')];
  expect((await patch(id, { tagIds: [b, a, b] })).body.link.tags).toEqual([
    { id: b, name: 'B', color: '#123456' },
    { id: a, name: 'A', color: '#123456' },
  ]);
  expect((await patch(id, { tagIds: [c, a] })).body.link.tags.map((tag: { id: string }) => tag.id)).toEqual([c, a]);
  const counts = async () =>
    (await workspace.call('GET', '/tags')).body.tags.map((tag: { name: string; _count: object }) => [tag.name, tag._count]);
  expect(await counts()).toEqual([
    ['A', { links: 1 }],
    ['B', { links: 0 }],
    ['C', { links: 1 }],
  ]);
  expect((await patch(id, { tagIds: [] })).body.link.tags).toEqual([]);
  expect((await counts()).map(([, count]: [string, { links: number }]) => count.links)).toEqual([0, 0, 0]);
});

describe('fields', () => {
  const nullable = [
    'title',
    'description',
    'image',
    'notes',
    'password',
    'startsAt',
    'expiresAt',
    'expiredUrl',
    'maxClicks',
    'metaPixelId',
    'googleTagId',
    'webhookUrls',
    'managedBy',
  ];
  const fields = Object.keys(full);

  test('A valid field is set, and an absent one keeps its value.', async () => {
    const id = newLink();
    // The state results from other fields.
    let { state: _, ...expected } = (await patch(id, {})).body.link;
    for (const [field, value] of Object.entries(full)) {
      const { body, status, text } = await patch(id, { [field]: value });
      expect(status, text).toBe(200);
      const { webhookStatus, state: _, ...link } = body.link;
      expected = { ...expected, ...asShown({ [field]: value }), updatedAt: link.updatedAt };
      expect(link).toEqual(expected);
      expect(webhookStatus?.length).toBe(link.webhookUrls?.split(',').length);
    }
  });

  test.for(nullable)('The field %s is cleared by null.', async (field) => {
    const id = newLink();
    const { webhookStatus: _, ...before } = (await patch(id, full)).body.link;
    const { webhookStatus, ...after } = (await patch(id, { [field]: null })).body.link;
    expect(webhookStatus?.length).toBe(after.webhookUrls?.split(',').length);
    expect(after).toEqual({ ...before, ...asShown({ [field]: null }), updatedAt: after.updatedAt });
  });

  test.for([...fields.filter((field) => !nullable.includes(field)), 'tagIds'])('The field %s cannot be null.', async (field) => {
    const answer = await patch(newLink(), { title: 'Not to be set', [field]: null });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toEqual([{ path: `/${field}`, code: 'null_not_allowed', message: expect.any(String) }]);
  });

  test.for([
    ['url', '', 'destination_invalid'],
    ['url', 'ftp://example.org', 'destination_scheme'],
    ['url', 'https://a:b@example.org', 'destination_credentials'],
    ['url', 'http://127.0.0.1', 'destination_private'],
    ['url', 'https://example.org/'.padEnd(8_001, 'x'), 'destination_too_long'],
    ['expiredUrl', 'https://example.org/'.padEnd(2_049, 'x'), 'destination_too_long'],
    ['image', 'https://example.org/'.padEnd(2_049, 'x'), 'image_too_long'],
    ['url', 5, 'invalid_type'],
    ['title', 'x'.repeat(257), 'too_long'],
    ['title', '\ud800', 'invalid_text'],
    ['title', 'a\0b', 'invalid_text'],
    ['title', {}, 'invalid_type'],
    ['description', 'x'.repeat(1025), 'too_long'],
    ['notes', 'x'.repeat(1001), 'too_long'],
    ['image', 'javascript:alert(1)', 'image_scheme'],
    ['image', 'not a url', 'image_invalid'],
    ['redirectType', 'TEMPORARY_307', 'invalid_value'],
    ['redirectType', 302, 'invalid_value'],
    ['isActive', 'true', 'invalid_type'],
    ['cloaked', 1, 'invalid_type'],
    ['forwardParameters', [], 'invalid_type'],
    ['blockBots', 'no', 'invalid_type'],
    ['password', '', 'too_short'],
    ['password', 'x'.repeat(129), 'too_long'],
    ['password', 1234, 'invalid_type'],
    ['expiresAt', '2030-01-01', 'invalid_timestamp'],
    ['expiresAt', '2030-01-01T00:00:00', 'invalid_timestamp'],
    ['expiresAt', '2030-02-30T00:00:00Z', 'invalid_timestamp'],
    ['expiresAt', 1893456000000, 'invalid_type'],
    ['maxClicks', 0, 'too_small'],
    ['maxClicks', 1.5, 'invalid_type'],
    ['maxClicks', 2 ** 53, 'too_large'],
    ['maxClicks', '5', 'invalid_type'],
    ['tagIds', 'tag_x', 'invalid_type'],
    ['tagIds', Array.from({ length: 21 }, () => 'tag_x'), 'too_many'],
    ['metaPixelId', '12a', 'invalid_format'],
    ['googleTagId', 'UA-1', 'invalid_format'],
    ['googleTagId', 'G-abc', 'invalid_format'],
    ['webhookUrls', 'http://example.org', 'webhook_scheme'],
    ['webhookUrls', Array.from({ length: 6 }, (_, index) => `https://example.org/${index}`).join(), 'too_many'],
    ['webhookUrls', 'https://10.0.0.1/', 'webhook_private'],
    ['shortCode', 'new', 'unknown_field'],
    ['id', 'lnk_x', 'unknown_field'],
    ['domain', 'example.com', 'unknown_field'],
  ] as const)('The field %s refuses %j as %s, and nothing of the request is applied.', async ([field, value, code]) => {
    const id = newLink();
    const before = (await patch(id, {})).body.link;
    const answer = await patch(id, { description: field === 'description' ? value : 'Not to be set', [field]: value });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toEqual([{ path: `/${field}`, code, message: expect.any(String) }]);
    expect((await patch(id, {})).body.link).toEqual(before);
    links.push(id);
  });

  test('A refusal names every field that is wrong.', async () => {
    const { body } = await patch(newLink(), { url: 'x', title: 5, isActive: null, other: 1 });
    expect(body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
      ['/url', 'destination_invalid'],
      ['/title', 'invalid_type'],
      ['/isActive', 'null_not_allowed'],
      ['/other', 'unknown_field'],
    ]);
  });
});

test("A destination on a short domain is refused, even on another workspace's, in capitals or with a trailing dot.", async () => {
  const other = await service.newWorkspace();
  for (const url of [
    `https://${workspace.domain}/x`,
    `https://${other.domain}/x`,
    `http://${other.domain.toUpperCase()}.:8080/`,
  ]) {
    const answer = await patch(newLink(), { url });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path: '/url', code: 'destination_short_domain' }]);
  }
});

test('A blocked destination, or one under a blocked host, is refused, and nothing of the request is applied.', async () => {
  const id = newLink();
  for (const url of [
    'https://evil.example.com/',
    'https://WWW.Evil.example.com.:8443/x?y#z',
    'https://evil。example。com/',
    'http://[2606:4700:0:0:0:0:0:1]/',
  ]) {
    const answer = await patch(id, { url, title: 'Evil' });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toEqual([{ path: '/url', code: 'destination_blocked', message: expect.any(String) }]);
  }
  expect((await patch(id, {})).body.link).toMatchObject({
    url: expect.stringContaining('example.org'),
    title: expect.not.stringMatching('Evil'),
  });
  expect((await patch(id, { url: 'https://notevil.example.com/' })).status).toBe(200);
});

test('A link whose destination has been blocked since can still be changed, and get another destination.', async () => {
  const id = newLink();
  await patch(id, { url: 'https://since.example.com/' });
  await service.blockHost('since.example.com');
  expect((await patch(id, { title: 'Later', isActive: true })).body.link).toMatchObject({
    title: 'Later',
    url: 'https://since.example.com/',
  });
  expect((await patch(id, { url: 'https://example.org/' })).status).toBe(200);
});

test('A password is stored as an Argon2id hash, and is in no response, log or item.', async () => {
  const id = newLink();
  const password = 'correct horse battery staple';
  const { text } = await patch(id, { password });
  const failed = await patch(id, { password, title: 7 });
  expect(text + failed.text + service.logged().join()).not.toContain(password);
  const { getItem } = await import('../../../../lambdas/store/table/reads.ts');
  const item = await getItem({ pk: `LINK#${id.slice(4, 26)}`, sk: 'LINK' });
  expect(item?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(JSON.stringify(item)).not.toContain(password);
  expect(text).not.toContain('argon2id');
});

test("Another workspace's link, a malformed id and an unknown one get the same response.", async () => {
  const other = await service.newWorkspace();
  const foreign = (await other.importLinks([{ url: 'https://example.org/' }])).body.links[0].id;
  const answers = await Promise.all(
    [foreign, `lnk_${'0'.repeat(28)}`, 'nonsense', 'lnk_%00', '%ff', '..%2f'].map((id) => patch(id, { title: 'x' })),
  );
  for (const answer of answers) {
    expectProblem(answer, 404, 'not_found');
    expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' });
  }
  expect((await other.call('PATCH', `/links/${foreign}`, {})).body.link.title).toBeNull();
});

test('A link is pending until its domain serves.', async () => {
  const other = await service.newWorkspace();
  await service.addDomain(other.id, 'soon.example.com', 'PENDING_DNS');
  const { id } = (await other.importLinks([{ url: 'https://example.org/' }], { domain: 'soon.example.com' })).body.links[0];
  expect((await other.call('PATCH', `/links/${id}`, { title: 'x' })).body.link.pendingVerification).toBe(true);
  await service.addDomain(other.id, 'soon.example.com', 'ACTIVE');
  expect((await other.call('PATCH', `/links/${id}`, {})).body.link.pendingVerification).toBe(false);
});

test('A merge patch is accepted like JSON, and any other type is refused with the list of accepted ones.', async () => {
  const id = newLink();
  const mergePatch = { 'Content-Type': 'application/merge-patch+json; charset=utf-8' };
  expect((await patch(id, { title: 'Merged' }, mergePatch)).body.link.title).toBe('Merged');
  const answer = await patch(id, '{}', { 'Content-Type': 'text/plain' });
  expectProblem(answer, 415, 'unsupported_media_type');
  expect(answer.headers.get('accept-patch')).toBe('application/json, application/merge-patch+json');
});
