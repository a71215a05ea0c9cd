import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, expectProblem, type Service, useService, type Workspace } from '../../support/service.ts';

let service: Service;
let store: typeof import('../../../lambdas/store/links/links.ts') & typeof import('../../../lambdas/store/table/writes.ts');
beforeAll(async () => {
  service = await useService();
  store = {
    ...(await import('../../../lambdas/store/links/links.ts')),
    ...(await import('../../../lambdas/store/table/writes.ts')),
  };
});
afterAll(() => service.stop());

const unknown = `lnk_${'0'.repeat(28)}`;

/** So many links of a workspace, made without taking of the limit that bulk requests share. */
async function idsOf({ call, domain }: Workspace, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { body } = await call('POST', '/links', { domain, url: `https://example.org/${index}` });
    ids.push(body.link.id);
  }
  return ids;
}

async function arrange(count = 3) {
  const workspace = await service.newWorkspace();
  const ids = await idsOf(workspace, count);
  const update = (fields: unknown, of: unknown = ids) => workspace.call('PATCH', '/links/bulk', { ids: of, fields });
  const remove = (of: unknown = ids) => workspace.call('DELETE', '/links/bulk', { ids: of });
  const links = async () => Promise.all(ids.map(async (id) => (await workspace.call('GET', `/links/${id}`)).body.link));
  return { ...workspace, workspaceId: workspace.id, ids, update, remove, links };
}

const failure = (index: number, id: string, code = 'not_found') => ({ index, id, code, message: expect.stringMatching(/./) });

