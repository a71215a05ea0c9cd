import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('A template is found by its id without deleted tags, and a client with its entity tag gets 304.', async () => {
  const { workspaceId } = await store.newWorkspace();
  const [gone, kept] = [
    await store.createTag(workspaceId, { name: 'Gone', color: '#123456' }),
    await store.createTag(workspaceId, { name: 'Kept', color: '#123456' }),
  ];
  const { id } = await store.createTemplate(workspaceId, { name: 'Mail', tagIds: [gone.id, kept.id] });
  const get = (headers = {}) => callEndpoint('get-template', { workspaceId, id, headers });
  const known = { 'If-None-Match': String((await get()).headers.ETag) };
  expect((await get(known)).status).toBe(304);
  await store.deleteTag(workspaceId, gone.id);
  expect(await get(known)).toMatchObject({ status: 200, body: { id, name: 'Mail', tagIds: [kept.id] } });
});

test("An unknown template, another workspace's and a malformed id are all not found.", async () => {
  const [own, other] = [await store.newWorkspace(), await store.newWorkspace()];
  const theirs = await store.createTemplate(other.workspaceId, { name: 'Theirs' });
  for (const id of ['tpl_0123456789abcdef', theirs.id, 'nonsense', '']) {
    expectProblem(await callEndpoint('get-template', { workspaceId: own.workspaceId, id }), 404, 'not_found');
  }
});
