import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { FoundLink } from '../../../../lambdas/store/links/links.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let workspaceId: string;
let tagId: string;
let found: FoundLink;
let others: FoundLink[];

beforeAll(async () => {
  store = await useStore();
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const workspace = await store.newWorkspace();
  ({ workspaceId } = workspace);
  tagId = (await store.createTag(workspaceId, { name: 'One', color: '#123456' })).id;
  const links = await store.newLinks(workspace, 3);
  [found = {} as FoundLink, ...others] = await Promise.all(links.map((link) => store.updateLink(link, { tagIds: [tagId] })));
});
afterEach(() => void vi.useRealTimers());

const nothingBlocked = async () => new Set<string>();
const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms);
const namesIn = async (tagsOf: 'now' | 'lately') =>
  (await store.detailsOf([found], nothingBlocked, tagsOf))[0]?.tags.map(({ name }) => name);

/** The read units of views. */
async function readsOf(links: readonly FoundLink[], tagsOf: 'now' | 'lately'): Promise<number> {
  const { units } = await underFaults(
    () => undefined,
    () => store.detailsOf(links, nothingBlocked, tagsOf),
  );
  return units.read;
}

test('List pages within five seconds read a tag once, and each view of a single link reads it again.', async () => {
  // From here on their domain is cached.
  await readsOf([found], 'now');
  expect(await readsOf([found], 'lately')).toBe(1);
  pass(4_999);
  expect(await readsOf(others, 'lately')).toBe(0);
  expect(await readsOf([found], 'now')).toBe(1);
  pass(1);
  expect(await readsOf([found], 'lately')).toBe(1);
});

test('A list shows a tag as it was at most five seconds ago, and a single link shows its present state.', async () => {
  expect(await namesIn('lately')).toEqual(['One']);
  await store.updateTag(workspaceId, tagId, { name: 'Two' });
  expect(await namesIn('now')).toEqual(['Two']);
  expect(['One', 'Two']).toContain((await namesIn('lately'))?.[0]);
  pass(5_000);
  expect(await namesIn('lately')).toEqual(['Two']);

  await store.deleteTag(workspaceId, tagId);
  expect(await namesIn('now')).toEqual([]);
  pass(5_000);
  expect(await namesIn('lately')).toEqual([]);
});

test('A list shows within five seconds that a cap is used up, and a single link at once; a new cap is read at once.', async () => {
  found = await store.updateLink(found, { maxClicks: 1 });
  const stateIn = async (asOf: 'now' | 'lately') => (await store.detailsOf([found], nothingBlocked, asOf))[0]?.state;
  expect(await stateIn('lately')).toBe('active');
  await store.claimVisit(found.link);
  expect(await stateIn('now')).toBe('used_up');
  pass(5_000);
  expect(await stateIn('lately')).toBe('used_up');
  found = await store.updateLink(await store.updateLink(found, { maxClicks: null }), { maxClicks: 2 });
  expect(await stateIn('lately')).toBe('active');
});

test('A list reads a tag again if the clock went back.', async () => {
  await namesIn('lately');
  await store.updateTag(workspaceId, tagId, { name: 'Two' });
  pass(-60_000);
  expect(await namesIn('lately')).toEqual(['Two']);
});

test('A list shows the present tags of a link, even directly after a change.', async () => {
  await namesIn('lately');
  const { id } = await store.createTag(workspaceId, { name: 'New', color: '#123456' });
  found = await store.updateLink(found, { tagIds: [id, tagId] });
  expect(await namesIn('lately')).toEqual(['New', 'One']);
  found = await store.updateLink(found, { tagIds: [id] });
  expect(await namesIn('lately')).toEqual(['New']);
});
