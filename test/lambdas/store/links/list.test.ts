import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LinkFilter } from '../../../../lambdas/store/links/list.ts';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { runs } from '../../../support/proof.ts';
import { type Store, useStore } from '../../../support/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

type Workspace = Awaited<ReturnType<Store['newWorkspace']>>;
let made = 0;

/** A link with its own creation time, so that the order of many is known. */
async function newLink(
  { domain }: Workspace,
  settings: { url?: string; title?: string; customSlug?: string; tagIds?: string[] } = {},
) {
  const createdAt = new Date(Date.UTC(2030, 0, 1) + made++).toISOString();
  const { link } = await store.createLink(
    domain,
    { url: 'https://example.org/', ...settings },
    { ...store.newLease(), createdAt },
  );
  return link.id;
}

const newLinks = async (workspace: Workspace, count: number, settings?: Parameters<typeof newLink>[1]) => {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await newLink(workspace, settings));
  return ids;
};

/** Walks through all pages of a list, and calls `between` between two of them. */
async function walk(workspaceId: string, filter: LinkFilter, limit: number, between: () => Promise<unknown> = async () => {}) {
  const ids: string[] = [];
  let pages = 0;
  for (let before: string | undefined; ; pages++) {
    const { links, next } = await store.listLinks(workspaceId, filter, { limit, before });
    expect(links.length).toBeLessThanOrEqual(limit);
    ids.push(...links.map(({ link }) => link.id));
    if (next === undefined) return { ids, pages: pages + 1 };
    before = next;
    await between();
  }
}

const remove = async (workspaceId: string, id: string) => {
  const found = await store.getLink(workspaceId, id);
  if (found) await store.deleteLink(found);
};

describe('A list of links', () => {
  test.for([1, 2, 3, 7, 100])(
    'A list shows the newest link first and each link once, in pages of %i, and the last page says so.',
    async (limit) => {
      const workspace = await store.newWorkspace();
      await newLinks(await store.newWorkspace(), 2);
      const ids = (await newLinks(workspace, 12)).reverse();
      expect(await walk(workspace.workspaceId, {}, limit)).toEqual({ ids, pages: Math.ceil(12 / limit) });
    },
  );

  test('A list shows links of the same moment once each.', async () => {
    const workspace = await store.newWorkspace();
    const found = await store.newLinks(workspace, 40);
    const { ids } = await walk(workspace.workspaceId, {}, 7);
    expect(ids.toSorted()).toEqual(found.map(({ link }) => link.id).sort());
    expect(ids).toEqual(ids.toSorted().reverse());
  });

  test('A list shows every link that exists throughout exactly once, whatever is created and deleted between the pages.', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('all', 'tag', 'domain', 'text'),
        fc.infiniteStream(fc.record({ creates: fc.nat(2), deletes: fc.nat(2), at: fc.nat() })),
        async (staying, limit, kind, changes) => {
          const workspace = await store.newWorkspace();
          const { workspaceId, domain } = workspace;
          const { id: tagId } = await store.createTag(workspaceId, { name: 'Listed', color: '#123456' });
          const settings = { tagIds: [tagId], title: 'Found' };
          const ids = await newLinks(workspace, staying.length, settings);
          const stay = ids.filter((_, index) => staying[index]);
          const passing = ids.filter((_, index) => !staying[index]);
          const came: string[] = [];
          const filters: Record<typeof kind, LinkFilter> = {
            all: {},
            tag: { tagId },
            domain: { domain: domain.host },
            text: { q: 'foun' },
          };
          const between = async () => {
            const [change] = changes.take(1);
            if (!change) return;
            came.push(...(await newLinks(workspace, change.creates, settings)));
            for (let times = 0; times < change.deletes; times++) {
              const [id] = passing.splice(change.at % Math.max(1, passing.length), 1);
              if (id) await remove(workspaceId, id);
            }
          };
          const { ids: shown } = await walk(workspaceId, filters[kind], limit, between);
          expect(new Set(shown).size).toBe(shown.length);
          expect(shown.filter((id) => stay.includes(id))).toEqual(stay.toReversed());
          // Links created after the walk began are newer than its start.
          expect(shown.filter((id) => came.includes(id))).toEqual([]);
        },
      ),
      { numRuns: runs(3) },
    );
  });

  test('A list never shows a deleted link whose slug has a new link.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const old = await newLink(workspace, { customSlug: 'again' });
    await remove(workspaceId, old);
    const id = await newLink(workspace, { customSlug: 'again' });
    expect((await walk(workspaceId, {}, 5)).ids).toEqual([id]);
  });

  test('A list by tag has the links that carry the tag, and no others.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const { id: tagId } = await store.createTag(workspaceId, { name: 'Some', color: '#123456' });
    const tagged = await newLinks(workspace, 5, { tagIds: [tagId] });
    await newLinks(workspace, 5);
    const [gone = '', off = '', ...kept] = tagged;
    await remove(workspaceId, gone);
    const found = await store.getLink(workspaceId, off);
    if (found) await store.updateLink(found, { tagIds: [] });
    expect((await walk(workspaceId, { tagId }, 2)).ids).toEqual(kept.reverse());
  });

  test('A list by tag has no link that loses the tag, or is deleted, while the page is read.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const { id: tagId } = await store.createTag(workspaceId, { name: 'Some', color: '#123456' });
    const ids = await newLinks(workspace, 3, { tagIds: [tagId] });
    const [retagged, deleted] = await store.getLinks(workspaceId, ids);
    const change = async () => {
      if (retagged) await store.updateLink(retagged, { tagIds: [] });
      if (deleted) await store.deleteLink(deleted);
    };
    const list = () => store.listLinks(workspaceId, { tagId }, { limit: 10 });
    const { links } = await overtaken(change, list, { command: 'BatchGetItem' });
    expect(links.map(({ link }) => link.id)).toEqual(ids.slice(2));
  });

  test('A search has no link that loses the text, or is deleted, while the page is read.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const ids = await newLinks(workspace, 3, { title: 'Found' });
    const [renamed, deleted] = await store.getLinks(workspaceId, ids);
    const change = async () => {
      if (renamed) await store.updateLink(renamed, { title: 'Lost' });
      if (deleted) await store.deleteLink(deleted);
    };
    const list = () => store.listLinks(workspaceId, { q: 'found' }, { limit: 10 });
    const { links } = await overtaken(change, list, { command: 'BatchGetItem', number: 1 });
    expect(links.map(({ link }) => link.id)).toEqual(ids.slice(2));
  });

  test('A search reads links with eventual consistency, and reads those that match again consistently.', async () => {
    const workspace = await store.newWorkspace();
    await newLinks(workspace, 3, { title: 'Found' });
    const reads: unknown[] = [];
    const stop = intercept((_, input, next) => {
      const { RequestItems = {} } = input as { RequestItems?: Record<string, { ConsistentRead?: boolean }> };
      reads.push(...new Set(Object.values(RequestItems).map(({ ConsistentRead }) => ConsistentRead)));
      return next(input);
    });
    await store.listLinks(workspace.workspaceId, { q: 'found' }, { limit: 10 });
    stop();
    expect(reads).toEqual([false, true]);
  });

  test.for([
    ['SUMMER', ['slug', 'title', 'url']],
    ['/path?x=', ['url']],
    ['ﬁne', ['title']],
    ['Straße', []],
    ['%', []],
    ['\\', []],
  ] as const)('A search for %j, in any case, matches %j of the slug, the URL and the title.', async ([q, names]) => {
    const workspace = await store.newWorkspace();
    const ids = {
      slug: await newLink(workspace, { customSlug: 'a-summer-b' }),
      title: await newLink(workspace, { title: 'Fine SUMMERS' }),
      url: await newLink(workspace, { url: 'https://example.org/path?x=Summer' }),
      none: await newLink(workspace, { title: 'Winter' }),
    };
    const shown = (await walk(workspace.workspaceId, { q }, 1)).ids;
    expect(shown.toSorted()).toEqual(names.map((name) => ids[name]).sort());
  });

  test('A list by domain has its links, and none of a domain whose name ends like it.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const host = `x${workspace.domain.host}`;
    await store.addDomain(workspaceId, host, 'ACTIVE');
    const domain = await store.getDomain(host);
    if (!domain) throw new Error('no domain');
    const [one, two] = [await newLinks(workspace, 3), await newLinks({ ...workspace, domain }, 3, { title: 'Two' })];
    expect((await walk(workspaceId, { domain: workspace.domain.host }, 2)).ids).toEqual(one.reverse());
    expect((await walk(workspaceId, { domain: host }, 2)).ids).toEqual(two.toReversed());
    expect((await walk(workspaceId, { domain: host, q: 'two' }, 2)).ids).toEqual(two.reverse());
    expect((await walk(workspaceId, { domain: 'x.example' }, 2)).ids).toEqual([]);
  });
});

