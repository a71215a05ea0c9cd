import { beforeAll, expect, test } from 'vitest';
import { type Store, useStore } from '../../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const url = 'https://example.org/';
const color = '#123456';

test.for([
  ['a slug of its own', { customSlug: 'Own' }],
  ['a made slug', {}],
] as const)('a creation with %s that is carried out again finds its link, with the id that it has', async ([, more]) => {
  const { domain, workspaceId } = await store.newWorkspace();
  const { id: tagId } = await store.createTag(workspaceId, { name: 'New', color });
  const lease = store.newLease();
  const first = await store.createLink(domain, { url, tagIds: [tagId], ...more }, lease);
  const again = await store.createLink(domain, { url, tagIds: [tagId], ...more }, { ...lease, resumed: true });
  expect(again.link.id).toBe(first.link.id);
  expect(await store.countsOf(workspaceId, [tagId], [first.link.id])).toEqual([{ count: 1, pairs: 1, links: 1 }]);
});

test('one whose link was deleted meanwhile makes another link: the id that is gone stays so', async () => {
  const { domain, workspaceId } = await store.newWorkspace();
  const lease = store.newLease();
  const { link } = await store.createLink(domain, { url }, lease);
  await store.deleteLink({ link, clickCount: 0 });
  const again = await store.createLink(domain, { url }, { ...lease, resumed: true });
  expect(again.link.shortCode).toBe(link.shortCode);
  expect(again.link.id).not.toBe(link.id);
  expect(await store.getLink(workspaceId, link.id)).toBeUndefined();
});

test('a made slug that another link has is made anew, however often', async () => {
  const { domain } = await store.newWorkspace();
  const lease = store.newLease();
  const slugs: string[] = [];
  for (let times = 0; times < 4; times++) {
    // Each with the salt of the same request, but not its mark.
    const { link } = await store.createLink(domain, { url }, { ...lease, importId: `imp_other${times}` });
    slugs.push(link.shortCode);
  }
  expect(new Set(slugs).size).toBe(4);
});
