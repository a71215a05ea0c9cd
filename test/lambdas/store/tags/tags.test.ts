import { beforeAll, describe, expect, test } from 'vitest';
import { tagsPerWorkspace } from '../../../../lambdas/core/limits.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const color = '#aabbcc';

describe('A tag', () => {
  test('A new tag is found by its id, is listed, and has no links.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const tag = await store.createTag(workspaceId, { name: 'Launch', color });
    expect(tag).toEqual({
      id: expect.stringMatching(/^tag_[0-9A-Za-z]{16}$/),
      name: 'Launch',
      color,
      createdAt: expect.any(String),
      linkCount: 0,
      revision: 0,
    });
    expect(await store.getTag(workspaceId, tag.id)).toEqual(tag);
    expect(await store.listTags(workspaceId)).toEqual([tag]);
  });

  test("A workspace can neither find, list nor delete another workspace's tag.", async () => {
    const [own, other] = [await store.newWorkspace(), await store.newWorkspace()];
    const tag = await store.createTag(own.workspaceId, { name: 'Launch', color });
    expect(await store.getTag(other.workspaceId, tag.id)).toBeUndefined();
    expect(await store.getTags(other.workspaceId, [tag.id])).toEqual([]);
    expect(await store.listTags(other.workspaceId)).toEqual([]);
    await expect(store.deleteTag(other.workspaceId, tag.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.getTag(own.workspaceId, tag.id)).toEqual(tag);
  });

  test.for(['', 'tag_', 'tag_x', `tag_${'x'.repeat(2000)}`, 'WORKSPACE', 'tag_0123456789abcde\0'])(
    'No tag has the id %j.',
    async (id) => {
      expect(await store.getTag('ws_unknown', id)).toBeUndefined();
    },
  );
});

describe("A tag's name", () => {
  test('Of many creations with the same name at once, in any case, exactly one succeeds.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const names = Array.from({ length: 20 }, (_, index) => (index % 2 ? 'STRASSE' : 'Straße'));
    const results = await Promise.allSettled(names.map((name) => store.createTag(workspaceId, { name, color })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'tag_name_taken' });
    }
    expect(await store.listTags(workspaceId)).toHaveLength(1);
  });

  test('A name is available in another workspace, and again once its tag is deleted.', async () => {
    const [one, two] = [await store.newWorkspace(), await store.newWorkspace()];
    const tag = await store.createTag(one.workspaceId, { name: 'Launch', color });
    await store.createTag(two.workspaceId, { name: 'Launch', color });
    await store.deleteTag(one.workspaceId, tag.id);
    const again = await store.createTag(one.workspaceId, { name: 'launch', color });
    expect(again.id).not.toBe(tag.id);
  });
});

test('However many are created at once, a workspace never has more tags than its limit, and a deleted tag makes room.', async () => {
  const { workspaceId } = await store.newWorkspace();
  await store.updateItem(
    { pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' },
    { text: 'SET #tagCount = :count', values: { ':count': tagsPerWorkspace - 2 } },
  );
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, (_, index) => store.createTag(workspaceId, { name: `Tag ${index}`, color })),
  );
  const created = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  expect(created).toHaveLength(2);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'tag_limit_reached' });
  }
  await store.deleteTag(workspaceId, created[0]?.id ?? '');
  await store.createTag(workspaceId, { name: 'One more', color });
});

test("Of many deletions of a tag at once, exactly one succeeds, and the workspace's count drops by one.", async () => {
  const { workspaceId } = await store.newWorkspace();
  const tag = await store.createTag(workspaceId, { name: 'Launch', color });
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => store.deleteTag(workspaceId, tag.id)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const workspace = await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' });
  expect(workspace?.tagCount).toBe(0);
});