describe('The calls that a list takes', () => {
  const callsOf = async (work: () => Promise<unknown>) => (await underFaults(() => undefined, work)).commands;
  const list = async (workspaceId: string, filter: LinkFilter, limit: number) => {
    const { links } = await store.listLinks(workspaceId, filter, { limit });
    return store.detailsOf(links);
  };

  test('A page of 50 links takes one query of the index and one batch read.', async () => {
    const workspace = await store.newWorkspace();
    await store.newLinks(workspace, 60);
    await list(workspace.workspaceId, {}, 1);
    expect(await callsOf(() => list(workspace.workspaceId, {}, 50))).toEqual(['Query', 'BatchGetItem']);
  });

  test('A page of 50 links with tags takes one more batch read, for all tags together.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const tags = await Promise.all(['A', 'B'].map((name) => store.createTag(workspaceId, { name, color: '#123456' })));
    await newLinks(workspace, 51, { tagIds: tags.map(({ id }) => id) });
    await list(workspaceId, {}, 1);
    for (const filter of [{}, { tagId: tags[0]?.id }]) {
      expect(await callsOf(() => list(workspaceId, filter, 50))).toEqual(['Query', 'BatchGetItem', 'BatchGetItem']);
    }
  });

  test('A search without matches takes one query and ten batch reads per 1,000 links, and says where to go on.', async () => {
    const workspace = await store.newWorkspace();
    const entries = Array.from({ length: 1_100 }, (_, index) => ({ index, url: `https://example.org/${index}` }));
    await store.createLinks(workspace.domain, entries, new Map(), store.newLease());
    const search = (before?: string) => store.listLinks(workspace.workspaceId, { q: 'nothing' }, { limit: 100, before });
    const calls = await callsOf(async () => expect(await search()).toMatchObject({ links: [], next: expect.any(String) }));
    expect(calls).toEqual(['Query', ...Array.from({ length: 10 }, () => 'BatchGetItem')]);
    expect(await search((await search()).next)).toEqual({ links: [], next: undefined });
  });
});
