import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { EntryResults, ImportEntry } from '../../../../lambdas/core/link/import.ts';
import { makeSlug } from '../../../../lambdas/core/link/made-slug.ts';
import { getLinkByExternalId } from '../../../../lambdas/store/links/external-ids.ts';
import { type Fault, underFaults } from '../../../support/faults/faults.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const entriesOf = (count: number, more: (index: number) => Partial<ImportEntry> = () => ({})): ImportEntry[] =>
  Array.from({ length: count }, (_, index) => ({ index, url: `https://example.org/${index}`, ...more(index) }));

/** The created links of a workspace, from the index. */
const linksOf = async (workspaceId: string) => {
  const keys = await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspaceId}#LINKS` }));
  return (await store.getItems(keys as never)).filter((item) => item !== undefined).map((item) => store.toLink(item));
};

const none: Parameters<Store['createLinks']>[2] = new Map();

const createdIds = (outcomes: EntryResults) => Object.values(outcomes).flatMap((outcome) => ('id' in outcome ? outcome.id : []));

test('An import creates each link as it was sent, with defaults for the rest.', async () => {
  const workspace = await store.newWorkspace();
  const lease = store.newLease();
  const entries: ImportEntry[] = [
    { index: 0, url: 'https://example.org/a' },
    { index: 1, url: 'https://example.org/b', customSlug: 'My-Slug', title: 'B', redirectType: 'PERMANENT_301' },
  ];
  const outcomes = await store.createLinks(workspace.domain, entries, none, lease);
  expect(outcomes).toEqual({
    0: { id: expect.stringMatching(/^lnk_[0-9A-Za-z]{28}$/), shortCode: expect.stringMatching(/^[2-9a-hj-km-np-z]{7}$/) },
    1: { id: expect.stringMatching(/^lnk_[0-9A-Za-z]{28}$/), shortCode: 'My-Slug' },
  });
  const found = await Promise.all(createdIds(outcomes).map((id) => store.getLink(workspace.workspaceId, id)));
  expect(found[1]).toMatchObject({
    clickCount: 0,
    link: {
      shortCode: 'My-Slug',
      url: 'https://example.org/b',
      title: 'B',
      redirectType: 'PERMANENT_301',
      createdAt: lease.createdAt,
      domain: workspace.domain.host,
    },
  });
  expect(found[0]?.link).toMatchObject({
    title: null,
    redirectType: 'TEMPORARY_302',
    isActive: true,
    tagIds: [],
    maxClicks: null,
  });
});

test('Of the imports that want a custom slug at once, in any case, exactly one gets it.', async () => {
  const workspace = await store.newWorkspace();
  const slugs = ['launch', 'LAUNCH', 'Launch', 'lAUNCH'];
  const outcomes = await Promise.all(
    slugs.map((customSlug) =>
      store.createLinks(
        workspace.domain,
        entriesOf(1, () => ({ customSlug })),
        none,
        store.newLease(),
      ),
    ),
  );
  expect(outcomes.flatMap(createdIds)).toHaveLength(1);
  for (const [outcome] of outcomes.map((one) => Object.values(one))) {
    if (outcome && 'code' in outcome) expect(outcome.code).toBe('slug_taken');
  }
});

test('Generated slugs that are taken are generated again, and avoid the custom slugs of the same import.', async () => {
  const workspace = await store.newWorkspace();
  const lease = store.newLease();
  const first = await store.createLinks(workspace.domain, entriesOf(40), none, lease);
  // The same salt makes the same slugs, and another import must not take these links for its own.
  const second = await store.createLinks(workspace.domain, entriesOf(40), none, { ...lease, requestId: 'req_other' });
  expect(new Set([...createdIds(first), ...createdIds(second)]).size).toBe(80);
  expect(await linksOf(workspace.workspaceId)).toHaveLength(80);

  const fresh = await store.newWorkspace();
  const wanted = Object.values(first)[3];
  const customSlug = wanted && 'shortCode' in wanted ? wanted.shortCode : '';
  const third = await store.createLinks(
    fresh.domain,
    [...entriesOf(10), { index: 10, url: 'https://example.org/', customSlug }],
    none,
    lease,
  );
  expect(createdIds(third)).toHaveLength(11);
});

test('If two generated slugs of one import are equal by chance, one of them is generated again.', async () => {
  const workspace = await store.newWorkspace();
  // With this salt they are equal.
  const lease = { ...store.newLease(), salt: 'salt 130760' };
  const [one, two] = [323, 714];
  expect(makeSlug(lease.salt, one, 0)).toBe(makeSlug(lease.salt, two, 0));
  const entries = [one, two].map((index) => ({ index, url: `https://example.org/${index}` }));
  expect(createdIds(await store.createLinks(workspace.domain, entries, none, lease))).toHaveLength(2);
  expect(await linksOf(workspace.workspaceId)).toHaveLength(2);
});

