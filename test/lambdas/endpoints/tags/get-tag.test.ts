import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

async function newTag() {
  const { workspaceId } = await store.newWorkspace();
  return { workspaceId, ...(await callEndpoint('create-tag', { workspaceId, body: { name: 'Launch', color: '#A1b2C3' } })) };
}

test('A tag is returned as it was created, with the same entity tag.', async () => {
  const { workspaceId, body, headers } = await newTag();
  expect(await callEndpoint('get-tag', { workspaceId, id: body.id })).toMatchObject({
    status: 200,
    headers: { ETag: headers.ETag },
    body,
  });
});

test("An unknown tag, a deleted one, another workspace's and a malformed id are all not found.", async () => {
  const [own, other] = [await newTag(), await newTag()];
  const { workspaceId } = own;
  await callEndpoint('delete-tag', { workspaceId, id: own.body.id });
  for (const id of ['tag_0123456789abcdef', own.body.id, other.body.id, 'nonsense', '', '\0']) {
    expectProblem(await callEndpoint('get-tag', { workspaceId, id }), 404, 'not_found');
  }
});
