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
  const create = async (name: string) =>
    (await callEndpoint('create-tag', { workspaceId, body: { name, color: '#123456' } })).body;
  const update = (id: string, body: unknown) => callEndpoint('update-tag', { workspaceId, id, body });
  const get = async (id: string) => (await callEndpoint('get-tag', { workspaceId, id })).body;
  return { create, update, get };
}

test('The name, the colour or both change, and the rest of the tag stays.', async () => {
  const { create, update, get } = await arrange();
  const tag = await create('Old');
  expect(await update(tag.id, { name: ' New ' })).toMatchObject({ status: 200, body: { ...tag, name: 'New' } });
  expect(await update(tag.id, { color: '#ABCDEF' })).toMatchObject({
    status: 200,
    body: { ...tag, name: 'New', color: '#abcdef' },
  });
  const { body } = await update(tag.id, { name: 'Newest', color: '#000000' });
  expect(body).toEqual({ ...tag, name: 'Newest', color: '#000000' });
  expect(await get(tag.id)).toEqual(body);
});

test('An update without fields changes nothing, and is no error.', async () => {
  const { create, update } = await arrange();
  const tag = await create('Same');
  expect(await update(tag.id, {})).toMatchObject({ status: 200, body: tag });
});

test("Another tag's name is refused in any case, and a tag may change the case of its own name.", async () => {
  const { create, update, get } = await arrange();
  const [tag] = [await create('Mine'), await create('Taken')];
  expectProblem(await update(tag.id, { name: 'TAKEN', color: '#000000' }), 409, 'tag_name_taken');
  expect(await get(tag.id)).toEqual(tag);
  expect((await update(tag.id, { name: 'MINE' })).body.name).toBe('MINE');
});

test('The old name of a renamed tag becomes available.', async () => {
  const { create, update } = await arrange();
  const tag = await create('Before');
  await update(tag.id, { name: 'After' });
  expect((await create('before')).name).toBe('before');
  expectProblem(await update(tag.id, { name: 'Before' }), 409, 'tag_name_taken');
});

test.for([
  [{ name: null }, '/name', 'null_not_allowed'],
  [{ name: '' }, '/name', 'invalid_tag_name'],
  [{ name: 5 }, '/name', 'invalid_type'],
  [{ color: null }, '/color', 'null_not_allowed'],
  [{ color: 'red' }, '/color', 'invalid_color'],
  [{ id: 'tag_x' }, '/id', 'unknown_field'],
] as const)('The update %j is refused at %s as %s, and nothing changes.', async ([body, path, code]) => {
  const { create, update, get } = await arrange();
  const tag = await create('Same');
  const response = await update(tag.id, body);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
  expect(await get(tag.id)).toEqual(tag);
});

test("An unknown tag, another workspace's and a malformed id are all not found, and the other tag stays as it is.", async () => {
  const [own, other] = [await arrange(), await arrange()];
  const theirs = await other.create('Theirs');
  for (const id of ['tag_0123456789abcdef', theirs.id, 'nonsense']) {
    expectProblem(await own.update(id, { name: 'Mine' }), 404, 'not_found');
  }
  expect(await other.get(theirs.id)).toEqual(theirs);
});