test('An import that is taken over finds the written links, and has the same result.', async () => {
  const workspace = await store.newWorkspace();
  const lease = store.newLease();
  const entries = entriesOf(120, (index) => (index % 10 ? {} : { customSlug: `slug-${index}` }));
  const partly = await store.createLinks(
    workspace.domain,
    entries.filter(({ index }) => index % 3 === 0),
    none,
    lease,
  );
  const whole = await store.createLinks(workspace.domain, entries, none, { ...lease, resumed: true });
  expect(whole).toMatchObject(partly);
  expect(createdIds(whole)).toHaveLength(120);
  expect(await linksOf(workspace.workspaceId)).toHaveLength(120);
});

describe('An import under faults of the store', () => {
  const faults = fc.array(fc.option(fc.constantFrom<Fault>('throttle', 'lost-before', 'lost-after'), { freq: 2 }), {
    maxLength: 6,
  });

  test('Every link is created exactly once, whatever faults the first writes meet.', async () => {
    await fc.assert(
      fc.asyncProperty(faults, async (list) => {
        const workspace = await store.newWorkspace();
        let calls = 0;
        const entries = entriesOf(60, (index) => (index % 2 ? {} : { customSlug: `slug-${index}` }));
        const { result: outcomes } = await underFaults(
          ({ command }) => (command === 'BatchExecuteStatement' ? (list[calls++] ?? undefined) : undefined),
          () => store.createLinks(workspace.domain, entries, none, store.newLease()),
        );
        const links = await linksOf(workspace.workspaceId);
        expect(createdIds(outcomes).sort()).toEqual(links.map(({ id }) => id).sort());
        expect(createdIds(outcomes)).toHaveLength(60);
      }),
      { numRuns: runs(3) },
    );
  });

  test('An import that runs out of time reports exactly the missing links as failed.', async () => {
    const { withDeadline } = await import('../../../../lambdas/runtime/deadline.ts');
    const workspace = await store.newWorkspace();
    let calls = 0;
    const { result: outcomes } = await underFaults(
      ({ command }) => {
        if (command !== 'BatchExecuteStatement') return undefined;
        // The first call is done but its response is lost; all others are refused.
        return calls++ === 0 ? 'lost-after' : 'throttle';
      },
      () => withDeadline(5_000, () => store.createLinks(workspace.domain, entriesOf(50), none, store.newLease())),
    );
    expect(createdIds(outcomes).sort()).toEqual((await linksOf(workspace.workspaceId)).map(({ id }) => id).sort());
    expect(createdIds(outcomes)).toHaveLength(25);
    expect(
      Object.values(outcomes).filter((outcome) => 'code' in outcome && outcome.code === 'temporarily_unavailable'),
    ).toHaveLength(25);
  });
});

/** A workspace with tags as an import has read them, and a check of the links and counts afterwards. */
async function taggedWorkspace() {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const tags = await Promise.all(['A', 'B', 'C'].map((name) => store.createTag(workspaceId, { name, color: '#123456' })));
  const tagIds = tags.map(({ id }) => id);
  const known = {
    byId: new Map(tags.map((tag) => [tag.id, tag])),
    idOf: new Map(tags.map(({ name, id }) => [name.toLowerCase(), id])),
  };
  /** Every third entry is plain, the others have tags, a cap and an external id. */
  const mixed = (count: number, name = 'page') =>
    entriesOf(count, (index) =>
      index % 3 === 0 ? {} : { tagIds: [tagIds[index % 3] ?? ''], tagNames: ['a'], maxClicks: 5, externalId: `${name}:${index}` },
    );
  const check = async () => {
    const links = await linksOf(workspaceId);
    const counts = await store.countsOf(
      workspaceId,
      tagIds,
      links.map(({ id }) => id),
    );
    // A deleted tag has no count.
    for (const { count = 0, pairs, links: carrying } of counts) expect([count, pairs]).toEqual([carrying, carrying]);
    for (const link of links) {
      expect(await store.usedOf(link)).toBe(link.maxClicks === null ? undefined : 0);
      if (link.externalId !== null) expect((await getLinkByExternalId(workspaceId, link.externalId))?.link.id).toBe(link.id);
    }
    return links;
  };
  const create = (entries: readonly ImportEntry[], lease = store.newLease()) =>
    store.createLinks(workspace.domain, entries, none, lease, { tags: known });
  return { workspace, tagIds, known, mixed, check, create };
}

