import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const color = '#123456';

/** A tag on the first links of a workspace that has some more. */
async function arrange(tagged: number, more = 1) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const { id } = await store.createTag(workspaceId, { name: 'Listed', color });
  const links = await store.newLinks(workspace, tagged + more);
  for (const found of links.slice(0, tagged)) await store.updateLink(found, { tagIds: [id] });
  const list = (query?: Record<string, string>) => callEndpoint('list-tag-links', { workspaceId, id, ...(query && { query }) });
  return { workspaceId, id, ids: links.slice(0, tagged).map(({ link }) => link.id), list };
}

test('Only the links that carry the tag are listed, each as get-link returns it.', async () => {
  const { workspaceId, ids, list } = await arrange(3, 2);
  const { status, body } = await list();
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['links', 'nextCursor']);
  expect(body.nextCursor).toBeNull();
  expect(body.links.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
  for (const link of body.links) {
    expect((await callEndpoint('get-link', { workspaceId, id: link.id })).body.link).toEqual(link);
  }
});

test('The pages have each link once, and the last page has no cursor.', async () => {
  const { ids, list } = await arrange(5);
  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await list({ limit: '2', ...(cursor && { cursor }) });
    pages.push(body.links.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
  expect(pages.flat().sort()).toEqual([...ids].sort());
});

test('A tag that no link carries has an empty page.', async () => {
  const { list } = await arrange(0);
  expect(await list()).toMatchObject({ status: 200, body: { links: [], nextCursor: null } });
});

test("An unknown tag, another workspace's and a malformed id are all not found.", async () => {
  const { workspaceId } = await store.newWorkspace();
  const foreign = (await arrange(1)).id;
  for (const id of [foreign, 'tag_0123456789abcdef', 'nonsense']) {
    expectProblem(await callEndpoint('list-tag-links', { workspaceId, id }), 404, 'not_found');
  }
});
