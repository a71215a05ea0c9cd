import { beforeAll, describe, expect, test } from 'vitest';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { callEndpoint, startEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** A changed and then deleted template as the API had shown it, with short forms of the next requests. */
async function deletedTemplate(settings: object = {}) {
  const { workspaceId, domain } = await store.newWorkspace();
  const call = (name: string, more: object = {}) => callEndpoint(name, { workspaceId, ...more });
  const create = (name: string) => call('create-template', { body: { name } });
  const { id } = (await call('create-template', { body: { name: 'Old', domain: domain.host, ...settings } })).body;
  await call('update-template', { id, body: { name: 'Mail', utmSource: 'mail' } });
  const { body: before } = await call('get-template', { id });
  const deletions = async () =>
    (await call('list-history')).body.entries.filter(({ action }: { action: string }) => action === 'template.deleted');
  const remove = async (): Promise<string> => {
    const earlier = new Set((await deletions()).map((entry: { id: string }) => entry.id));
    await call('delete-template', { id });
    return (await deletions()).find((entry: { id: string }) => !earlier.has(entry.id)).id;
  };
  const entryId = await remove();
  const started = startEndpoint('restore-template');
  const restore = (entry = entryId) => started({ workspaceId, id, entryId: entry });
  const all = async () => (await call('list-templates')).body.templates;
  return { workspaceId, id, entryId, before, call, create, remove, restore, deletions, all };
}

test('A deleted template is restored with its id, its settings and the time of its creation, and the history says so.', async () => {
  const expected = { utmTerm: 'a', redirectType: 'PERMANENT_301', expiresAfterDays: 3, isActive: false };
  const { id, before, restore, call, all, deletions, workspaceId } = await deletedTemplate(expected);
  const createdBy = async () => (await store.getItem({ pk: `TEMPLATES#${workspaceId}`, sk: `TEMPLATE#${id}` }))?.createdBy;
  expect(await deletions()).toMatchObject([{ subject: { type: 'template', id } }]);
  expect((await deletions())[0]).not.toHaveProperty('restoredAs');
  const answer = await restore();
  expect([answer.status, answer.body]).toEqual([201, before]);
  expect(answer.body).toMatchObject({ id, name: 'Mail', ...expected });
  expect(answer.headers.Location).toBe(`/api/v1/templates/${id}`);
  expect(await all()).toEqual([before]);
  expect(await createdBy()).toMatch(/^key_/);
  expect(await deletions()).toMatchObject([{ restoredAs: id }]);
  // It counts again, and its name is taken.
  expectProblem(await call('create-template', { body: { name: 'MAIL' } }), 409, 'template_name_taken');
  expect((await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.templateCount).toBe(1);
});

test('Deleted tags are left out, and a deleted domain stays, as in other templates.', async () => {
  const workspace = await store.newWorkspace();
  const { workspaceId, domain } = workspace;
  const [kept, gone] = [
    await store.createTag(workspaceId, { name: 'Kept', color: '#123456' }),
    await store.createTag(workspaceId, { name: 'Gone', color: '#123456' }),
  ];
  const body = { name: 'Mail', domain: domain.host, tagIds: [gone.id, kept.id] };
  const { id } = (await callEndpoint('create-template', { workspaceId, body })).body;
  await callEndpoint('delete-template', { workspaceId, id });
  const [{ id: entryId }] = (await callEndpoint('list-history', { workspaceId })).body.entries;
  await store.deleteTag(workspaceId, gone.id);
  await store.deleteDomain(workspaceId, domain.host);
  const { status, body: restored } = await callEndpoint('restore-template', { workspaceId, id, entryId });
  expect([status, restored.tagIds, restored.domain]).toEqual([201, [kept.id], domain.host]);
});

describe('A deletion is undone once', () => {
  test('However many requests are sent, at once and later, all of them return the one template.', async () => {
    const { before, restore, all } = await deletedTemplate();
    const answers = await Promise.all(Array.from({ length: 8 }, () => restore()));
    answers.push(await restore());
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [201, before]));
    expect(await all()).toEqual([before]);
  });

  test('A repeated request keeps later changes.', async () => {
    const { id, restore, call } = await deletedTemplate();
    await restore();
    await call('update-template', { id, body: { name: 'Newer' } });
    expect(await restore()).toMatchObject({ status: 201, body: { name: 'Newer' } });
  });

  test('A request that is repeated after another deletion restores nothing, and that deletion can be undone.', async () => {
    const { id, before, restore, remove, call, all } = await deletedTemplate();
    await restore();
    await call('update-template', { id, body: { name: 'Newer' } });
    const second = await remove();
    const refused = await restore();
    expectProblem(refused, 409, 'revert_refused');
    expect(refused.body.detail).toContain('deleted again since');
    expect(await all()).toEqual([]);
    expect((await restore(second)).body).toEqual({ ...before, name: 'Newer' });
    expect((await restore()).body).toEqual({ ...before, name: 'Newer' });
  });

  test('If another request restores the template between the reads and the write, both return the same one.', async () => {
    const { id, restore, call } = await deletedTemplate();
    const ours = await overtaken(async () => {
      await restore();
      await call('update-template', { id, body: { name: 'Theirs' } });
    }, restore);
    expect(ours).toMatchObject({ status: 201, body: { id, name: 'Theirs' } });
  });

  test('A change with an If-Match from before the deletion is refused after the restoration.', async () => {
    const { id, restore, remove, call } = await deletedTemplate();
    const headers = { 'If-Match': String((await restore()).headers.ETag) };
    const back = async () => restore(await remove());
    expectProblem(await overtaken(back, () => call('delete-template', { id, headers })), 412, 'precondition_failed');
    const changed = async () => {
      await call('update-template', { id, body: { utmTerm: 'theirs' } });
      await back();
    };
    const change = () => call('update-template', { id, body: { name: 'Ours' }, headers });
    expectProblem(await overtaken(changed, change), 412, 'precondition_failed');
    expect((await call('get-template', { id })).body).toMatchObject({ name: 'Mail', utmTerm: 'theirs' });
  });

  test('If tables were restored to a time without the template, it is restored again, and only once if many requests do it at once.', async () => {
    const { workspaceId, id, before, restore, all } = await deletedTemplate();
    await restore();
    await store.deleteItem({ pk: `TEMPLATES#${workspaceId}`, sk: `TEMPLATE#${id}` });
    await store.deleteItem({ pk: `TEMPLATES#${workspaceId}`, sk: 'NAME#mail' });
    const answers = await Promise.all([restore(), restore(), restore()]);
    expect(answers.map(({ body }) => body)).toEqual([before, before, before]);
    expect(await all()).toEqual([before]);
  });
});

