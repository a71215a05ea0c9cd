import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectProblem, type Service, useService } from '../../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

const tag = { name: 'Launch', color: '#A1b2C3' };

describe('create-tag', () => {
  test('answers 201 with exactly five keys, the colour in lower case, and where the tag is', async () => {
    const { call } = await service.newWorkspace();
    const { status, body, headers } = await call('POST', '/tags', { name: '  Łódź_2 x-y  ', color: '#A1b2C3' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^tag_/),
      name: 'Łódź_2 x-y',
      color: '#a1b2c3',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      _count: { links: 0 },
    });
    expect(headers.get('location')).toBe(`/api/v1/tags/${body.id}`);
  });

  test('refuses a name that the workspace has already, in any case, with 409', async () => {
    const { call } = await service.newWorkspace();
    await call('POST', '/tags', tag);
    expectProblem(await call('POST', '/tags', { ...tag, name: 'ＬＡＵＮＣＨ' }), 409, 'tag_name_taken');
  });

  test.for([
    [{ color: '#000000' }, '/name', 'required'],
    [{ name: null, color: '#000000' }, '/name', 'null_not_allowed'],
    [{ name: '', color: '#000000' }, '/name', 'invalid_tag_name'],
    [{ name: '  ', color: '#000000' }, '/name', 'invalid_tag_name'],
    [{ name: 'a/b', color: '#000000' }, '/name', 'invalid_tag_name'],
    [{ name: 'a\nb', color: '#000000' }, '/name', 'invalid_tag_name'],
    [{ name: '🚀', color: '#000000' }, '/name', 'invalid_tag_name'],
    [{ name: 'x'.repeat(65), color: '#000000' }, '/name', 'too_long'],
    [{ name: '\ufdfa'.repeat(64), color: '#000000' }, '/name', 'too_long'],
    [{ name: 'x' }, '/color', 'required'],
    [{ name: 'x', color: 'red' }, '/color', 'invalid_color'],
    [{ name: 'x', color: '#fff' }, '/color', 'invalid_color'],
    [{ name: 'x', color: '#00000g' }, '/color', 'invalid_color'],
    [{ name: 'x', color: '#000000', id: 'tag_x' }, '/id', 'unknown_field'],
  ] as const)('refuses %j at %s as %s', async ([body, path, code]) => {
    const { call } = await service.newWorkspace();
    const answer = await call('POST', '/tags', body);
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ path, code }]);
    expect((await call('GET', '/tags')).body).toEqual({ tags: [] });
  });
});

test("list-tags gives the workspace's tags by name, as people sort", async () => {
  const { call, newTag } = await service.newWorkspace();
  for (const name of ['b', 'Item 10', 'ä', 'A', 'Item 2', 'C']) await newTag(name);
  const { status, body } = await call('GET', '/tags');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['tags']);
  expect(body.tags.map(({ name }: { name: string }) => name)).toEqual(['A', 'ä', 'b', 'C', 'Item 2', 'Item 10']);
});

test('get-tag gives a tag as it was created', async () => {
  const { call } = await service.newWorkspace();
  const { body } = await call('POST', '/tags', tag);
  expect(await call('GET', `/tags/${body.id}`)).toMatchObject({ status: 200, body });
});

describe('delete-tag', () => {
  test('answers 204 without a body, and the tag is gone', async () => {
    const { call, newTag } = await service.newWorkspace();
    const id = await newTag('Gone');
    expect(await call('DELETE', `/tags/${id}`)).toMatchObject({ status: 204, text: '' });
    expectProblem(await call('GET', `/tags/${id}`), 404, 'not_found');
    expectProblem(await call('DELETE', `/tags/${id}`), 404, 'not_found');
    expect((await call('GET', '/tags')).body).toEqual({ tags: [] });
  });

  test('takes the tag off all links at once, and its pairs go with the sweep', async () => {
    const { call, newTag, importLinks } = await service.newWorkspace();
    const [gone, kept] = [await newTag('Gone'), await newTag('Kept')];
    const { body } = await importLinks(Array.from({ length: 30 }, () => ({ url: 'https://example.org/' })));
    const ids: string[] = body.links.map((link: { id: string }) => link.id);
    await Promise.all(ids.map((id) => call('PATCH', `/links/${id}`, { tagIds: [gone, kept] })));
    expect((await call('GET', `/tags/${gone}`)).body._count).toEqual({ links: 30 });

    await call('DELETE', `/tags/${gone}`);
    const shown = await Promise.all(ids.map((id) => call('PATCH', `/links/${id}`, {})));
    expect(shown.every(({ body }) => body.link.tags.length === 1 && body.link.tags[0].id === kept)).toBe(true);

    const { query } = await import('../../../lambdas/store/table/reads.ts');
    const left = async () => (await Array.fromAsync(query({ pk: `TAG#${gone}`, skPrefix: '' }))).length;
    await expect.poll(left, { timeout: 20_000 }).toBe(0);
    expect((await call('GET', `/tags/${kept}`)).body._count).toEqual({ links: 30 });
  });
});

test.for(['GET', 'DELETE'])("%s answers another workspace's tag as one that does not exist", async (method) => {
  const [own, other] = [await service.newWorkspace(), await service.newWorkspace()];
  const id = await own.newTag('Mine');
  const answers = await Promise.all(
    [id, 'tag_0123456789abcdef', 'nonsense', '%00', '%ff'].map((one) => other.call(method, `/tags/${one}`)),
  );
  for (const answer of answers) {
    expectProblem(answer, 404, 'not_found');
    expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' });
  }
  expect((await own.call('GET', `/tags/${id}`)).status).toBe(200);
});
