import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../../support/http/invoke.ts';
import { expectProblem } from '../../../../support/http/problem.ts';
import { type Store, useStore } from '../../../../support/store/store.ts';
import { notFoundAt, unknownLink } from '../../../../support/things/links.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

async function arrange(count: number) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const links = await store.newLinks(workspace, count);
  const remove = (ids: readonly string[]) => callEndpoint('bulk-delete-links', { workspaceId, body: { ids } });
  return { workspaceId, links, ids: links.map(({ link }) => link.id), remove };
}

test('The links are deleted and taken off their tags, and the response says how many.', async () => {
  const { workspaceId, links, ids, remove } = await arrange(3);
  const { id: tag } = await store.createTag(workspaceId, { name: 'A', color: '#123456' });
  for (const found of links) await store.updateLink(found, { tagIds: [tag] });
  expect((await callEndpoint('get-tag', { workspaceId, id: tag })).body._count).toEqual({ links: 3 });
  expect(await remove(ids)).toMatchObject({ status: 200, body: { deleted: 3, failed: [] } });
  for (const id of ids) expectProblem(await callEndpoint('get-link', { workspaceId, id }), 404, 'not_found');
  expect((await callEndpoint('get-tag', { workspaceId, id: tag })).body._count).toEqual({ links: 0 });
  expect((await remove(ids)).body).toEqual({ deleted: 0, failed: ids.map((id, index) => notFoundAt(index, id)) });
});

test('Each link is deleted once, however many requests name it at once.', async () => {
  const { ids, remove } = await arrange(20);
  const responses = await Promise.all([remove(ids), remove(ids), remove([...ids].reverse())]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(responses.reduce((sum, { body }) => sum + body.deleted, 0)).toBe(20);
  for (const { body } of responses) expect(body.deleted + body.failed.length).toBe(20);
});

test("An unknown link and another workspace's fail with their indexes, and the other workspace keeps its link.", async () => {
  const [own, other] = [await arrange(1), await arrange(1)];
  const { body } = await own.remove([unknownLink, ...own.ids, ...other.ids]);
  expect(body).toEqual({ deleted: 1, failed: [notFoundAt(0, unknownLink), notFoundAt(2, other.ids[0] ?? '')] });
  expect((await callEndpoint('get-link', { workspaceId: other.workspaceId, id: other.ids[0] ?? '' })).status).toBe(200);
});
