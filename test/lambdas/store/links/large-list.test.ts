import { expect, test } from 'vitest';
import { useStore } from '../../../support/store/store.ts';

test('A link behind 10,000 others that do not match a filter is found on the second page, after an empty first one.', async () => {
  const store = await useStore();
  const workspace = await store.newWorkspace();
  const { workspaceId, domain } = workspace;
  const [found] = await store.newLinks(workspace, 1);
  // Only the index entries of newer links on another domain are read.
  const entries = Array.from({ length: 10_000 }, (_, index) => {
    const id = `lnk_${String(index).padStart(28, '0')}`;
    return {
      pk: `LINK#${id}`,
      sk: 'LINK',
      gsi1pk: `WORKSPACE#${workspaceId}#LINKS`,
      gsi1sk: `2099-01-01T00:00:00.000Z#${id}#other.example`,
    };
  });
  for (let first = 0; first < entries.length; first += 25) {
    const outcomes = await store.insertItems(entries.slice(first, first + 25));
    expect(new Set(outcomes)).toEqual(new Set(['inserted']));
  }
  const page = (before?: string) => store.listLinks(workspaceId, { domain: domain.host }, { limit: 50, after: before });
  const { links, next } = await page();
  expect([links, next]).toEqual([[], expect.any(String)]);
  const behind = await page(next);
  expect([behind.links.map(({ link }) => link.id), behind.next]).toEqual([[found?.link.id], undefined]);
});
