import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { foldTagName, type Tag } from '../../../../lambdas/core/tag/tag.ts';
import type { TagChanges } from '../../../../lambdas/store/tags/tags.ts';
import { type Attempt, type Fault, underFaults } from '../../../support/faults/faults.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let workspaceId: string;
beforeAll(async () => {
  store = await useStore();
  ({ workspaceId } = await store.newWorkspace());
});

const color = '#aabbcc';
const newTag = (name: string, workspace = workspaceId) => store.createTag(workspace, { name, color });

/** The tag of each name, by the items of the names and by the tags. */
async function namesOf(workspace: string) {
  const names = await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspace}`, skPrefix: 'TAGNAME#' }));
  return {
    items: Object.fromEntries(names.map(({ sk, tagId }) => [String(sk).slice('TAGNAME#'.length), tagId])),
    tags: Object.fromEntries((await store.listTags(workspace)).map(({ id, name }) => [foldTagName(name), id])),
    count: (await store.getItem({ pk: `WORKSPACE#${workspace}`, sk: 'WORKSPACE' }))?.tagCount,
  };
}

/** Expects each tag to have exactly one item of its name, each such item to have a tag, and the workspace's count to match. */
async function expectNamesInOrder(workspace: string): Promise<void> {
  const { items, tags, count } = await namesOf(workspace);
  expect(items).toEqual(tags);
  expect(count).toBe((await store.listTags(workspace)).length);
}

const outcomesOf = async (works: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(works)).map((result) =>
    result.status === 'fulfilled' ? 'done' : (result.reason.code ?? result.reason),
  );