describe('If the deletion cannot be undone, nothing is made', () => {
  test('The response says that another template has the name, however it is written.', async () => {
    const { restore, create, all, deletions } = await deletedTemplate();
    await create('MAIL');
    const answer = await restore();
    expectProblem(answer, 409, 'revert_refused');
    expect(answer.body.errors).toEqual([
      {
        path: '/name',
        code: 'template_name_taken',
        message: 'cannot be restored, because another template has that name: rename that one first',
      },
    ]);
    expect(await all()).toMatchObject([{ name: 'MAIL' }]);
    expect((await deletions())[0]).not.toHaveProperty('restoredAs');
  });

  test('If somebody else takes the name between the reads and the write, the request is refused.', async () => {
    const { restore, create, all } = await deletedTemplate();
    expectProblem(await overtaken(() => create('Mail'), restore), 409, 'revert_refused');
    expect(await all()).toHaveLength(1);
  });

  test('The response says that the workspace has the most templates allowed.', async () => {
    const { restore, workspaceId, all } = await deletedTemplate();
    const key = { pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' };
    const setCount = (to: number) => store.updateItem(key, { text: 'SET #templateCount = :to', values: { ':to': to } });
    await setCount(100);
    expectProblem(await restore(), 409, 'template_limit_reached');
    expect(await all()).toEqual([]);
    await setCount(99);
    expect((await restore()).status).toBe(201);
  });

  test("Another workspace, an unknown entry, and an entry of something else get 404; the template's other changes, 409.", async () => {
    const { workspaceId, id, entryId, call, all } = await deletedTemplate();
    const other = await deletedTemplate();
    for (const wanted of [
      { workspaceId: other.workspaceId, id, entryId },
      { workspaceId, id, entryId: 'his_1' },
      { workspaceId, id, entryId: 'nonsense' },
      { workspaceId, id, entryId: 'his_0' },
      { workspaceId, id, entryId: other.entryId },
      { workspaceId, id: 'nonsense', entryId },
      { workspaceId, id: `tag_${id.slice(4)}`, entryId },
    ])
      expectProblem(await callEndpoint('restore-template', wanted), 404, 'not_found');
    expectProblem(await call('revert-change', { id, entryId }), 404, 'not_found');
    expect(await all()).toEqual([]);
  });
});
