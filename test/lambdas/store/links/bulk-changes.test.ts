import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FoundLink } from '../../../../lambdas/store/links/links.ts';
import { countKey } from '../../../../lambdas/store/table/keys.ts';
import { type Attempt, type Fault, underFaults } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { runs, sized } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { countClicks } from '../../../support/things/counting.ts';
import { placed } from '../../../support/things/placed-click.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

type Workspace = Awaited<ReturnType<Store['newWorkspace']>>;

const newTags = async ({ workspaceId }: Workspace, count: number): Promise<string[]> => {
  const names = Array.from({ length: count }, (_, index) => `Tag ${index}`);
  return Promise.all(names.map(async (name) => (await store.createTag(workspaceId, { name, color: '#000000' })).id));
};

/** Creates `count` links, each with the tags that `tagsOf` returns for its position. */
async function linksWith(workspace: Workspace, count: number, tagsOf: (place: number) => readonly string[]) {
  const { workspaceId, domain } = workspace;
  const ids = (await store.newLinks(workspace, count)).map(({ link }) => link.id);
  for (const tagIds of new Map(ids.map((_, place) => [tagsOf(place).join(), tagsOf(place)])).values()) {
    const some = await again(
      workspaceId,
      ids.filter((_, place) => tagsOf(place).join() === tagIds.join()),
    );
    expect(await retag(workspaceId, some, tagIds)).toEqual(some.map(() => undefined));
  }
  return { workspaceId, domain, ids, found: await again(workspaceId, ids) };
}

/** The present links. */
const again = async (workspaceId: string, ids: readonly string[]): Promise<FoundLink[]> =>
  (await store.getLinks(workspaceId, ids)).filter((found) => found !== undefined);

const retag = (workspaceId: string, found: readonly FoundLink[], tagIds: readonly string[], title?: string) =>
  store.updateLinks(
    workspaceId,
    found.map((one) => ({ found: one, changes: { tagIds, ...(title !== undefined && { title }) } })),
    tagIds && { tagIds, tagPaths: tagIds.map((_, index) => `/fields/tagIds/${index}`) },
  );

const codes = (outcomes: readonly ({ code: string } | undefined)[]) => outcomes.map((error) => error?.code ?? 'done');

/** Expects the count and the pairs of each tag to match the links with it. */
async function expectCounted(workspaceId: string, tags: readonly string[], ids: readonly string[]): Promise<void> {
  for (const { count, pairs, links } of await store.countsOf(workspaceId, tags, ids)) {
    expect([pairs, links]).toEqual([count ?? 0, count ?? 0]);
  }
}

/** Removes a deleted tag from all of its links. */
async function sweep(tagId: string): Promise<void> {
  while (await store.getItem({ pk: `TAG#${tagId}`, sk: 'SWEEP' })) await store.sweepPage(tagId);
}

const isTransaction = (command: string) => command === 'TransactWriteItems';

/** In `npm run proof`, the most links of a request. */
const many = sized(200, 1_000);

