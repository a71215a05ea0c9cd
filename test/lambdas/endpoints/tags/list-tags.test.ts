import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test("All of the workspace's tags are listed by name, in the order that people expect.", async () => {
  const { workspaceId } = await store.newWorkspace();
  for (const name of ['b', 'Item 10', 'ä', 'A', 'Item 2', 'C']) await store.createTag(workspaceId, { name, color: '#123456' });
  const { status, body } = await callEndpoint('list-tags', { workspaceId });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['tags', 'nextCursor']);
  expect(body.tags.map(({ name }: { name: string }) => name)).toEqual(['A', 'ä', 'b', 'C', 'Item 2', 'Item 10']);
});

test("A workspace without tags has an empty list, whatever another workspace's tags are.", async () => {
  const [own, other] = [await store.newWorkspace(), await store.newWorkspace()];
  await store.createTag(other.workspaceId, { name: 'Theirs', color: '#123456' });
  expect(await callEndpoint('list-tags', { workspaceId: own.workspaceId })).toMatchObject({
    status: 200,
    body: { tags: [], nextCursor: null },
  });
});
