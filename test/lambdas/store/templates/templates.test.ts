import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { templatesPerWorkspace } from '../../../../lambdas/core/limits.ts';
import { linkFlags } from '../../../../lambdas/core/link/link.ts';
import { templateDefaults } from '../../../../lambdas/core/template/template.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const color = '#aabbcc';

const outcomesOf = async (works: readonly Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(works)).map((result) =>
    result.status === 'fulfilled' ? 'done' : (result.reason.code ?? result.reason),
  );

const countOf = async (workspaceId: string) =>
  (await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.templateCount;

const settings = fc.record(
  {
    utmSource: fc.option(fc.constantFrom('mail', 'ads')),
    utmContent: fc.option(fc.constant('x')),
    domain: fc.option(fc.constant('go.example.com')),
    redirectType: fc.constantFrom('PERMANENT_301', 'TEMPORARY_302'),
    expiresAfterDays: fc.option(fc.integer({ min: 1, max: 3_650 })),
    ...(Object.fromEntries(linkFlags.map((flag) => [flag, fc.boolean()])) as Record<
      (typeof linkFlags)[number],
      fc.Arbitrary<boolean>
    >),
  },
  { requiredKeys: [] },
);

test('A template has its given values and defaults for the rest; a change replaces the fields that it names, and null empties a field.', async () => {
  const { workspaceId } = await store.newWorkspace();
  await fc.assert(
    fc.asyncProperty(settings, fc.array(settings, { maxLength: 3 }), async (given, changes) => {
      const made = await store.createTemplate(workspaceId, { name: 'Same', ...given });
      const own = { id: made.id, name: 'Same', createdAt: made.createdAt, revision: 0 };
      let model = { ...templateDefaults, ...own, ...given };
      expect(made).toEqual(model);
      expect(await store.getTemplate(workspaceId, made.id)).toEqual(model);
      for (const change of changes) {
        model = { ...model, ...change, revision: model.revision + Math.min(1, Object.keys(change).length) };
        expect(await store.updateTemplate(workspaceId, made.id, change)).toEqual(model);
        expect(await store.listTemplates(workspaceId)).toEqual([model]);
      }
      await store.deleteTemplate(workspaceId, made.id);
      expect(await store.getTemplate(workspaceId, made.id)).toBeUndefined();
    }),
    { numRuns: runs(4) },
  );
});

describe("A template's name", () => {
  test('Of many creations with the same name at once, in any case, exactly one succeeds, and a tag may have the same name.', async () => {
    const { workspaceId } = await store.newWorkspace();
    await store.createTag(workspaceId, { name: 'STRASSE', color });
    const names = Array.from({ length: 12 }, (_, index) => (index % 2 ? 'STRASSE' : 'Straße'));
    const outcomes = await outcomesOf(names.map((name) => store.createTemplate(workspaceId, { name })));
    expect(outcomes.sort()).toEqual(['done', ...Array(11).fill('template_name_taken')]);
    expect(await store.listTemplates(workspaceId)).toHaveLength(1);
    expect(await countOf(workspaceId)).toBe(1);
  });

  test('A name is available in another workspace, and again once its template is deleted or renamed.', async () => {
    const [one, two] = [await store.newWorkspace(), await store.newWorkspace()];
    const template = await store.createTemplate(one.workspaceId, { name: 'Mail' });
    await store.createTemplate(two.workspaceId, { name: 'Mail' });
    await store.updateTemplate(one.workspaceId, template.id, { name: 'Letter' });
    const again = await store.createTemplate(one.workspaceId, { name: 'mail' });
    await expect(store.updateTemplate(one.workspaceId, template.id, { name: 'MAIL' })).rejects.toMatchObject({
      code: 'template_name_taken',
    });
    await store.deleteTemplate(one.workspaceId, again.id);
    expect((await store.updateTemplate(one.workspaceId, template.id, { name: 'MAIL' })).name).toBe('MAIL');
  });
});

test('However many are created at once, a workspace never has more templates than its limit, and a deleted one makes room.', async () => {
  const { workspaceId } = await store.newWorkspace();
  const create = (index: number) => store.createTemplate(workspaceId, { name: `Template ${index}` });
  await Promise.all(Array.from({ length: templatesPerWorkspace - 2 }, (_, index) => create(index)));
  const outcomes = await outcomesOf(Array.from({ length: 6 }, (_, index) => create(1_000 + index)));
  expect(outcomes.sort()).toEqual(['done', 'done', ...Array(4).fill('template_limit_reached')]);
  const all = await store.listTemplates(workspaceId);
  expect([all.length, await countOf(workspaceId)]).toEqual([templatesPerWorkspace, templatesPerWorkspace]);
  const [first] = all;
  const deletions = await outcomesOf(Array.from({ length: 5 }, () => store.deleteTemplate(workspaceId, first?.id ?? '')));
  expect(deletions.sort()).toEqual(['done', ...Array(4).fill('not_found')]);
  expect(await outcomesOf([create(2_000), create(2_001)])).toContain('template_limit_reached');
  expect(await countOf(workspaceId)).toBe(templatesPerWorkspace);
});

test('A workspace can neither find, list, change nor delete the template of another one.', async () => {
  const [own, other] = [await store.newWorkspace(), await store.newWorkspace()];
  const template = await store.createTemplate(own.workspaceId, { name: 'Mail' });
  expect(await store.getTemplate(other.workspaceId, template.id)).toBeUndefined();
  expect(await store.listTemplates(other.workspaceId)).toEqual([]);
  await expect(store.updateTemplate(other.workspaceId, template.id, { name: 'X' })).rejects.toMatchObject({ code: 'not_found' });
  await expect(store.deleteTemplate(other.workspaceId, template.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await store.getTemplate(own.workspaceId, template.id)).toEqual(template);
});

describe('A tag that is deleted', () => {
  test('leaves each template at once, however that is read, and other tags stay.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const [gone, kept] = [
      await store.createTag(workspaceId, { name: 'Gone', color }),
      await store.createTag(workspaceId, { name: 'Kept', color }),
    ];
    const template = await store.createTemplate(workspaceId, { name: 'Mail', tagIds: [gone.id, kept.id] });
    const only = await store.createTemplate(workspaceId, { name: 'Only', tagIds: [gone.id] });
    await store.deleteTag(workspaceId, gone.id);
    const left = [[kept.id], []];
    const tagsOf = async (id: string) => (await store.getTemplate(workspaceId, id))?.tagIds;
    expect([await tagsOf(template.id), await tagsOf(only.id)]).toEqual(left);
    const listed = new Map((await store.listTemplates(workspaceId)).map(({ id, tagIds }) => [id, tagIds]));
    expect([listed.get(template.id), listed.get(only.id)]).toEqual(left);
    expect((await store.updateTemplate(workspaceId, only.id, { utmTerm: 'x' })).tagIds).toEqual([]);
  });

  test('cannot be given to a template.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const tag = await store.createTag(workspaceId, { name: 'Gone', color });
    await store.deleteTag(workspaceId, tag.id);
    const template = await store.createTemplate(workspaceId, { name: 'Mail' });
    const tagIds = [tag.id];
    const refused = { code: 'tag_not_found', fieldErrors: [{ path: '/tagIds/0' }] };
    await expect(store.createTemplate(workspaceId, { name: 'Other', tagIds })).rejects.toMatchObject(refused);
    await expect(store.updateTemplate(workspaceId, template.id, { tagIds })).rejects.toMatchObject(refused);
    expect(await store.listTemplates(workspaceId)).toEqual([template]);
  });

  test('is in no template, even if requests add it at the same time.', async () => {
    for (let round = 0; round < 10; round++) {
      const { workspaceId } = await store.newWorkspace();
      const tag = await store.createTag(workspaceId, { name: 'Tag', color });
      const { id } = await store.createTemplate(workspaceId, { name: 'Mail' });
      const outcomes = await outcomesOf([
        store.updateTemplate(workspaceId, id, { tagIds: [tag.id] }),
        store.deleteTag(workspaceId, tag.id),
        store.createTemplate(workspaceId, { name: 'Other', tagIds: [tag.id] }),
      ]);
      for (const outcome of outcomes) expect(['done', 'tag_not_found']).toContain(outcome);
      for (const { tagIds } of await store.listTemplates(workspaceId)) expect(tagIds).toEqual([]);
    }
  });
});

test('Of many changes and deletions of a template at once from the same version, exactly one succeeds.', async () => {
  const { workspaceId } = await store.newWorkspace();
  const template = await store.createTemplate(workspaceId, { name: 'Race' });
  const outcomes = await outcomesOf(
    Array.from({ length: 8 }, (_, place) =>
      place % 2
        ? store.updateTemplate(workspaceId, template.id, { name: `Raced ${place}` }, template)
        : store.deleteTemplate(workspaceId, template.id, template),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
  for (const outcome of outcomes) expect(['done', 'not_found', 'precondition_failed']).toContain(outcome);
});