describe('Many links', () => {
  test('Many links with three tags each are retagged and deleted with exact counts, and in as few transactions as possible.', async () => {
    const workspace = await store.newWorkspace();
    const tags = await newTags(workspace, 6);
    const { workspaceId, ids, found } = await linksWith(workspace, many, () => tags.slice(0, 3));
    expect(await store.countsOf(workspaceId, tags, ids)).toEqual(
      tags.map((_, place) => ({ count: place < 3 ? many : 0, pairs: place < 3 ? many : 0, links: place < 3 ? many : 0 })),
    );

    const retagged = await underFaults(
      () => undefined,
      () => retag(workspaceId, found, tags.slice(2, 5), 'New'),
    );
    expect(new Set(codes(retagged.result))).toEqual(new Set(['done']));
    // One link, two pairs removed and two added; four counts per transaction: 19 links fit.
    expect(retagged.commands.filter(isTransaction)).toHaveLength(Math.ceil(many / 19));
    const counts = [0, 0, many, many, many, 0];
    expect(await store.countsOf(workspaceId, tags, ids)).toEqual(counts.map((count) => ({ count, pairs: count, links: count })));
    expect((await again(workspaceId, ids)).every(({ link }) => link.title === 'New')).toBe(true);

    const links = await again(workspaceId, ids);
    const deleted = await underFaults(
      () => undefined,
      () => store.deleteLinks(workspaceId, links),
    );
    expect(new Set(codes(deleted.result))).toEqual(new Set(['done']));
    // A link, its clicks and three pairs; three counts.
    expect(deleted.commands.filter(isTransaction)).toHaveLength(Math.ceil(many / 19));
    expect(await store.countsOf(workspaceId, tags, ids)).toEqual(tags.map(() => ({ count: 0, pairs: 0, links: 0 })));
    expect(await again(workspaceId, ids)).toEqual([]);
  });

  test('Deleting many links without tags also deletes their clicks, and frees their slugs.', async () => {
    const workspace = await store.newWorkspace();
    const { workspaceId, ids, found } = await linksWith(workspace, 120, () => []);
    const place = countKey(ids[0] ?? '');
    await store.updateItem(place, { text: 'SET #count = :count', values: { ':count': 5 } });
    expect(new Set(codes(await store.deleteLinks(workspaceId, found)))).toEqual(new Set(['done']));
    expect(await store.getItem(place)).toEqual({ ...place, ttl: expect.any(Number) });
    const { link } = found[0] as FoundLink;
    const successor = await store.createLink(workspace.domain, { url: link.url, customSlug: link.shortCode }, store.newLease());
    expect(successor.link.id.slice(0, 26)).toBe(link.id.slice(0, 26));
    expect((await store.getLink(workspaceId, successor.link.id))?.clickCount).toBe(0);
  });

  test.for([
    ['put on', 'tag_not_found'],
    ['taken off', 'done'],
  ] as const)(
    'If a tag is deleted while it is %s many links, none of them keeps it, and the rest report %s.',
    async ([how, code]) => {
      const workspace = await store.newWorkspace();
      const [gone = '', other = ''] = await newTags(workspace, 2);
      const { workspaceId, ids, found } = await linksWith(workspace, 200, () => (how === 'put on' ? [] : [gone]));
      const put = () => retag(workspaceId, found, how === 'put on' ? [gone, other] : [other]);
      const { result, commands } = await underFaults(
        () => undefined,
        () => overtaken(() => store.deleteTag(workspaceId, gone), put, { number: 2 }),
      );
      const outcomes = codes(result);
      const done = outcomes.findIndex((outcome) => outcome !== 'done');
      expect(outcomes).toEqual(outcomes.map((_, place) => (done === -1 || place < done ? 'done' : code)));
      expect(done === -1).toBe(code === 'done');
      // Links with the same outcome are not looked up one by one.
      expect(commands.length).toBeLessThan(40);
      const links = await again(workspaceId, ids);
      const has = (id: string) => links.filter(({ link }) => link.tagIds.includes(id)).length;
      expect(has(other)).toBe(done === -1 ? 200 : done);
      await sweep(gone);
      await expectCounted(workspaceId, [gone, other], ids);
      expect((await again(workspaceId, ids)).some(({ link }) => link.tagIds.includes(gone))).toBe(false);
    },
  );

  test('A bulk change of 300 links takes fewer than 60 calls even if somebody else has changed every tenth link.', async () => {
    const workspace = await store.newWorkspace();
    const [a = '', b = ''] = await newTags(workspace, 2);
    const { workspaceId, ids, found } = await linksWith(workspace, 300, () => [a]);
    // Every tenth link has changed since it was read.
    const tenth = (await again(workspaceId, ids)).filter((_, place) => place % 10 === 0);
    for (const one of tenth) await store.updateLink(one, { tagIds: [] });
    const { result, commands } = await underFaults(
      () => undefined,
      () => retag(workspaceId, found, [b]),
    );
    expect(new Set(codes(result))).toEqual(new Set(['done']));
    expect(commands.length).toBeLessThan(60);
    await expectCounted(workspaceId, [a, b], ids);
    expect((await store.getTag(workspaceId, b))?.linkCount).toBe(300);
  });
});

