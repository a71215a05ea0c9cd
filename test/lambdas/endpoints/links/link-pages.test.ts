import { beforeAll, expect, test } from 'vitest';
import { makeCursor } from '../../../../lambdas/core/cursor.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

// The limits and cursors of list-links and list-tag-links.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

type Query = Readonly<Record<string, string>>;

/** A workspace with five links, three of which carry a tag. */
async function arrange() {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const { id: tagId } = await store.createTag(workspaceId, { name: 'Listed', color: '#123456' });
  const links = await store.newLinks(workspace, 5);
  for (const found of links.slice(0, 3)) await store.updateLink(found, { tagIds: [tagId] });
  return {
    workspaceId,
    host: workspace.domain.host,
    tagId,
    list: (query: Query) => callEndpoint('list-links', { workspaceId, query }),
    listTagged: (query: Query) => callEndpoint('list-tag-links', { workspaceId, id: tagId, query }),
  };
}

test('A cursor of another workspace, filter or list is refused like a made-up one, and reveals nothing.', async () => {
  const [own, other] = [await arrange(), await arrange()];
  const { list, listTagged, tagId, host } = own;
  const one = { limit: '1' };
  const [foreign, plain, tagged] = [
    (await other.list(one)).body.nextCursor,
    (await list(one)).body.nextCursor,
    (await listTagged(one)).body.nextCursor,
  ];
  const scope = [own.workspaceId, undefined, 'false', ...Array(8).fill(undefined), 'desc'];
  const tries: [typeof list, Query][] = [
    [list, { cursor: foreign }],
    [list, { q: 'a', cursor: plain }],
    [list, { tagId, cursor: plain }],
    [list, { tagId, cursor: tagged }],
    [list, { order: 'asc', cursor: plain }],
    [list, { state: 'active', cursor: plain }],
    [list, { createdAfter: '2000-01-01T00:00:00Z', cursor: plain }],
    [list, { createdBefore: '2999-01-01T00:00:00Z', cursor: plain }],
    [list, { domain: host, cursor: plain }],
    [list, { expiresBefore: '2999-01-01T00:00:00Z', cursor: plain }],
    [list, { notClickedSince: '2999-01-01T00:00:00Z', cursor: plain }],
    [listTagged, { cursor: plain }],
    [list, { cursor: plain.slice(1) }],
    [list, { cursor: `${plain}A` }],
    [list, { cursor: '' }],
    [list, { cursor: '\0' }],
    [list, { cursor: 'x'.repeat(5_000) }],
    // Knowing how cursors are made does not help.
    [list, { cursor: makeCursor(scope, 'x'.repeat(2_000)) }],
    [list, { cursor: makeCursor(scope, '') }],
    [list, { cursor: makeCursor([other.workspaceId, ...scope.slice(1)], 'x') }],
  ];
  for (const [send, query] of tries) {
    const response = await send(query);
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toMatchObject([{ path: '', code: 'invalid_cursor' }]);
  }
  expect((await list({ limit: '100', cursor: plain })).body.links).toHaveLength(4);
});

test.for(['0', '101', '-1', '1.5', '', 'abc', '1e1', '0x10', '١', '1'.repeat(400)])(
  'A limit of %j is refused by name and rule.',
  async (limit) => {
    const { list, listTagged } = await arrange();
    for (const response of [await list({ limit }), await listTagged({ limit })]) {
      expectProblem(response, 422, 'validation_failed');
      expect(response.body.errors).toEqual([
        { path: '', code: 'out_of_range', message: 'the query parameter "limit" must be a whole number from 1 to 100' },
      ]);
    }
  },
);
