import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('All templates of the workspace, and no others, are listed by name, each as get-template returns it.', async () => {
  const [{ workspaceId }, other] = [await store.newWorkspace(), await store.newWorkspace()];
  await store.createTemplate(other.workspaceId, { name: 'Theirs' });
  const tag = await store.createTag(workspaceId, { name: 'Tag', color: '#123456' });
  for (const name of ['Mail 10', 'mail 2', 'Ads']) await store.createTemplate(workspaceId, { name, tagIds: [tag.id] });
  const list = async () => (await callEndpoint('list-templates', { workspaceId })).body;
  const { templates } = await list();
  expect(templates.map(({ name }: { name: string }) => name)).toEqual(['Ads', 'mail 2', 'Mail 10']);
  for (const template of templates)
    expect((await callEndpoint('get-template', { workspaceId, id: template.id })).body).toEqual(template);
  await store.deleteTag(workspaceId, tag.id);
  for (const template of (await list()).templates) expect(template.tagIds).toEqual([]);
});