describe('bulk-update-links', () => {
  test('gives all links one set of fields, and says how many', async () => {
    const { update, links } = await arrange();
    const fields = {
      title: 'All',
      description: null,
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

  test('of no fields changes nothing, and is no error', async () => {
    const { update, links } = await arrange();
    const before = await links();
    expect((await update({})).body).toEqual({ updated: 3, failed: [] });
    expect(await links()).toEqual(before);
  });

  test('gives each link the same tags in the same order, and counts them', async () => {
    const { call, update, links, newTag } = await arrange();
    const [a, b, c] = [await newTag('A'), await newTag('B'), await newTag('C')];
    expect((await update({ tagIds: [a, b] })).body.updated).toBe(3);
    expect((await update({ tagIds: [c, b, c], title: 'New' })).body.updated).toBe(3);
    for (const { tags, title } of await links())
      expect([tags.map(({ id }: { id: string }) => id), title]).toEqual([[c, b], 'New']);
    const { body } = await call('GET', '/tags');
    expect(body.tags.map(({ _count }: { _count: { links: number } }) => _count.links)).toEqual([0, 3, 3]);
  });

  test("refuses a tag that is unknown or another workspace's by its place in the fields, and changes nothing", async () => {
    const { update, links, newTag } = await arrange();
    const mine = await newTag('Mine');
    const theirs = await (await service.newWorkspace()).newTag('Theirs');
    const before = await links();
    const answer = await update({ tagIds: [mine, theirs, 'x'], title: 'New' });
    expectProblem(answer, 422, 'tag_not_found');
    expect(answer.body.errors).toMatchObject([{ path: '/fields/tagIds/1' }, { path: '/fields/tagIds/2' }]);
    expectProblem(await update({ tagIds: ['x'] }, [unknown]), 422, 'tag_not_found');
    expect(await links()).toEqual(before);
  });

  test('puts one password on all, which no answer and no log repeats, and takes it off', async () => {
    const { update, links } = await arrange();
    expect((await update({ password: 'open sesame' })).body.updated).toBe(3);
    expect((await links()).map(({ hasPassword }) => hasPassword)).toEqual([true, true, true]);
    expect(JSON.stringify([await links(), service.log])).not.toMatch(/sesame|argon2/);
    expect((await update({ password: null })).body.updated).toBe(3);
    expect((await links()).map(({ hasPassword }) => hasPassword)).toEqual([false, false, false]);
  });

  test('starts the cap of each link from its own clicks', async () => {
    const { workspaceId, ids, update, newTag } = await arrange();
    const tagIds = [await newTag('A')];
    for (const [clicks, id] of ids.entries()) {
      const key = { pk: `LINK#${id.slice(4, 26)}`, sk: `CLICKS#${id}` };
      await store.updateItem(key, { text: 'SET #count = :count', values: { ':count': clicks } });
    }
    const used = async () => (await store.getLinks(workspaceId, ids)).map((found) => found?.link.capUsed);
    await update({ maxClicks: 2 });
    expect(await used()).toEqual([0, 1, 2]);
    await update({ maxClicks: null });
    expect(await used()).toEqual([0, 1, 2]);
    await store.updateItem(
      { pk: `LINK#${ids[0]?.slice(4, 26)}`, sk: `CLICKS#${ids[0]}` },
      { text: 'SET #count = :count', values: { ':count': 7 } },
    );
    // In one transaction with their tags, too.
    await update({ maxClicks: 5, tagIds });
    expect(await used()).toEqual([7, 1, 2]);
  });

  test('cloaks all links, wherever they lead', async () => {
    const { update, links } = await arrange();
    expect((await update({ cloaked: true, url: 'https://example.org:8443/' })).body.updated).toBe(3);
    for (const link of await links()) expect(link).toMatchObject({ cloaked: true, url: 'https://example.org:8443/' });
  });
});

describe('bulk-delete-links', () => {
  test('deletes the links, takes them off their tags, and says how many', async () => {
    const { call, ids, update, remove, newTag } = await arrange();
    const tag = await newTag('A');
    await update({ tagIds: [tag] });
    expect(await remove()).toMatchObject({ status: 200, body: { deleted: 3, failed: [] } });
    for (const id of ids) expectProblem(await call('GET', `/links/${id}`), 404, 'not_found');
    expect((await call('GET', `/tags/${tag}`)).body._count).toEqual({ links: 0 });
    expect((await remove()).body).toEqual({ deleted: 0, failed: ids.map((id, index) => failure(index, id)) });
  });

  test('deletes each link once, of however many requests at once', async () => {
    const { ids, remove } = await arrange(20);
    const answers = await Promise.all([remove(), remove(), remove([...ids].reverse())]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.deleted, 0)).toBe(20);
    for (const { body } of answers) expect(body.deleted + body.failed.length).toBe(20);
  });
});

describe.for(['PATCH', 'DELETE'])('%s /links/bulk', (method) => {
  const send = ({ call }: Workspace, ids: unknown, more: object = method === 'PATCH' ? { fields: { title: 'New' } } : {}) =>
    call(method, '/links/bulk', { ids, ...more });
  const done = ({ body }: Answer) => body[method === 'PATCH' ? 'updated' : 'deleted'];

  test("fails what is unknown, malformed, another workspace's or sent twice by itself, at its first place", async () => {
    const workspace = await service.newWorkspace();
    const [own, other] = await idsOf(workspace, 2);
    const strangers = await service.newWorkspace();
    const [theirs = ''] = await idsOf(strangers, 1);
    const long = `lnk_${'x'.repeat(1_000)}`;
    const ids = [unknown, own, theirs, own, '', unknown, '__proto__', other, long, '\u0000'];
    const answer = await send(workspace, ids);
    expect([answer.status, done(answer)]).toEqual([200, 2]);
    expect(answer.body.failed).toEqual([
      failure(0, unknown),
      failure(2, theirs),
      failure(4, ''),
      failure(6, '__proto__'),
      failure(8, long.slice(0, 128)),
      failure(9, '\u0000'),
    ]);
    // One answer for all of them: nobody learns which there are.
    expect(new Set(answer.body.failed.map(({ message }: { message: string }) => message)).size).toBe(1);
    expect((await strangers.call('GET', `/links/${theirs}`)).body.link.title).toBeNull();
  });

  test('takes 1,000 ids', async () => {
    const workspace = await service.newWorkspace();
    const { body } = await workspace.importLinks(Array.from({ length: 1_000 }, () => ({ url: 'https://example.org/' })));
    const answer = await send(
      workspace,
      body.links.map(({ id }: { id: string }) => id),
    );
    expect([answer.status, done(answer), answer.body.failed]).toEqual([200, 1_000, []]);
  });

  test.for([
    ['no ids', undefined, '/ids', 'required'],
    ['null', null, '/ids', 'null_not_allowed'],
    ['an empty list', [], '/ids', 'too_few'],
    ['1,001 ids', Array(1_001).fill(unknown), '/ids', 'too_many'],
    ['no list', unknown, '/ids', 'invalid_type'],
    ['a number among them', [unknown, 1], '/ids/1', 'invalid_type'],
    ['null among them', [null], '/ids/0', 'null_not_allowed'],
  ] as const)('is refused with %s', async ([, ids, path, code]) => {
    const answer = await send(await service.newWorkspace(), ids);
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path, code }]);
  });

  test('is refused to a key that may not write links', async () => {
    const { newKey } = await service.newWorkspace();
    const { key } = await newKey(['links:read', 'tags:write']);
    expectProblem(await service.send(method, '/api/v1/links/bulk', { key, body: { ids: [unknown] } }), 403, 'forbidden');
  });
});