describe('An import of links with tags, caps and external ids', () => {
  test('Each link is created with its tags, cap and external id, and a retry finds the same links.', async () => {
    const { tagIds, mixed, check, create } = await taggedWorkspace();
    const lease = store.newLease();
    const outcomes = await create(mixed(60), lease);
    expect(createdIds(outcomes)).toHaveLength(60);
    expect(outcomes[1]).toMatchObject({ tagIds: [tagIds[1], tagIds[0]] });
    const links = await check();
    expect(links.filter(({ maxClicks, externalId }) => maxClicks === 5 && externalId !== null)).toHaveLength(40);
    expect(await create(mixed(60), { ...lease, resumed: true })).toEqual(outcomes);
    // Another function that works on the same request, and has not read anything yet.
    expect(createdIds(await create(mixed(60), lease)).sort()).toEqual(createdIds(outcomes).sort());
    expect(await check()).toHaveLength(60);
  });

  test('A slug or an external id that is taken, and a deleted tag, fail only their own entries.', async () => {
    const { workspace, tagIds, known, check, create } = await taggedWorkspace();
    const [a = '', , c = ''] = tagIds;
    const first = { index: 0, url: 'https://example.org/', customSlug: 'taken', externalId: 'page:taken' };
    const { 0: theirs } = await create([first]);
    await store.deleteTag(workspace.workspaceId, c);
    const entries: ImportEntry[] = [
      { index: 0, url: 'https://example.org/', customSlug: 'Taken', tagIds: [a] },
      { index: 1, url: 'https://example.org/', externalId: 'page:taken', tagIds: [a] },
      { index: 2, url: 'https://example.org/', tagIds: [a, c] },
      { index: 3, url: 'https://example.org/', tagNames: ['unknown'] },
      { index: 4, url: 'https://example.org/', externalId: 'page:new', tagIds: [a] },
      { index: 5, url: 'https://example.org/', externalId: 'page:new' },
    ];
    expect(await create(entries)).toMatchObject({
      0: { code: 'slug_taken' },
      1: { code: 'external_id_taken' },
      2: { code: 'tag_not_found', message: '/tagIds/1 does not exist in this workspace' },
      3: { code: 'tag_not_found', message: '/tagNames/0 does not exist in this workspace' },
      4: { tagIds: [a] },
      5: { code: 'external_id_taken' },
    });
    expect(known.byId.has(c)).toBe(true);
    expect(await check()).toHaveLength(2);
    expect(theirs).toHaveProperty('id');
  });

  test('A link that was created and deleted is not created again, and frees its slug and its external id.', async () => {
    const { workspace, check, create } = await taggedWorkspace();
    const lease = store.newLease();
    const entries = [{ index: 0, url: 'https://example.org/', customSlug: 'again', externalId: 'page:1', maxClicks: 5 }];
    const [id = ''] = createdIds(await create(entries, lease));
    const found = await store.getLink(workspace.workspaceId, id);
    if (found) await store.deleteLink(found);
    for (const resumed of [false, true])
      expect(await create(entries, { ...lease, resumed })).toMatchObject({ 0: { code: 'link_deleted' } });
    expect(createdIds(await create(entries))).toHaveLength(1);
    expect(await check()).toHaveLength(1);
  });

  test('If the same links are imported several times at once, each is created once, whatever faults the writes meet.', async () => {
    const faults = fc.array(fc.option(fc.constantFrom<Fault>('throttle', 'lost-before', 'lost-after', 'conflict'), { freq: 1 }), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(faults, async (list) => {
        const { mixed, check, create } = await taggedWorkspace();
        let calls = 0;
        const { result } = await underFaults(
          ({ command }) => (command === 'TransactWriteItems' ? (list[calls++] ?? undefined) : undefined),
          () => Promise.all([create(mixed(70)), create(mixed(70))]),
        );
        const links = await check();
        const ids = result.flatMap(createdIds);
        expect(ids.sort()).toEqual(links.map(({ id }) => id).sort());
        // Plain links have no slug or external id that identifies them.
        expect(ids).toHaveLength(24 * 2 + 46);
        for (const outcome of result.flatMap((one) => Object.values(one)))
          if ('code' in outcome) expect(outcome.code).toBe('external_id_taken');
      }),
      { numRuns: runs(2) },
    );
  });
});

test('Importing 1,000 links takes 40 write calls.', async () => {
  const workspace = await store.newWorkspace();
  const { result, commands } = await underFaults(
    () => undefined,
    () => store.createLinks(workspace.domain, entriesOf(1_000), none, store.newLease()),
  );
  expect(createdIds(result)).toHaveLength(1_000);
  expect(commands).toEqual(Array.from({ length: 40 }, () => 'BatchExecuteStatement'));
});
