import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, expectProblem, type Service, useService, type Workspace } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

const url = 'https://example.org/';

/** Types of things with entity tags, which behave alike. */
const things = {
  link: {
    make: async ({ importLinks }: Workspace) => `/links/${(await importLinks([{ url }])).body.links[0].id}`,
    changes: (place: number) => ({ title: `Title ${place}` }),
  },
  tag: {
    make: async ({ newTag }: Workspace) => `/tags/${await newTag('Launch')}`,
    changes: (place: number) => ({ name: `Name ${place}` }),
  },
  webhook: {
    make: async ({ call }: Workspace) =>
      `/webhooks/${(await call('POST', '/webhooks', { url, events: ['link.created'] })).body.id}`,
    changes: (place: number) => ({ url: `${url}${place}` }),
  },
  domain: {
    make: async ({ domain }: Workspace) => `/domains/${domain}`,
    changes: (place: number) => ({ rootUrl: `${url}${place}` }),
  },
};

/** The number of concurrent requests. Each needs a function instance, whose start takes most of the time. */
const clients = 5;

const etagOf = ({ headers }: Answer) => headers.get('ETag') ?? '';
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

describe.for(Object.entries(things))('a %s', ([, { make, changes }]) => {
  const arrange = async () => {
    const workspace = await service.newWorkspace();
    const path = await make(workspace);
    const read = await workspace.call('GET', path);
    return { ...workspace, path, read, etag: etagOf(read) };
  };

  test('The entity tag is strong, and stays the same until a change, on reads and in the response to a change.', async () => {
    const { call, path, etag } = await arrange();
    expect(etag).toMatch(/^"[\w-]{22}\.[\w-]{22}"$/);
    expect(etagOf(await call('GET', path))).toBe(etag);
    const changed = await call('PATCH', path, changes(1));
    expect(etagOf(changed)).not.toBe(etag);
    expect(etagOf(await call('GET', path))).toBe(etagOf(changed));
  });

  test('A client that has the current version gets 304 without a body.', async () => {
    const { call, path, etag, read } = await arrange();
    const known = await call('GET', path, undefined, { 'If-None-Match': `"x", W/${etag}` });
    expect(known).toMatchObject({ status: 304, text: '' });
    expect(etagOf(known)).toBe(etag);
    await call('PATCH', path, changes(1));
    expect((await call('GET', path, undefined, { 'If-None-Match': etag })).status).toBe(200);
    expect(read.status).toBe(200);
  });

  test.for(['GET', 'PATCH', 'DELETE'])('A %s with an outdated If-Match gets 412, and nothing changes.', async (method) => {
    const { call, path, etag } = await arrange();
    await call('PATCH', path, changes(1));
    const before = await call('GET', path);
    for (const field of [etag, `W/${etagOf(before)}`, '"x"', '']) {
      const body = method === 'PATCH' ? changes(2) : undefined;
      expectProblem(await call(method, path, body, { 'If-Match': field }), 412, 'precondition_failed');
    }
    expect((await call('GET', path)).body).toEqual(before.body);
  });

  test.for(['GET', 'PATCH', 'DELETE'])('A %s with a current If-Match, or with *, succeeds.', async (method) => {
    for (const fieldOf of [() => '*', (etag: string) => etag, (etag: string) => `"x", ${etag}`]) {
      const { call, path, etag } = await arrange();
      const body = method === 'PATCH' ? changes(2) : undefined;
      const answer = await call(method, path, body, { 'If-Match': fieldOf(etag) });
      expect(answer.status).toBe(method === 'DELETE' ? 204 : 200);
    }
  });

  test('A deleted thing gets 404, whatever the condition.', async () => {
    const { call, path } = await arrange();
    await call('DELETE', path);
    for (const field of ['*', '"x"']) {
      const headers = { 'If-Match': field };
      for (const [method, body] of [['GET'], ['PATCH', changes(1)], ['DELETE']] as const) {
        expectProblem(await call(method, path, body, headers), 404, 'not_found');
      }
    }
  });

  test('If five clients change the same version at once, one succeeds and the others get 412.', async () => {
    const { call, path, etag } = await arrange();
    const answers = await Promise.all(
      Array.from({ length: clients }, (_, place) => call('PATCH', path, changes(place), { 'If-Match': etag })),
    );
    expect(statuses(answers)).toEqual([200, ...Array(clients - 1).fill(412)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(JSON.stringify((await call('GET', path)).body)).toContain(Object.values(changes(winner))[0]);
  });

  test('If five clients make the same change of the same version at once, only one succeeds.', async () => {
    const { call, path, etag } = await arrange();
    const answers = await Promise.all(
      Array.from({ length: clients }, () => call('PATCH', path, changes(1), { 'If-Match': etag })),
    );
    expect(statuses(answers)).toEqual([200, ...Array(clients - 1).fill(412)]);
  });

  test('If some clients change and others delete the same version at once, only one succeeds.', async () => {
    const { call, path, etag } = await arrange();
    const answers = await Promise.all(
      Array.from({ length: clients }, (_, place) =>
        place % 2
          ? call('PATCH', path, changes(place), { 'If-Match': etag })
          : call('DELETE', path, undefined, { 'If-Match': etag }),
      ),
    );
    const done = answers.filter(({ status }) => status < 300);
    expect(done).toHaveLength(1);
    for (const { status } of answers) expect([done[0]?.status, 404, 412]).toContain(status);
  });

  test('If five clients change any version at once, with If-Match: *, all succeed.', async () => {
    const { call, path } = await arrange();
    const answers = await Promise.all(
      Array.from({ length: clients }, (_, place) => call('PATCH', path, changes(place), { 'If-Match': '*' })),
    );
    expect(statuses(answers)).toEqual(Array(clients).fill(200));
  });
});

test("If five clients change the tags of the same version at once, the link has one client's tags, and the counts are exact.", async () => {
  const { call, importLinks, newTag } = await service.newWorkspace();
  const path = `/links/${(await importLinks([{ url }])).body.links[0].id}`;
  const tags = await Promise.all(Array.from({ length: clients }, (_, place) => newTag(`Tag ${place}`)));
  const etag = etagOf(await call('GET', path));
  const answers = await Promise.all(tags.map((id) => call('PATCH', path, { tagIds: [id] }, { 'If-Match': etag })));
  expect(statuses(answers)).toEqual([200, ...Array(clients - 1).fill(412)]);
  const winner = tags[answers.findIndex(({ status }) => status === 200)];
  const counted = (await call('GET', '/tags')).body.tags.filter(({ _count }: { _count: { links: number } }) => _count.links > 0);
  expect(counted).toMatchObject([{ id: winner, _count: { links: 1 } }]);
});

test("A link's entity tag changes with the name of its tag.", async () => {
  const { call, importLinks, newTag } = await service.newWorkspace();
  const path = `/links/${(await importLinks([{ url }])).body.links[0].id}`;
  const tag = await newTag('Before');
  const etag = etagOf(await call('PATCH', path, { tagIds: [tag] }));
  await call('PATCH', `/tags/${tag}`, { name: 'Behind' });
  expectProblem(await call('PATCH', path, { title: 'New' }, { 'If-Match': etag }), 412, 'precondition_failed');
  const known = await call('GET', path, undefined, { 'If-None-Match': etag });
  expect(known).toMatchObject({ status: 200, body: { link: { title: null, tags: [{ name: 'Behind' }] } } });
});