describe('bad fields are refused, and nothing changes:', () => {
  test.for([
    ['unknown ones', { fields: { slug: 'x' } }, '/fields/slug', 'unknown_field'],
    ['what only a new link has', { fields: { customSlug: 'x' } }, '/fields/customSlug', 'unknown_field'],
    ['beside them', { fields: {}, title: 'x' }, '/title', 'unknown_field'],
    ['none', {}, '/fields', 'required'],
    ['null', { fields: null }, '/fields', 'null_not_allowed'],
    ['a list', { fields: [] }, '/fields', 'invalid_type'],
    ['null where it clears nothing', { fields: { url: null } }, '/fields/url', 'null_not_allowed'],
    ['a rule broken', { fields: { url: 'ftp://example.org' } }, '/fields/url', 'destination_scheme'],
    ['a cap of nothing', { fields: { maxClicks: 0 } }, '/fields/maxClicks', 'too_small'],
    ['21 tags', { fields: { tagIds: Array(21).fill('x') } }, '/fields/tagIds', 'too_many'],
    ['a short domain of the service', { fields: { url: 'https://DOMAIN/x' } }, '/fields/url', 'destination_short_domain'],
  ] as const)('%s', async ([, body, path, code]) => {
    const { call, domain, ids, links } = await arrange(1);
    const before = await links();
    const sent = JSON.parse(JSON.stringify({ ids, ...body }).replace('DOMAIN', domain));
    const answer = await call('PATCH', '/links/bulk', sent);
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path, code }]);
    expect(await links()).toEqual(before);
  });
});

describe('the limit of bulk requests', () => {
  const windowSeconds = 60;
  const requests: [string, (workspace: Workspace) => Promise<Answer>][] = [
    ['POST', ({ importLinks }) => importLinks([{ url: 'https://example.org/' }])],
    ['PATCH', ({ call }) => call('PATCH', '/links/bulk', { ids: [unknown], fields: {} })],
    ['DELETE', ({ call }) => call('DELETE', '/links/bulk', { ids: [unknown] })],
  ];

  test('is one for all three operations: after one of each the next is refused, whichever it is', async () => {
    for (const [, fourth] of requests) {
      const workspace = await service.newWorkspace();
      for (const [place, [, send]] of requests.entries()) {
        const { status, headers } = await send(workspace);
        expect(status).toBe(200);
        expect(headers.get('RateLimit')).toMatch(new RegExp(`^"bulk";r=${2 - place};t=\\d+$`));
        expect(headers.get('RateLimit-Policy')).toBe(`"bulk";q=3;w=${windowSeconds}`);
      }
      const refused = await fourth(workspace);
      expectProblem(refused, 429, 'rate_limited');
      expect(refused.headers.get('Retry-After')).toBe(String(windowSeconds));
      expect(refused.headers.get('RateLimit')).toMatch(/^"bulk";r=0;t=\d+$/);
    }
  });

  test('counts a body that is refused, and not a request without permission', async () => {
    const workspace = await service.newWorkspace();
    const { key } = await workspace.newKey(['links:read']);
    const path = '/api/v1/links/bulk';
    expectProblem(await service.send('DELETE', path, { key, body: { ids: [unknown] } }), 403, 'forbidden');
    for (const method of ['PATCH', 'DELETE', 'PATCH']) {
      const refused = await workspace.call(method, '/links/bulk', '{');
      expectProblem(refused, 400, 'invalid_json');
      expect(refused.headers.get('RateLimit')).toMatch(/^"bulk"/);
    }
    expectProblem(await workspace.call('DELETE', '/links/bulk', { ids: [unknown] }), 429, 'rate_limited');
  });
});

test('a bulk deletion without a body is refused as any request without one', async () => {
  const { call, key } = await service.newWorkspace();
  expectProblem(await call('DELETE', '/links/bulk'), 415, 'unsupported_media_type');
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  const answer = await service.send('DELETE', '/api/v1/links/bulk', { key, headers, body: '{}' });
  expectProblem(answer, 415, 'unsupported_media_type');
});