describe('Tags that are added and removed', () => {
  const edit = (workspaceId: string, found: readonly FoundLink[], added: readonly string[], removed: readonly string[]) =>
    store.updateLinks(
      workspaceId,
      found.map((one) => ({ found: one, changes: {} })),
      { tagEdits: { added, removed }, tagPaths: [] },
    );

  test('However many requests add and remove different tags of the same links at once, each takes effect, and counts agree.', async () => {
    const workspace = await store.newWorkspace();
    const tags = await newTags(workspace, 12);
    const [before, added] = [tags.slice(0, 6), tags.slice(6)];
    const { workspaceId, ids, found } = await linksWith(workspace, 7, (place) => before.slice(place % 3));
    const results = await Promise.all(
      added.map((tagId, index) => edit(workspaceId, found, [tagId], before.slice(index, index + 1))),
    );
    expect(new Set(codes(results.flat()))).toEqual(new Set(['done']));
    for (const { link } of await again(workspaceId, ids)) expect(link.tagIds.toSorted()).toEqual(added.toSorted());
    await expectCounted(workspaceId, tags, ids);
  });

  test('A tag that is deleted while others are added leaves the links, and counts agree.', async () => {
    const workspace = await store.newWorkspace();
    const [kept = '', goes = '', added = ''] = await newTags(workspace, 3);
    const { workspaceId, ids, found } = await linksWith(workspace, 3, () => [kept, goes]);
    const deletion = () => store.deleteTag(workspaceId, goes);
    expect(codes(await overtaken(deletion, () => edit(workspaceId, found, [added], [])))).toEqual(['done', 'done', 'done']);
    await sweep(goes);
    for (const { link } of await again(workspaceId, ids)) expect(link.tagIds).toEqual([kept, added]);
    await expectCounted(workspaceId, [kept, added], ids);
  });
});

describe('Unknown tags', () => {
  test('Unknown tags are refused with their position before anything changes, even without links.', async () => {
    const workspace = await store.newWorkspace();
    const [mine = ''] = await newTags(workspace, 1);
    const [theirs = ''] = await newTags(await store.newWorkspace(), 1);
    const { workspaceId, ids, found } = await linksWith(workspace, 3, () => []);
    const refused = { code: 'tag_not_found', fieldErrors: [{ path: '/fields/tagIds/1' }, { path: '/fields/tagIds/2' }] };
    for (const links of [found, []]) {
      await expect(retag(workspaceId, links, [mine, theirs, 'x'], 'New')).rejects.toMatchObject(refused);
    }
    expect(await again(workspaceId, ids)).toEqual(found);
  });
});

describe('A bulk change', () => {
  test('A bulk change of settings gives each link its own, and keeps what others change at the same time.', async () => {
    const workspace = await store.newWorkspace();
    const tags = await newTags(workspace, 1);
    const { workspaceId, ids, found } = await linksWith(workspace, 60, (place) => (place % 2 ? tags : []));
    const updates = found.map((one, place) => ({ found: one, changes: { title: `Title ${place}` } }));
    const bulk = store.updateLinks(workspaceId, updates, undefined);
    const beside = Promise.all(found.map((one) => store.updateLink(one, { description: 'Beside' })));
    expect(new Set(codes(await bulk))).toEqual(new Set(['done']));
    await beside;
    for (const [place, { link }] of (await again(workspaceId, ids)).entries()) {
      expect(link).toMatchObject({ title: `Title ${place}`, description: 'Beside', tagIds: place % 2 ? tags : [] });
    }
    await expectCounted(workspaceId, tags, ids);
  });

  test('A bulk change fails only for links that are gone or replaced at their slug.', async () => {
    for (const change of ['retag', 'settings', 'delete'] as const) {
      const workspace = await store.newWorkspace();
      const [tag = ''] = await newTags(workspace, 1);
      const { workspaceId, ids, found } = await linksWith(workspace, 5, () => [tag]);
      const [gone, replaced] = [found[1], found[3]] as [FoundLink, FoundLink];
      await store.deleteLink(gone);
      await store.deleteLink(replaced);
      const { link: successor } = await store.createLink(
        workspace.domain,
        { url: 'https://example.org/new', customSlug: replaced.link.shortCode },
        store.newLease(),
      );
      const works = {
        retag: () => retag(workspaceId, found, [], 'New'),
        settings: () =>
          store.updateLinks(
            workspaceId,
            found.map((one) => ({ found: one, changes: { title: 'New' } })),
            undefined,
          ),
        delete: () => store.deleteLinks(workspaceId, found),
      };
      expect(codes(await works[change]())).toEqual(['done', 'not_found', 'done', 'not_found', 'done']);
      expect((await store.getLink(workspaceId, successor.id))?.link).toEqual(successor);
      await expectCounted(workspaceId, [tag], ids);
    }
  });
});

