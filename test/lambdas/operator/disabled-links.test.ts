import { beforeAll, expect, test } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { type Store, useStore } from '../../support/store/store.ts';

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

async function newLink(changes: LinkChanges = {}) {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  return (await store.updateLink(found, changes)).link;
}
const current = async (id: string) => (await store.getLink(workspace.workspaceId, id))?.link;

test('A disabled link keeps its first date and all its settings, and enabling it restores it exactly.', async () => {
  const link = await newLink({ title: 'Title', maxClicks: 5 });
  const disabled = await store.setDisabled(link, true);
  expect(disabled).toEqual({ ...link, disabledAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
  expect(await store.setDisabled(link, true)).toEqual(disabled);
  expect(await store.setDisabled(link, false)).toEqual(link);
  expect(await store.setDisabled(link, false)).toEqual(link);
});

test('A workspace can still change a disabled link, but no change enables it.', async () => {
  const link = await newLink();
  const tag = await store.createTag(workspace.workspaceId, { name: 'Tag', color: '#123456' });
  const { disabledAt } = (await store.setDisabled(link, true)) ?? {};
  for (const changes of [{ isActive: true }, { url: 'https://example.org/new' }, { tagIds: [tag.id] }, { maxClicks: 3 }]) {
    await store.updateLink({ link, clickCount: 0 }, changes);
    expect(await current(link.id)).toMatchObject({ ...changes, disabledAt });
  }
});

test('Disabling a link that is gone does nothing, not even to its successor at the slug.', async () => {
  const link = await newLink();
  const key = { pk: `LINK#${link.id.slice(4, 26)}`, sk: 'LINK' };
  const item = await store.getItem(key);
  await store.deleteItem(key);
  expect(await store.setDisabled(link, true)).toBeUndefined();
  expect(await store.getItem(key)).toBeUndefined();
  await store.putItem({ ...item, ...key, id: `${link.id.slice(0, 26)}AAAAAA` });
  expect(await store.setDisabled(link, true)).toBeUndefined();
  expect((await store.getItem(key))?.disabledAt).toBeUndefined();
});
