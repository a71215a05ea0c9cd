import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, expectProblem, type Service, useService, type Workspace } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

const url = 'https://example.org/';

/** A link and a tag, which are to be treated alike. */
const things = {
  link: {
    make: async ({ importLinks }: Workspace) => `/links/${(await importLinks([{ url }])).body.links[0].id}`,
    changes: (place: number) => ({ title: `Title ${place}` }),
  },
  tag: {
    make: async ({ newTag }: Workspace) => `/tags/${await newTag('Launch')}`,
    changes: (place: number) => ({ name: `Name ${place}` }),
  },
};

const etagOf = ({ headers }: Answer) => headers.get('ETag') ?? '';
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

describe.for(Object.entries(things))('a %s', ([, { make, changes }]) => {
  const arrange = async () => {
    const workspace = await service.newWorkspace();
    const path = await make(workspace);
    const read = await workspace.call('GET', path);
    return { ...workspace, path, read, etag: etagOf(read) };
  };

  test('has the same strong entity tag until it changes, on reads and in the answer to a change', async () => {
    const { call, path, etag } = await arrange();
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(etagOf(await call('GET', path))).toBe(etag);
    const changed = await call('PATCH', path, changes(1));
    expect(etagOf(changed)).not.toBe(etag);
    expect(etagOf(await call('GET', path))).toBe(etagOf(changed));
  });

  test('that is known already is answered 304 without a body', async () => {
    const { call, path, etag, read } = await arrange();
    const known = await call('GET', path, undefined, { 'If-None-Match': `"x", W/${etag}` });
    expect(known).toMatchObject({ status: 304, text: '' });
    expect(etagOf(known)).toBe(etag);
    await call('PATCH', path, changes(1));
    expect((await call('GET', path, undefined, { 'If-None-Match': etag })).status).toBe(200);
    expect(read.status).toBe(200);
  });

  test.for(['GET', 'PATCH', 'DELETE'])(
    'that is not as it was known is not answered, changed or deleted by %s: 412',
    async (method) => {
      const { call, path, etag } = await arrange();
      await call('PATCH', path, changes(1));
      const before = await call('GET', path);
      for (const field of [etag, `W/${etagOf(before)}`, '"x"', '']) {
        const body = method === 'PATCH' ? changes(2) : undefined;
        expectProblem(await call(method, path, body, { 'If-Match': field }), 412, 'precondition_failed');
      }
      expect((await call('GET', path)).body).toEqual(before.body);
    },
  );

  test.for(['GET', 'PATCH', 'DELETE'])('that is as it was known, or may be as it is, is: %s', async (method) => {
    for (const fieldOf of [() => '*', (etag: string) => etag, (etag: string) => `"x", ${etag}`]) {
      const { call, path, etag } = await arrange();
      const body = method === 'PATCH' ? changes(2) : undefined;
      const answer = await call(method, path, body, { 'If-Match': fieldOf(etag) });
      expect(answer.status).toBe(method === 'DELETE' ? 204 : 200);
    }
  });

  test('that is not there is 404 whatever the condition', async () => {
    const { call, path } = await arrange();
    await call('DELETE', path);
    for (const field of ['*', '"x"']) {
      const headers = { 'If-Match': field };
      for (const [method, body] of [['GET'], ['PATCH', changes(1)], ['DELETE']] as const) {
        expectProblem(await call(method, path, body, headers), 404, 'not_found');
      }
    }
  });

  test('that ten change at once as they knew it is changed by one, and the others are told', async () => {
    const { call, path, etag } = await arrange();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) => call('PATCH', path, changes(place), { 'If-Match': etag })),
    );
    expect(statuses(answers)).toEqual([200, ...Array(9).fill(412)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(JSON.stringify((await call('GET', path)).body)).toContain(Object.values(changes(winner))[0]);
  });

  test('that is given the same by ten at once as they knew it is given it by one', async () => {
    const { call, path, etag } = await arrange();
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('PATCH', path, changes(1), { 'If-Match': etag })));
    expect(statuses(answers)).toEqual([200, ...Array(9).fill(412)]);
  });

  test('that some change and some delete at once as they knew it meets one of them', async () => {
    const { call, path, etag } = await arrange();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) =>
        place % 2
          ? call('PATCH', path, changes(place), { 'If-Match': etag })
          : call('DELETE', path, undefined, { 'If-Match': etag }),
      ),
    );
    const done = answers.filter(({ status }) => status < 300);
    expect(done).toHaveLength(1);
    for (const { status } of answers) expect([done[0]?.status, 404, 412]).toContain(status);
  });

  test('that all change at once, whatever it is, is changed by each', async () => {
    const { call, path } = await arrange();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) => call('PATCH', path, changes(place), { 'If-Match': '*' })),
    );
    expect(statuses(answers)).toEqual(Array(10).fill(200));
  });
});

test('a link whose tags ten change at once as they knew it has those of one, and they are counted right', async () => {
  const { call, importLinks, newTag } = await service.newWorkspace();
  const path = `/links/${(await importLinks([{ url }])).body.links[0].id}`;
  const tags = await Promise.all(Array.from({ length: 10 }, (_, place) => newTag(`Tag ${place}`)));
  const etag = etagOf(await call('GET', path));
  const answers = await Promise.all(tags.map((id) => call('PATCH', path, { tagIds: [id] }, { 'If-Match': etag })));
  expect(statuses(answers)).toEqual([200, ...Array(9).fill(412)]);
  const winner = tags[answers.findIndex(({ status }) => status === 200)];
  const counted = (await call('GET', '/tags')).body.tags.filter(({ _count }: { _count: { links: number } }) => _count.links > 0);
  expect(counted).toMatchObject([{ id: winner, _count: { links: 1 } }]);
});

test("a link's entity tag changes with the name of a tag that it carries", async () => {
  const { call, importLinks, newTag } = await service.newWorkspace();
  const path = `/links/${(await importLinks([{ url }])).body.links[0].id}`;
  const tag = await newTag('Before');
  const etag = etagOf(await call('PATCH', path, { tagIds: [tag] }));
  await call('PATCH', `/tags/${tag}`, { name: 'Behind' });
  expectProblem(await call('PATCH', path, { title: 'New' }, { 'If-Match': etag }), 412, 'precondition_failed');
  const known = await call('GET', path, undefined, { 'If-None-Match': etag });
  expect(known).toMatchObject({ status: 200, body: { link: { title: null, tags: [{ name: 'Behind' }] } } });
});