/** Actions at the same time as a bulk change; numbers select a link and tags. */
const beside = fc.record({
  does: fc.constantFrom('retag', 'settings', 'delete', 'bulk retag', 'bulk delete', 'click', 'delete tag', 'sweep'),
  link: fc.nat({ max: 29 }),
  tags: fc.subarray([0, 1, 2, 3]),
});
const faults: Fault[] = ['throttle', 'lost-before', 'lost-after', 'conflict'];
const schedule = fc.record({
  lists: fc.array(fc.subarray([0, 1, 2, 3]), { minLength: 1, maxLength: 4 }),
  actions: fc.array(beside, { minLength: 2, maxLength: 10 }),
  faults: fc.array(fc.record({ kind: fc.constantFrom(...faults), at: fc.nat({ max: 30 }) }), { maxLength: 3 }),
});

test('Whatever is done to links and tags at once, each link is deleted once, outcomes are correct and counts are exact.', async () => {
  let sequence = 0;
  await fc.assert(
    fc.asyncProperty(schedule, async ({ lists, actions, faults: met }) => {
      const workspace = await store.newWorkspace();
      const { workspaceId } = workspace;
      const tags = await newTags(workspace, 4);
      const { ids, found } = await linksWith(workspace, 30, (place) =>
        (lists[place % lists.length] ?? []).map((tag) => tags[tag] ?? ''),
      );
      const goneTags = new Set<string>();
      const deleted: string[] = [];
      const missed: string[] = [];
      const note = (some: readonly FoundLink[], outcomes: readonly string[]) => {
        for (const [place, outcome] of outcomes.entries()) if (outcome === 'not_found') missed.push(some[place]?.link.id ?? '');
        for (const [place, outcome] of outcomes.entries()) if (outcome === 'done') deleted.push(some[place]?.link.id ?? '');
      };
      const codeOf = (work: Promise<unknown>) =>
        work.then(
          () => 'done',
          ({ code }) => String(code),
        );
      const run = async ({ does, link, tags: chosen }: (typeof actions)[number]): Promise<string[]> => {
        const one = found[link] as FoundLink;
        const some = found.slice(link);
        const tagIds = chosen.map((tag) => tags[tag] ?? '');
        switch (does) {
          case 'retag':
            return [await codeOf(store.updateLink(one, { tagIds }))];
          case 'settings':
            return [await codeOf(store.updateLink(one, { title: 'Beside' }))];
          case 'delete': {
            const outcome = await codeOf(store.deleteLink(one));
            note([one], [outcome]);
            return [outcome];
          }
          case 'bulk retag':
            return retag(workspaceId, some, tagIds).then(codes, ({ code }) => [code]);
          case 'bulk delete': {
            const outcomes = codes(await store.deleteLinks(workspaceId, some));
            note(some, outcomes);
            return outcomes;
          }
          case 'click':
            await countClicks(one.link.id, 'shardId-1', [placed(++sequence)]);
            return [];
          case 'delete tag':
            goneTags.add(tags[chosen[0] ?? 0] ?? '');
            return [await codeOf(store.deleteTag(workspaceId, tags[chosen[0] ?? 0] ?? ''))];
          default:
            await store.sweepPage(tags[chosen[0] ?? 0] ?? '');
            return [];
        }
      };
      const decide = ({ index, command }: Attempt) => {
        const kind = met.find(({ at }) => at === index)?.kind;
        return kind === 'conflict' && /^(Get|BatchGet|Query)/.test(command) ? undefined : kind;
      };
      const outcomes = await Promise.all(actions.map((action) => underFaults(decide, () => run(action))));
      for (const outcome of outcomes.flatMap(({ result }) => result)) {
        expect(['done', 'not_found', 'tag_not_found']).toContain(outcome);
      }
      expect(new Set(deleted).size).toBe(deleted.length);
      // If one deletion does not find a link, another has deleted it.
      for (const id of missed) expect(deleted).toContain(id);
      for (const tagId of goneTags) await sweep(tagId);
      const left = await again(workspaceId, ids);
      expect(left.map(({ link }) => link.id).sort()).toEqual(ids.filter((id) => !deleted.includes(id)).sort());
      await expectCounted(workspaceId, tags, ids);
      for (const { link } of left) expect(link.tagIds.some((id) => goneTags.has(id))).toBe(false);
    }),
    { numRuns: runs(2) },
  );
});

