import { beforeAll, expect, test, vi } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';

// The scope of this list. list-clicks.test.ts tests the rest.

vi.mock('../../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../../support/clicks/fake-bucket.ts');
  return fakeBucket().module;
});

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** Stores these clicks. */
const at = Date.UTC(new Date().getUTCFullYear() - 1, 0, 2, 3, 4, 5);

test('A workspace has the clicks of all its links, also deleted ones, which a domain and tags can limit, page by page.', async () => {
  const [workspace, foreign] = [await store.newWorkspace(), await store.newWorkspace()];
  const { workspaceId } = workspace;
  const [one, two, gone] = (await store.newLinks(workspace, 3)).map(({ link }) => link);
  const [theirs] = (await store.newLinks(foreign, 1)).map(({ link }) => link);
  if (!one || !two || !gone || !theirs) throw new Error('no links');
  const [first, second, third] = [one, two, gone].map((link, index) => clickOf(link, at + 1_000 * index, { country: 'DE' }));
  await countClicks([first, second, third].filter((click) => click !== undefined));
  await countClicks([clickOf(theirs, at)]);
  await callEndpoint('delete-link', { workspaceId, id: gone.id });
  const tags = await Promise.all(['One', 'Both'].map((name) => store.createTag(workspaceId, { name, color: '#123456' })));
  const [oneTag, bothTag] = tags.map(({ id }) => id);
  await callEndpoint('update-link', { workspaceId, id: one.id, body: { tagIds: [oneTag, bothTag] } });
  await callEndpoint('update-link', { workspaceId, id: two.id, body: { tagIds: [bothTag] } });

  const ids = async (query: Record<string, string>) => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { status, body } = await callEndpoint('list-all-clicks', {
        workspaceId,
        query: { ...query, limit: '1', ...(cursor && { cursor }) },
      });
      expect(status).toBe(200);
      found.push(...body.clicks.map(({ id }: { id: string }) => id));
      cursor = body.nextCursor;
    }
    return found;
  };
  const { host } = workspace.domain;
  expect(await ids({})).toEqual([third?.id, second?.id, first?.id]);
  expect(await ids({ domain: host })).toEqual([third?.id, second?.id, first?.id]);
  expect(await ids({ tagNames: 'both' })).toEqual([second?.id, first?.id]);
  expect(await ids({ tagIds: `${oneTag},${bothTag}`, match: 'all' })).toEqual([first?.id]);
  expect(await ids({ tagNames: 'both', domain: host, country: 'DE', from: new Date(at + 1_000).toISOString() })).toEqual([
    second?.id,
  ]);
  expect(await ids({ tagNames: 'both', country: 'FR' })).toEqual([]);
});

test("A domain that isn't the workspace's and an unknown tag are not found.", async () => {
  const [{ workspaceId }, foreign] = [await store.newWorkspace(), await store.newWorkspace()];
  const list = (query: Record<string, string>) => callEndpoint('list-all-clicks', { workspaceId, query });
  expectProblem(await list({ domain: foreign.domain.host }), 404, 'not_found');
  expectProblem(await list({ tagIds: 'tag_0a1B2c3D4e5F6g7H' }), 422, 'tag_not_found');
});