describe('An update of a tag', () => {
  test('An update changes exactly the fields that it names, and returns the changed tag.', async () => {
    const workspace = await store.newWorkspace();
    const changes = fc.record(
      {
        name: fc.constantFrom('Launch', 'LAUNCH', 'ｌａｕｎｃｈ', 'Straße', 'STRASSE', 'x'),
        color: fc.constantFrom('#000000', '#ffffff'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 5 }), async (list) => {
        let model: Tag = await newTag('Launch', workspace.workspaceId);
        for (const one of list) {
          model = { ...model, ...one, revision: model.revision + Math.min(1, Object.keys(one).length) };
          expect(await store.updateTag(workspace.workspaceId, model.id, one)).toEqual(model);
          expect(await store.getTag(workspace.workspaceId, model.id)).toEqual(model);
          await expectNamesInOrder(workspace.workspaceId);
        }
        await store.deleteTag(workspace.workspaceId, model.id);
        expect(await namesOf(workspace.workspaceId)).toEqual({ items: {}, tags: {}, count: 0 });
      }),
      { numRuns: runs(2) },
    );
  });

  test('An update changes neither the links with the tag nor its count.', async () => {
    const workspace = await store.newWorkspace();
    const tag = await newTag('Carried', workspace.workspaceId);
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    await store.updateLink(found, { tagIds: [tag.id] });
    expect(await store.updateTag(workspace.workspaceId, tag.id, { name: 'Renamed' })).toMatchObject({ linkCount: 1 });
    expect(await store.countsOf(workspace.workspaceId, [tag.id], [found.link.id])).toEqual([{ count: 1, pairs: 1, links: 1 }]);
  });

  test('An update to the name of another tag, in any case, is refused, and changes nothing.', async () => {
    const [one, two] = [await newTag('Mine'), await newTag('Grüße')];
    await expect(store.updateTag(workspaceId, one.id, { name: 'GRÜSSE', color: '#000000' })).rejects.toMatchObject({
      code: 'tag_name_taken',
    });
    expect(await store.getTags(workspaceId, [one.id, two.id])).toEqual([one, two]);
    await expectNamesInOrder(workspaceId);
  });

  test.for(['', 'tag_', `tag_${'0'.repeat(16)}`, 'WORKSPACE'])('An update finds no tag with the id %j.', async (id) => {
    await expect(store.updateTag(workspaceId, id, { color })).rejects.toMatchObject({ code: 'not_found' });
  });

  test("An update does not find another workspace's tag.", async () => {
    const other = await store.newWorkspace();
    const tag = await newTag('Theirs', other.workspaceId);
    await expect(store.updateTag(workspaceId, tag.id, { name: 'Ours' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.getTag(other.workspaceId, tag.id)).toEqual(tag);
  });
});

describe("A tag's name", () => {
  test('A name that many tags want at once goes to exactly one of them.', async () => {
    const tags = await Promise.all(Array.from({ length: 8 }, (_, index) => newTag(`Wants ${index}`)));
    const outcomes = await outcomesOf(tags.map(({ id }) => store.updateTag(workspaceId, id, { name: 'Wanted' })));
    expect(outcomes.sort()).toEqual(['done', ...Array(7).fill('tag_name_taken')]);
    await expectNamesInOrder(workspaceId);
  });

  test('Giving one tag the same name many times at once succeeds each time.', async () => {
    const tag = await newTag('Before');
    const outcomes = await outcomesOf(Array.from({ length: 8 }, () => store.updateTag(workspaceId, tag.id, { name: 'Behind' })));
    expect(outcomes).toEqual(Array(8).fill('done'));
    expect(await store.getTag(workspaceId, tag.id)).toMatchObject({ name: 'Behind', revision: 8 });
    await expectNamesInOrder(workspaceId);
  });

  test('Two tags that try to swap names at once both keep their own.', async () => {
    const [a, b] = [await newTag('Left'), await newTag('Right')];
    const outcomes = await outcomesOf([
      store.updateTag(workspaceId, a.id, { name: 'Right' }),
      store.updateTag(workspaceId, b.id, { name: 'Left' }),
    ]);
    expect(outcomes).toEqual(['tag_name_taken', 'tag_name_taken']);
    expect(await store.getTags(workspaceId, [a.id, b.id])).toEqual([a, b]);
  });

  test('Both the old and the new name of a tag that is renamed and deleted at once are free afterwards.', async () => {
    for (let round = 0; round < 10; round++) {
      const tag = await newTag('Fleeting');
      const renaming = store.updateTag(workspaceId, tag.id, { name: 'Fled' });
      const [renamed, deleted] = await outcomesOf([renaming, store.deleteTag(workspaceId, tag.id)]);
      expect(['done', 'not_found']).toContain(renamed);
      // The tag always existed, under one name or the other.
      expect(deleted).toBe('done');
      for (const name of ['fleeting', 'fled']) await store.deleteTag(workspaceId, (await newTag(name)).id);
    }
    await expectNamesInOrder(workspaceId);
  });
});

describe('An update of a tag with If-Match', () => {
  test.for([
    ["a tag's name", (place: number) => ({ name: `Raced ${place}` })],
    ['a tag to the same name', () => ({ name: 'Raced' })],
    ["a tag's colour", (place: number) => ({ color: `#00000${place}` })],
  ] as const)('Of many changes of %s at once from the same version, exactly one succeeds.', async ([, changesOf]) => {
    const workspace = await store.newWorkspace();
    const tag = await newTag('Race', workspace.workspaceId);
    const works = Array.from({ length: 8 }, (_, place) => store.updateTag(workspace.workspaceId, tag.id, changesOf(place), tag));
    expect((await outcomesOf(works)).sort()).toEqual(['done', ...Array(7).fill('precondition_failed')]);
    expect((await store.getTag(workspace.workspaceId, tag.id))?.revision).toBe(1);
    await expectNamesInOrder(workspace.workspaceId);
  });

  test('Of many changes and deletions of a tag at once from the same version, exactly one succeeds.', async () => {
    for (let round = 0; round < 5; round++) {
      const workspace = await store.newWorkspace();
      const tag = await newTag('Race', workspace.workspaceId);
      const works = Array.from({ length: 8 }, (_, place) =>
        place % 2
          ? store.updateTag(workspace.workspaceId, tag.id, { name: `Raced ${place}` }, tag)
          : store.deleteTag(workspace.workspaceId, tag.id, tag),
      );
      const outcomes = await outcomesOf(works);
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      for (const outcome of outcomes) expect(['done', 'not_found', 'precondition_failed']).toContain(outcome);
      await expectNamesInOrder(workspace.workspaceId);
    }
  });

  test('An update of a version of a tag succeeds although links gain the tag meanwhile.', async () => {
    const workspace = await store.newWorkspace();
    const tag = await newTag('Busy', workspace.workspaceId);
    const links = await store.newLinks(workspace, 10);
    const tagging = links.map((found) => store.updateLink(found, { tagIds: [tag.id] }));
    await store.updateTag(workspace.workspaceId, tag.id, { name: 'Still busy' }, tag);
    await Promise.all(tagging);
    expect(await store.getTag(workspace.workspaceId, tag.id)).toMatchObject({ name: 'Still busy', linkCount: 10 });
  });
});

const faults: Fault[] = ['throttle', 'lost-before', 'lost-after', 'conflict'];

describe('An update of a tag under faults', () => {
  const points = faults.flatMap((fault) => [false, true].flatMap((asRead) => [0, 1].map((index) => ({ fault, asRead, index }))));
  test.for(points.filter(({ fault, index }) => fault !== 'conflict' || index > 0))(
    'With the fault $fault once at call $index, the update is made once and reported as made (as it was read: $asRead).',
    async ({ fault, asRead, index }) => {
      const workspace = await store.newWorkspace();
      const tag = await newTag('Old', workspace.workspaceId);
      const once = (attempt: Attempt) => (attempt.index === index ? fault : undefined);
      const { result } = await underFaults(once, () =>
        store.updateTag(workspace.workspaceId, tag.id, { name: 'New', color: '#000000' }, asRead ? tag : undefined),
      );
      expect(result).toEqual({ ...tag, name: 'New', color: '#000000', revision: 1 });
      expect(await store.getTag(workspace.workspaceId, tag.id)).toEqual(result);
      await expectNamesInOrder(workspace.workspaceId);
    },
  );

  test('An update that meets a lost response and then conflicts is made once and reported as made.', async () => {
    const workspace = await store.newWorkspace();
    const tag = await newTag('Old', workspace.workspaceId);
    const plan: (Fault | undefined)[] = [undefined, 'lost-after', 'conflict', 'throttle', 'conflict'];
    const { result } = await underFaults(
      ({ index }) => plan[index],
      () => store.updateTag(workspace.workspaceId, tag.id, { name: 'New' }, tag),
    );
    expect(result).toEqual({ ...tag, name: 'New', revision: 1 });
    await expectNamesInOrder(workspace.workspaceId);
  });
});

/** Concurrent actions of different clients; numbers select a name and a tag. */
const names = ['a', 'A', 'b', 'ß', 'SS', 'c'];
const action = fc.record({
  does: fc.constantFrom('create', 'rename', 'rename', 'recolour', 'delete'),
  tag: fc.nat(),
  name: fc.constantFrom(...names),
  fault: fc.option(fc.record({ kind: fc.constantFrom(...faults), index: fc.nat(4) })),
});

test('Whatever is created, renamed and deleted at once, each tag has one name and each name belongs to one tag.', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(action, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
      async (rounds) => {
        const workspace = (await store.newWorkspace()).workspaceId;
        const ids = [(await newTag('first', workspace)).id];
        const gone = new Set<string>();
        const run = async ({ does, tag, name }: (typeof rounds)[number][number]) => {
          const id = ids[tag % ids.length] ?? '';
          const change = (changes: TagChanges) => store.updateTag(workspace, id, changes);
          if (does === 'create') ids.push((await newTag(name, workspace)).id);
          else if (does === 'rename') expect((await change({ name })).name).toBe(name);
          else if (does === 'recolour') await change({ color: '#123456' });
          else {
            await store.deleteTag(workspace, id);
            expect(gone.has(id)).toBe(false);
            gone.add(id);
          }
        };
        for (const round of rounds) {
          const before = await store.listTags(workspace);
          const works = round.map((one) => {
            const decide = ({ command, index }: Attempt) =>
              index === one.fault?.index && (one.fault.kind !== 'conflict' || command.startsWith('Transact'))
                ? one.fault.kind
                : undefined;
            return underFaults(decide, () => run(one));
          });
          const outcomes = await outcomesOf(works);
          for (const [place, outcome] of outcomes.entries()) {
            const { does, name } = round[place] as (typeof round)[number];
            const allowed = { create: ['tag_name_taken'], rename: ['tag_name_taken', 'not_found'] }[does as string] ?? [
              'not_found',
            ];
            expect(['done', ...allowed]).toContain(outcome);
            // A name is refused as taken only if a tag had it before or gets it meanwhile.
            if (outcome === 'tag_name_taken') {
              const wanted = [...before, ...round.filter((_, other) => other !== place)].map((other) => foldTagName(other.name));
              expect(wanted).toContain(foldTagName(name));
            }
          }
          await expectNamesInOrder(workspace);
          expect((await store.getTags(workspace, ids)).length).toBe(ids.length - gone.size);
        }
      },
    ),
    { numRuns: runs(3) },
  );
});