describe('A bulk change under faults', () => {
  const works = {
    retag: async (workspaceId: string, found: FoundLink[], [, b = '']: string[]) => retag(workspaceId, found, [b], 'New'),
    settings: async (workspaceId: string, found: FoundLink[]) =>
      store.updateLinks(
        workspaceId,
        found.map((one) => ({ found: one, changes: { title: 'New' } })),
        undefined,
      ),
    delete: async (workspaceId: string, found: FoundLink[]) => store.deleteLinks(workspaceId, found),
  };
  const arrange = async (work: keyof typeof works) => {
    const workspace = await store.newWorkspace();
    const tags = await newTags(workspace, 2);
    const made = await linksWith(workspace, 60, () => tags.slice(0, 1));
    const isDone = (link: FoundLink['link'] | undefined) => (work === 'delete' ? link === undefined : link?.title === 'New');
    /** The changed links. Expects each to be changed completely or not at all. */
    const look = async () => {
      const links = (await store.getLinks(made.workspaceId, made.ids)).map((one) => one?.link);
      for (const link of links) {
        if (work === 'retag') expect(link?.tagIds).toEqual([tags[isDone(link) ? 1 : 0]]);
      }
      await expectCounted(made.workspaceId, tags, made.ids);
      return links.map(isDone);
    };
    return { ...made, look, act: (found: FoundLink[]) => works[work](made.workspaceId, found, tags) };
  };
  const isRead = (command: string) => /^(Get|BatchGet|Query)/.test(command);
  const cases = (Object.keys(works) as (keyof typeof works)[]).flatMap((work) => faults.map((fault) => ({ work, fault })));

  test.for(cases)('The bulk change $work succeeds even if many of its calls meet $fault once.', async ({ work, fault }) => {
    const { found, act, look } = await arrange(work);
    // For settings, the first 25 calls, which are in flight together; otherwise every second call, so that retries succeed.
    const decide = ({ index }: Attempt) => ((work === 'settings' ? index < 25 : index % 2 === 1) ? fault : undefined);
    const { result } = await underFaults(decide, () => act(found));
    expect(new Set(codes(result))).toEqual(new Set(['done']));
    expect(new Set(await look())).toEqual(new Set([true]));
  });

  test.for(cases)(
    'If all later calls of the bulk change $work meet $fault, each link is changed completely or not at all, and reported so.',
    async ({ work, fault }) => {
      const { workspaceId, ids, found, act, look } = await arrange(work);
      const { withDeadline } = await import('../../../../lambdas/runtime/deadline.ts');
      const from = work === 'settings' ? 20 : 2;
      const decide = ({ index, command }: Attempt) =>
        index >= from && !(fault === 'conflict' && isRead(command)) ? fault : undefined;
      // An update whose response was lost recognizes its own token.
      const settles = work === 'settings' && fault === 'lost-after';
      const { result } = await underFaults(decide, () => withDeadline(settles ? 30_000 : 1_500, () => act(found)));
      const outcomes = codes(result);
      const changed = await look();
      for (const [place, outcome] of outcomes.entries()) {
        if (outcome === 'done') expect(changed[place]).toBe(true);
        else expect(outcome).toBe('temporarily_unavailable');
        // Only changes whose response was lost may exist beside these.
        if (outcome !== 'done' && fault !== 'lost-after') expect(changed[place]).toBe(false);
      }
      expect(outcomes).toContain('done');
      expect(outcomes.includes('temporarily_unavailable')).toBe(!settles);
      // A second request completes it; links that are deleted already are not found.
      expect(codes(await act(await again(workspaceId, ids))).filter((outcome) => outcome !== 'done')).toEqual([]);
      expect(new Set(await look())).toEqual(new Set([true]));
    },
  );
});
