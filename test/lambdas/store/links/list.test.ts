import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LinkSettings } from '../../../../lambdas/core/link/link.ts';
import { linkStates } from '../../../../lambdas/core/link/state.ts';
import type { LinkFilter } from '../../../../lambdas/store/links/list.ts';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const active = { is: 'active', blocked: new Set<string>() } as const;

type Workspace = Awaited<ReturnType<Store['newWorkspace']>>;
let made = 0;

/** A link with a given creation time, so that the order is known. */
async function newLink({ domain }: Workspace, settings: Partial<LinkSettings> & { customSlug?: string } = {}) {
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
async function walk(
  workspaceId: string,
  filter: LinkFilter,
  limit: number,
  between: () => Promise<unknown> = async () => {},
  order: 'asc' | 'desc' = 'desc',
) {
  const ids: string[] = [];
  let pages = 0;
  for (let after: string | undefined; ; pages++) {
    const { links, next } = await store.listLinks(workspaceId, filter, { limit, order, after });
    expect(links.length).toBeLessThanOrEqual(limit);
    expect(pages, 'a list ends').toBeLessThan(200);
    ids.push(...links.map(({ link }) => link.id));
    if (next === undefined) return { ids, pages: pages + 1 };
    after = next;
    await between();
  }
}

const newTags = async (workspaceId: string, count: number) => {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    ids.push((await store.createTag(workspaceId, { name: `Tag ${index}`, color: '#123456' })).id);
  }
  return ids;
};

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

  test('A list shows links of the same millisecond once each.', async () => {
    const workspace = await store.newWorkspace();
    const found = await store.newLinks(workspace, 40);
    const { ids } = await walk(workspace.workspaceId, {}, 7);
    expect(ids.toSorted()).toEqual(found.map(({ link }) => link.id).sort());
    expect(ids).toEqual(ids.toSorted().reverse());
  });

  test('Whatever is created, changed and deleted between the pages, a list shows each link that matches throughout exactly once, in order.', async () => {
    const kinds = [
      'all',
      'tag',
      'domain',
      'text',
      'any tag',
      'all tags',
      'active',
      'range',
      'everything',
      'archived',
      'live tag',
      'archive and all',
    ] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('stays', 'goes', 'changes', 'differs'), { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(...kinds),
        fc.constantFrom('asc', 'desc'),
        fc.infiniteStream(fc.record({ creates: fc.nat(2), changes: fc.nat(2), at: fc.nat() })),
        async (fates, limit, kind, order, changes) => {
          const workspace = await store.newWorkspace();
          const { workspaceId, domain } = workspace;
          const [a = '', b = ''] = await newTags(workspaceId, 2);
          // Each change removes a link from all lists except those without a filter, or with only a filter of the archive.
          const isArchived = kind === 'archived';
          const settings = { tagIds: [a, b], title: 'Found', isArchived };
          const differing = ['archived', 'live tag', 'archive and all'].includes(kind)
            ? { isArchived: !isArchived }
            : { tagIds: [], title: 'Lost', isActive: false };
          await newLink(workspace, settings);
          const ids: string[] = [];
          for (const [position, fate] of fates.entries()) {
            // Some have only the first of the tags, which suffices for lists by any tag.
            const tagIds = kind === 'any tag' && position % 2 === 0 ? [a] : settings.tagIds;
            ids.push(await newLink(workspace, fate === 'differs' ? { ...settings, ...differing } : { ...settings, tagIds }));
          }
          const end = await newLink(workspace, settings);
          const createdAtOf = async (id = '') => (await store.findLink(workspaceId, id))?.createdAt;
          const range = { createdAfter: await createdAtOf(ids[0]), createdBefore: await createdAtOf(end) };
          await remove(workspaceId, end);
          const filters: Record<typeof kind, LinkFilter> = {
            all: {},
            tag: { tagIds: [a] },
            domain: { domain: domain.host },
            text: { q: 'foun' },
            'any tag': { tagIds: [b, a], match: 'any' },
            'all tags': { tagIds: [b, a], match: 'all' },
            active: { state: active },
            range,
            archived: { archived: 'true' },
            'live tag': { tagIds: [a] },
            'archive and all': { archived: 'any' },
            everything: { ...range, tagIds: [a, b], match: 'all', state: active, q: 'foun', domain: domain.host },
          };
          const passing = ids.filter((_, position) => fates[position] === 'goes' || fates[position] === 'changes');
          const came: string[] = [];
          const between = async () => {
            const [change] = changes.take(1);
            if (!change) return;
            // No more than 40: a list in ascending order ends only if links are created more slowly than it shows them.
            if (came.length < 40) came.push(...(await newLinks(workspace, change.creates, settings)));
            for (let times = 0; times < change.changes; times++) {
              const [id] = passing.splice(change.at % Math.max(1, passing.length), 1);
              if (id === undefined) continue;
              const found = await store.getLink(workspaceId, id);
              if (fates[ids.indexOf(id)] === 'goes') await remove(workspaceId, id);
              else if (found) await store.updateLink(found, differing);
            }
          };
          const { ids: shown } = await walk(workspaceId, filters[kind], limit, between, order);
          expect(new Set(shown).size).toBe(shown.length);
          const differ = ids.filter((_, position) => fates[position] === 'differs');
          const isWhole = ['all', 'domain', 'range', 'archive and all'].includes(kind);
          const throughout = isWhole
            ? ids.filter((_, position) => fates[position] !== 'goes')
            : ids.filter((_, position) => fates[position] === 'stays');
          const inOrder = order === 'asc' ? throughout : throughout.toReversed();
          expect(shown.filter((id) => throughout.includes(id))).toEqual(inOrder);
          if (!isWhole) expect(shown.filter((id) => differ.includes(id))).toEqual([]);
          // Links that were created after the first page are newer than its start, or than the range.
          if (order === 'desc' || kind === 'range' || kind === 'everything') {
            expect(shown.filter((id) => came.includes(id))).toEqual([]);
          }
        },
      ),
      { numRuns: runs(8) },
    );
  });

  test('A range of creation times includes its start but not its end, in both orders, for a workspace and for tags.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const [tagId = ''] = await newTags(workspaceId, 1);
    const ids = await newLinks(workspace, 4, { tagIds: [tagId] });
    const [, from, , to] = (await store.findLinks(workspaceId, ids)).map(({ createdAt }) => createdAt);
    for (const tagIds of [undefined, [tagId]]) {
      const filter = { tagIds, createdAfter: from, createdBefore: to };
      expect((await walk(workspaceId, filter, 1)).ids).toEqual([ids[2], ids[1]]);
      expect((await walk(workspaceId, filter, 1, undefined, 'asc')).ids).toEqual([ids[1], ids[2]]);
      expect((await walk(workspaceId, { tagIds, createdBefore: '2000-01-01T00:00:00.000Z' }, 1)).ids).toEqual([]);
    }
  });

  test('Links of the same millisecond are listed once each in both orders, with each filter.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId, domain } = workspace;
    const found = await store.newLinks(workspace, 12);
    const ids = found.map(({ link }) => link.id).sort();
    for (const filter of [{}, { domain: domain.host }, { q: 'example' }]) {
      expect((await walk(workspaceId, filter, 5, undefined, 'asc')).ids).toEqual(ids);
      expect((await walk(workspaceId, filter, 5)).ids).toEqual(ids.toReversed());
    }
  });

  test('Each link is in exactly one state, active or the first other one that fits, and a list by state shows it.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId, domain } = workspace;
    const host = `pending.${domain.host}`;
    await store.addDomain(workspaceId, host, 'PENDING_DNS');
    const pending = await store.getDomain(host);
    if (!pending) throw new Error('no domain');
    const [past, future] = ['2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'];
    const capped = async (on: Workspace, settings = {}) => {
      const id = await newLink(on, { maxClicks: 1, ...settings });
      const found = await store.getLink(workspaceId, id);
      if (!found || !(await store.claimVisit(found.link)).isClaimed) throw new Error('no claim');
      return id;
    };
    const unserved = { ...workspace, domain: pending };
    const evil = 'https://www.evil.example/';
    const disabled = async (made: Promise<string>) => {
      const link = await store.findLink(workspaceId, await made);
      if (!link || !(await store.setDisabled(link, true))) throw new Error('no link');
      return link.id;
    };
    const links = {
      active: [
        await newLink(workspace),
        await newLink(workspace, { startsAt: past, expiresAt: future, maxClicks: 1 }),
        await newLink(workspace, { maxClicks: 2 }),
      ],
      disabled: [await disabled(newLink(workspace)), await disabled(capped(unserved, { isActive: false, url: evil }))],
      blocked: [await newLink(workspace, { url: evil }), await newLink(workspace, { url: evil, isActive: false })],
      inactive: [await newLink(workspace, { isActive: false }), await capped(unserved, { isActive: false, expiresAt: past })],
      scheduled: [await newLink(workspace, { startsAt: future })],
      expired: [await newLink(workspace, { expiresAt: past }), await capped(unserved, { expiresAt: past })],
      used_up: [await capped(workspace), await capped(unserved)],
      pending: [await newLink(unserved), await newLink(unserved, { maxClicks: 1 })],
    };
    const blocked = new Set(['evil.example']);
    for (const is of linkStates) {
      expect([is, (await walk(workspaceId, { state: { is, blocked } }, 2)).ids]).toEqual([is, links[is].toReversed()]);
      const { links: listed } = await store.listLinks(workspaceId, { state: { is, blocked } }, { limit: 100 });
      const found = await store.getLinks(workspaceId, links[is]);
      const alone = found.filter((link) => link !== undefined);
      for (const details of await store.detailsOf([...listed, ...alone], async () => blocked)) {
        expect([details.state, details.pending]).toEqual([is, details.link.domain === host]);
      }
    }
  });

  test('A list of links that expire before a time has no later ones and none without an expiry, whatever its other filters.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const at = async (expiresAt: string | null) => (await newLink(workspace, { expiresAt })) ?? '';
    const early = await at('2030-05-01T11:59:59.999Z');
    await at('2030-05-01T12:00:00.000Z');
    await at(null);
    const gone = await at('2020-01-01T00:00:00.000Z');
    const expiresBefore = '2030-05-01T12:00:00.000Z';
    expect((await walk(workspaceId, { expiresBefore }, 1)).ids).toEqual([gone, early]);
    expect((await walk(workspaceId, { expiresBefore, domain: workspace.domain.host }, 1)).ids).toEqual([gone, early]);
    expect((await walk(workspaceId, { expiresBefore, state: active }, 1)).ids).toEqual([early]);
  });

  test('A list by state does not return a link that leaves the state while the page is read.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const ids = await newLinks(workspace, 2);
    const [changed] = await store.getLinks(workspaceId, ids);
    const change = async () => changed && store.updateLink(changed, { isActive: false });
    const list = () => store.listLinks(workspaceId, { state: active }, { limit: 10 });
    const { links } = await overtaken(change, list, { command: 'BatchGetItem', number: 2 });
    expect(links.map(({ link }) => link.id)).toEqual(ids.slice(1));
  });

  test('A list of links without a click since a time has those whose last counted click is earlier, and those without clicks.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const [never = '', before = '', then = '', later = '', both = '', erased = ''] = await newLinks(workspace, 6);
    const at = async (id: string, ...times: string[]) => {
      const link = await store.findLink(workspaceId, id);
      if (link) await countClicks(times.map((time) => clickOf(link, time)));
    };
    await at(before, '2030-05-01T11:59:59Z');
    await at(then, '2030-05-01T12:00:00Z');
    await at(later, '2030-05-02T12:00:00Z');
    await at(both, '2030-05-02T12:00:00Z', '2030-04-01T12:00:00Z');
    await at(erased, '2030-05-02T12:00:00Z');
    await callEndpoint('delete-clicks', { workspaceId, id: erased });
    const quiet = [erased, before, never];
    for (const filter of [{}, { domain: workspace.domain.host }, { state: active }])
      expect((await walk(workspaceId, { ...filter, notClickedSince: '2030-05-01T12:00:00.000Z' }, 2)).ids).toEqual(quiet);
    const since = new Date('2030-05-03T00:00Z').toISOString();
    expect((await walk(workspaceId, { notClickedSince: since }, 2)).ids).toEqual([erased, both, later, then, before, never]);
  });

  test('A list shows the new link at the slug of a deleted link, and not the deleted one.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const old = await newLink(workspace, { customSlug: 'again' });
    await remove(workspaceId, old);
    const id = await newLink(workspace, { customSlug: 'again' });
    expect((await walk(workspaceId, {}, 5)).ids).toEqual([id]);
  });

  test('However many links are archived, each page of the others is full, and costs the same as without them.', async () => {
    const [some, none] = [await store.newWorkspace(), await store.newWorkspace()];
    const costOf = async ({ workspaceId }: Workspace) => {
      const commands: string[] = [];
      const stop = intercept((command, input, next) => {
        commands.push(`${command} ${JSON.stringify(input).length}`);
        return next(input);
      });
      const { links } = await store.listLinks(workspaceId, {}, { limit: 3 });
      stop();
      expect(links).toHaveLength(3);
      return commands;
    };
    for (let round = 0; round < 4; round++) {
      await newLink(none);
      await newLink(some);
      await newLinks(some, 6, { isArchived: true });
    }
    expect(await costOf(some)).toEqual(await costOf(none));
    expect((await walk(some.workspaceId, { archived: 'true' }, 10)).pages).toBe(3);
    expect((await walk(some.workspaceId, { archived: 'any' }, 10)).ids).toHaveLength(28);
  });

  test.for(['any', 'all'] as const)(
    'Pages by %s of the tags are full, in both orders, inside and outside of the archive.',
    async (match) => {
      const workspace = await store.newWorkspace();
      const { workspaceId } = workspace;
      const tagIds = await newTags(workspaceId, 2);
      const kept: string[] = [];
      const archived: string[] = [];
      for (let round = 0; round < 4; round++) {
        kept.push(await newLink(workspace, { tagIds }));
        archived.push(...(await newLinks(workspace, 6, { tagIds, isArchived: true })));
      }
      for (const order of ['asc', 'desc'] as const) {
        const inOrder = (ids: readonly string[]) => (order === 'asc' ? ids : ids.toReversed());
        const pages = (filter: LinkFilter) => walk(workspaceId, { ...filter, tagIds, match }, 3, undefined, order);
        expect(await pages({})).toEqual({ ids: inOrder(kept), pages: 2 });
        expect((await pages({ archived: 'true' })).ids).toEqual(inOrder(archived));
        expect((await pages({ archived: 'any' })).ids).toHaveLength(28);
      }
    },
  );

  test('Archiving a link and bringing it back moves it between the lists, and changes neither its place nor the count of its tag.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const [tagId = ''] = await newTags(workspaceId, 1);
    const ids = (await newLinks(workspace, 3, { tagIds: [tagId] })).reverse();
    const [, moved = ''] = ids;
    const archive = async (isArchived: boolean) => {
      const found = await store.getLink(workspaceId, moved);
      if (found) await store.updateLink(found, { isArchived });
      expect((await store.getTag(workspaceId, tagId))?.linkCount).toBe(3);
    };
    const lists = () =>
      Promise.all(
        [{}, { q: 'example' }, { archived: 'true' } as const].map(async (one) => (await walk(workspaceId, one, 2)).ids),
      );
    const without = ids.filter((id) => id !== moved);
    await archive(true);
    await archive(true);
    expect(await lists()).toEqual([without, without, [moved]]);
    await archive(false);
    expect(await lists()).toEqual([ids, ids, []]);
  });

  test('A list by tag has exactly the links with the tag.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const { id: tagId } = await store.createTag(workspaceId, { name: 'Some', color: '#123456' });
    const tagged = await newLinks(workspace, 5, { tagIds: [tagId] });
    await newLinks(workspace, 5);
    const [gone = '', off = '', ...kept] = tagged;
    await remove(workspaceId, gone);
    const found = await store.getLink(workspaceId, off);
    if (found) await store.updateLink(found, { tagIds: [] });
    expect((await walk(workspaceId, { tagIds: [tagId] }, 2)).ids).toEqual(kept.reverse());
  });

  test('A list by tag does not return a link that loses the tag, or is deleted, while the page is read.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const { id: tagId } = await store.createTag(workspaceId, { name: 'Some', color: '#123456' });
    const ids = await newLinks(workspace, 3, { tagIds: [tagId] });
    const [retagged, deleted] = await store.getLinks(workspaceId, ids);
    const change = async () => {
      if (retagged) await store.updateLink(retagged, { tagIds: [] });
      if (deleted) await store.deleteLink(deleted);
    };
    const list = () => store.listLinks(workspaceId, { tagIds: [tagId] }, { limit: 10 });
    const { links } = await overtaken(change, list, { command: 'BatchGetItem' });
    expect(links.map(({ link }) => link.id)).toEqual(ids.slice(2));
  });

  test('A search does not return a link that loses the text, or is deleted, while the page is read.', async () => {
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

  test('A search reads links with eventual consistency, and matching ones again with strong consistency.', async () => {
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

  test('A search finds a text in a slug, an alias, the URL, the title and the notes, and nowhere else.', async () => {
    const workspace = await store.newWorkspace();
    const elsewhere = { description: 'Needle', image: 'https://example.org/needle', externalId: 'needle' };
    await newLink(workspace, elsewhere);
    const ids = [
      await newLink(workspace, { customSlug: 'x-Needle-1' }),
      await newLink(workspace, { url: 'https://example.org/needle' }),
      await newLink(workspace, { title: 'A NEEDLE' }),
      await newLink(workspace, { notes: 'In the hay: a needle' }),
    ];
    const renamed = await newLink(workspace, { customSlug: 'needle-2' });
    const found = await store.getLink(workspace.workspaceId, renamed);
    if (found) await store.updateLink(found, { customSlug: 'pin' });
    const { ids: listed } = await walk(workspace.workspaceId, { q: 'nEEdle' }, 2);
    expect(listed).toEqual([...ids, renamed].reverse());
  });

  test('A list by domain has its links, and none of a domain whose name only ends the same.', async () => {
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

describe('The calls of a list', () => {
  const callsOf = async (work: () => Promise<unknown>) => (await underFaults(() => undefined, work)).commands;
  const list = async (workspaceId: string, filter: LinkFilter, limit: number) => {
    const { links } = await store.listLinks(workspaceId, filter, { limit });
    return store.detailsOf(links, async () => new Set<string>());
  };

  test('A page of 50 links takes one query of the index and one batch read.', async () => {
    const workspace = await store.newWorkspace();
    await store.newLinks(workspace, 60);
    await list(workspace.workspaceId, {}, 1);
    expect(await callsOf(() => list(workspace.workspaceId, {}, 50))).toEqual(['Query', 'BatchGetItem']);
  });

  test('A page of 50 links with caps takes one more batch read, which also brings new domains and tags; within 5 seconds, none.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const [tagId = ''] = await newTags(workspaceId, 1);
    await newLinks(workspace, 49, { maxClicks: 5 });
    await newLinks(workspace, 2, { maxClicks: 5, tagIds: [tagId] });
    const page = async () => {
      const { links } = await store.listLinks(workspaceId, {}, { limit: 50 });
      return store.detailsOf(links, async () => new Set<string>(), 'lately');
    };
    expect(await callsOf(page)).toEqual(['Query', 'BatchGetItem', 'BatchGetItem']);
    expect(await callsOf(page)).toEqual(['Query', 'BatchGetItem']);
  });

  test('A page of 50 links with tags takes one more batch read, for all tags together.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const tags = await Promise.all(['A', 'B'].map((name) => store.createTag(workspaceId, { name, color: '#123456' })));
    await newLinks(workspace, 51, { tagIds: tags.map(({ id }) => id) });
    await list(workspaceId, {}, 1);
    for (const filter of [{}, { tagIds: tags.slice(0, 1).map(({ id }) => id) }]) {
      expect(await callsOf(() => list(workspaceId, filter, 50))).toEqual(['Query', 'BatchGetItem', 'BatchGetItem']);
    }
  });

  test('A list by any of several tags takes a query for each, and reads only the links that it shows.', async () => {
    const workspace = await store.newWorkspace();
    const [a = '', b = '', c = ''] = await newTags(workspace.workspaceId, 3);
    await newLinks(workspace, 5, { tagIds: [a, b] });
    await newLinks(workspace, 5, { tagIds: [b, c] });
    const calls = await callsOf(() => store.listLinks(workspace.workspaceId, { tagIds: [a, b, c], match: 'any' }, { limit: 5 }));
    expect(calls).toEqual(['Query', 'Query', 'Query', 'BatchGetItem']);
  });

  test('A list by all of several tags reads only the links of the first.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const [rare = '', common = ''] = await newTags(workspaceId, 2);
    const [both = ''] = await newLinks(workspace, 1, { tagIds: [common, rare] });
    await newLinks(workspace, 1, { tagIds: [rare] });
    await newLinks(workspace, 10, { tagIds: [common] });
    const read: string[] = [];
    const stop = intercept((_, input, next) => {
      const { RequestItems = {} } = input as { RequestItems?: Record<string, { Keys: { pk: string }[] }> };
      read.push(...Object.values(RequestItems).flatMap(({ Keys }) => Keys.map(({ pk }) => pk)));
      return next(input);
    });
    const { links } = await store.listLinks(workspaceId, { tagIds: [rare, common], match: 'all' }, { limit: 10 });
    stop();
    expect(links.map(({ link }) => link.id)).toEqual([both]);
    // The two links of the rare tag, then the matching one with its count.
    expect(read.filter((pk) => pk.startsWith('LINK#'))).toHaveLength(3);
  });

  test('A search without matches takes one query and ten batch reads per 1,000 links, and returns a cursor.', async () => {
    const workspace = await store.newWorkspace();
    const entries = Array.from({ length: 1_100 }, (_, index) => ({ index, url: `https://example.org/${index}` }));
    await store.createLinks(workspace.domain, entries, new Map(), store.newLease());
    const search = (after?: string) => store.listLinks(workspace.workspaceId, { q: 'nothing' }, { limit: 100, after });
    const calls = await callsOf(async () => expect(await search()).toMatchObject({ links: [], next: expect.any(String) }));
    expect(calls).toEqual(['Query', ...Array.from({ length: 10 }, () => 'BatchGetItem')]);
    expect(await search((await search()).next)).toEqual({ links: [], next: undefined });
  });
});
