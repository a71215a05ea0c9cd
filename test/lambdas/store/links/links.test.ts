import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import type { LinkChanges } from '../../../../lambdas/store/links/changes.ts';
import { countKey } from '../../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const newTags = (workspaceId: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) => store.createTag(workspaceId, { name: `Tag ${index}`, color: '#000000' })),
  );

const update = async (workspaceId: string, id: string, changes: LinkChanges) => {
  const found = await store.getLink(workspaceId, id);
  if (!found) throw new Error('the link is gone');
  const updated = await store.updateLink(found, changes);
  const [view] = await store.detailsOf([updated], async () => new Set<string>());
  return { ...updated, tags: view?.tags ?? [] };
};

describe('An update of a link', () => {
  const settings = {
    url: fc.webUrl(),
    title: fc.option(fc.string()),
    description: fc.option(fc.string()),
    notes: fc.option(fc.string()),
    image: fc.option(fc.webUrl()),
    redirectType: fc.constantFrom('PERMANENT_301', 'TEMPORARY_302'),
    isActive: fc.boolean(),
    cloaked: fc.boolean(),
    forwardParameters: fc.boolean(),
    forwardPath: fc.boolean(),
    hideReferrer: fc.boolean(),
    isArchived: fc.boolean(),
    blockBots: fc.boolean(),
    startsAt: fc.option(fc.constantFrom('2028-01-01T00:00:00.000Z', '2029-01-01T00:00:00.000Z')),
    expiredUrl: fc.option(fc.webUrl()),
    confirmVisit: fc.boolean(),
    rules: fc.constantFrom(
      [],
      [{ if: { country: ['DE'] }, url: 'https://example.org/de' }],
      [
        { if: { os: ['ios'], query: { a: '1', b: '' } }, url: 'https://example.org/ios' },
        { if: { after: '2030-01-01T00:00:00.000Z', language: ['de', 'fr-ca'] }, url: 'https://example.org/later' },
      ],
    ),
    variants: fc.constantFrom(
      [],
      [
        { id: 'a', url: 'https://example.org/a', weight: 1 },
        { id: 'b', url: 'https://example.org/b', weight: 0 },
      ],
    ),
    expiresAt: fc.option(fc.constantFrom('2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z')),
    maxClicks: fc.option(fc.integer({ min: 1, max: 100 })),
    metaPixelId: fc.option(fc.constantFrom('1', '22')),
    googleTagId: fc.option(fc.constantFrom('G-A', 'G-B')),
    webhookUrls: fc.option(fc.constantFrom('https://example.com/a', 'https://example.com/b')),
    passwordHash: fc.option(fc.constantFrom('$argon2id$a', '$argon2id$b')),
  };

  test('Whatever updates came before, an update changes exactly the fields that it names.', async () => {
    const workspace = await store.newWorkspace();
    const tags = await newTags(workspace.workspaceId, 4);
    const tagIds = fc.subarray(tags.map(({ id }) => id)).chain((ids) => fc.shuffledSubarray(ids, { minLength: ids.length }));
    const changes = fc.record({ ...settings, tagIds }, { requiredKeys: [] }) as fc.Arbitrary<LinkChanges>;
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 4 }), async (list) => {
        const [found] = await store.newLinks(workspace, 1);
        let model = found?.link as Link;
        for (const one of list) {
          const { link, tags: shown } = await update(workspace.workspaceId, model.id, one);
          const isNewCap = typeof one.maxClicks === 'number' && model.maxClicks === null;
          const capGeneration = model.capGeneration + (isNewCap ? 1 : 0);
          const revision = model.revision + Math.min(1, Object.keys(one).length);
          model = { ...model, ...one, capGeneration, revision, updatedAt: link.updatedAt };
          expect(link).toEqual(model);
          expect((await store.getLink(workspace.workspaceId, model.id))?.link).toEqual(model);
          expect(shown.map(({ id }) => id)).toEqual(model.tagIds);
        }
      }),
      { numRuns: runs(3) },
    );
  });

  test('An empty update makes no store call, and returns the link as it was.', async () => {
    const [found] = await store.newLinks(await store.newWorkspace(), 1);
    if (!found) throw new Error('no link');
    const { result, commands } = await underFaults(
      () => undefined,
      () => store.updateLink(found, {}),
    );
    expect([result, commands]).toEqual([found, []]);
  });

  test('A new cap starts at the used visits of former caps or at the clicks so far, whichever is larger, and changing a cap keeps its used visits.', async () => {
    const workspace = await store.newWorkspace();
    const [{ link } = { link: undefined }] = await store.newLinks(workspace, 1);
    const id = link?.id ?? '';
    const setClicks = (count: number) =>
      store.updateItem(countKey(id), { text: 'SET #count = :count', values: { ':count': count } });

    await setClicks(7);
    const usedWith = async (changes: LinkChanges) => {
      await update(workspace.workspaceId, id, changes);
      return store.usedOf({ id });
    };
    expect(await usedWith({ maxClicks: 10 })).toBe(7);
    await setClicks(9);
    expect(await usedWith({ maxClicks: 5 })).toBe(7);
    await setClicks(3);
    for (const maxClicks of [null, 1]) expect(await usedWith({ maxClicks })).toBe(7);
    await setClicks(9);
    expect(await usedWith({ maxClicks: null })).toBe(7);
    expect(await usedWith({ maxClicks: 1 })).toBe(9);
  });

  test.for(['', 'lnk_', 'x', `lnk_${'0'.repeat(28)}`, `lnk_${'0'.repeat(29)}`, '__proto__', `lnk_${'é'.repeat(28)}`])(
    'No link has the id %j.',
    async (id) => {
      const { workspaceId } = await store.newWorkspace();
      expect(await store.getLink(workspaceId, id)).toBeUndefined();
    },
  );

  test("An update never finds another workspace's link, nor the successor at a deleted link's slug.", async () => {
    const [own, other] = [await store.newWorkspace(), await store.newWorkspace()];
    const [found] = await store.newLinks(own, 1);
    if (!found) throw new Error('no link');
    const { id } = found.link;
    expect(await store.getLink(other.workspaceId, id)).toBeUndefined();

    const successor = `${id.slice(0, -6)}succes`;
    await store.putItem(store.linkItem({ ...found.link, id: successor, title: 'Successor' }));
    expect(await store.getLink(own.workspaceId, id)).toBeUndefined();
    await expect(store.updateLink(found, { title: 'Old' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.updateLink(found, { tagIds: [] })).rejects.toMatchObject({ code: 'not_found' });
    expect((await store.getLink(own.workspaceId, successor))?.link.title).toBe('Successor');
  });

  test('An update does not bring a deleted link back.', async () => {
    const workspace = await store.newWorkspace();
    const [tag] = await newTags(workspace.workspaceId, 1);
    const [found] = await store.newLinks(workspace, 1);
    if (!found || !tag) throw new Error('nothing made');
    const key = { pk: `LINK#${found.link.id.slice(4, 26)}`, sk: 'LINK' };
    await store.deleteItem(key);
    await expect(store.updateLink(found, { title: 'Back' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.updateLink(found, { tagIds: [tag.id] })).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.getItem(key)).toBeUndefined();
    expect(await store.countsOf(workspace.workspaceId, [tag.id], [])).toEqual([{ count: 0, pairs: 0, links: 0 }]);
  });
});

describe('The tags of a link', () => {
  test("An unknown tag, or another workspace's, is refused with its position in the list, and nothing changes.", async () => {
    const [own, other] = [await store.newWorkspace(), await store.newWorkspace()];
    const [mine] = await newTags(own.workspaceId, 1);
    const [theirs] = await newTags(other.workspaceId, 1);
    const [found] = await store.newLinks(own, 1);
    if (!found || !mine || !theirs) throw new Error('nothing made');
    const tagIds = [mine.id, theirs.id, 'tag_unknown'];
    await expect(store.updateLink(found, { title: 'New', tagIds })).rejects.toMatchObject({
      code: 'tag_not_found',
      fieldErrors: [{ path: '/tagIds/1' }, { path: '/tagIds/2' }],
    });
    expect((await store.getLink(own.workspaceId, found.link.id))?.link).toEqual(found.link);
    expect(await store.countsOf(own.workspaceId, [mine.id], [found.link.id])).toEqual([{ count: 0, pairs: 0, links: 0 }]);
  });

  test("A tag's count is exact when 64 links gain it at once and lose it at once.", async () => {
    const workspace = await store.newWorkspace();
    const [tag] = await newTags(workspace.workspaceId, 1);
    const found = await store.newLinks(workspace, 64);
    const ids = found.map(({ link }) => link.id);
    const tagId = tag?.id ?? '';
    await Promise.all(found.map((one) => store.updateLink(one, { tagIds: [tagId] })));
    expect(await store.countsOf(workspace.workspaceId, [tagId], ids)).toEqual([{ count: 64, pairs: 64, links: 64 }]);
    await Promise.all(ids.map((id) => update(workspace.workspaceId, id, { tagIds: [] })));
    expect(await store.countsOf(workspace.workspaceId, [tagId], ids)).toEqual([{ count: 0, pairs: 0, links: 0 }]);
  });

  test('If several tag lists are set at once, the link has exactly one of them, and the counts agree.', async () => {
    const workspace = await store.newWorkspace();
    const tags = (await newTags(workspace.workspaceId, 6)).map(({ id }) => id);
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    const lists = tags.map((_, index) => [...tags.slice(index), ...tags.slice(0, index)].slice(0, 3));
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        lists.map((tagIds, position) => update(workspace.workspaceId, found.link.id, { tagIds, title: `${position}` })),
      );
      const link = (await store.getLink(workspace.workspaceId, found.link.id))?.link;
      // The title shows which update set the list, because no update is applied partly.
      expect(link?.tagIds).toEqual(lists[Number(link?.title)]);
      for (const { count, pairs, links } of await store.countsOf(workspace.workspaceId, tags, [found.link.id])) {
        expect([pairs, links]).toEqual([count, count]);
      }
    }
  });

  test('An update of other fields shows the tags from before or after a simultaneous change, never a mix.', async () => {
    const workspace = await store.newWorkspace();
    const tags = (await newTags(workspace.workspaceId, 4)).map(({ id }) => id);
    const lists = [tags.slice(0, 2), tags.slice(2)];
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    await update(workspace.workspaceId, found.link.id, { tagIds: lists[0] ?? [] });
    for (let round = 1; round <= 20; round++) {
      const retag = update(workspace.workspaceId, found.link.id, { tagIds: lists[round % 2] ?? [] });
      const shown = await Promise.all(
        Array.from({ length: 5 }, (_, position) => update(workspace.workspaceId, found.link.id, { title: `${position}` })),
      );
      await retag;
      for (const one of shown) expect(lists).toContainEqual(one.tags.map(({ id }) => id));
    }
  });

  test('A deleted tag is no longer shown, and cannot be set again.', async () => {
    const workspace = await store.newWorkspace();
    const [gone, kept] = (await newTags(workspace.workspaceId, 2)).map(({ id }) => id) as [string, string];
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    const { id } = found.link;
    await store.updateLink(found, { tagIds: [gone, kept] });
    await store.deleteTag(workspace.workspaceId, gone);
    expect((await update(workspace.workspaceId, id, {})).tags.map((tag) => tag.id)).toEqual([kept]);
    // The list can still be replaced, but not with the deleted tag.
    await expect(update(workspace.workspaceId, id, { tagIds: [gone, kept] })).rejects.toMatchObject({ code: 'tag_not_found' });
    await update(workspace.workspaceId, id, { tagIds: [kept] });
    expect(await store.countsOf(workspace.workspaceId, [kept], [id])).toEqual([{ count: 1, pairs: 1, links: 1 }]);
    expect(await store.countsOf(workspace.workspaceId, [gone], [id])).toEqual([{ count: undefined, pairs: 0, links: 0 }]);
  });
});
