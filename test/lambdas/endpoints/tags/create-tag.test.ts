import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

async function arrange() {
  const { workspaceId } = await store.newWorkspace();
  const create = (body: unknown) => callEndpoint('create-tag', { workspaceId, body });
  return { workspaceId, create };
}

test('A creation responds with 201, exactly five keys, the colour in lower case, and its location.', async () => {
  const { create } = await arrange();
  const { status, body, headers } = await create({ name: '  Łódź_2 x-y  ', color: '#A1b2C3' });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^tag_/),
    name: 'Łódź_2 x-y',
    color: '#a1b2c3',
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    _count: { links: 0 },
  });
  expect(headers.Location).toBe(`/api/v1/tags/${body.id}`);
});

test('A name that the workspace has already in any case is refused with 409.', async () => {
  const { create } = await arrange();
  await create({ name: 'Launch', color: '#A1b2C3' });
  expectProblem(await create({ name: 'ＬＡＵＮＣＨ', color: '#A1b2C3' }), 409, 'tag_name_taken');
});

test('Two workspaces may have tags of the same name.', async () => {
  const [own, other] = [await arrange(), await arrange()];
  const tag = { name: 'Launch', color: '#a1b2c3' };
  const [mine, theirs] = [await own.create(tag), await other.create(tag)];
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect(mine.body.id).not.toBe(theirs.body.id);
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
] as const)('The tag %j is refused at %s as %s, and nothing is created.', async ([body, path, code]) => {
  const { workspaceId, create } = await arrange();
  const response = await create(body);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
  expect((await callEndpoint('list-tags', { workspaceId })).body).toEqual({ tags: [], nextCursor: null });
});
