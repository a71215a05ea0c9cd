import { beforeAll, expect, test } from 'vitest';
import { overtaken } from '../../support/faults/overtaken.ts';
import { callEndpoint, type EndpointCall } from '../../support/http/invoke.ts';
import { type Store, useStore } from '../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const color = '#123456';

async function newLink() {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  return { workspaceId: workspace.workspaceId, id: found?.link.id ?? '' };
}

async function newTag() {
  const { workspaceId } = await store.newWorkspace();
  return { workspaceId, id: (await store.createTag(workspaceId, { name: 'Old', color })).id };
}

async function newTemplate() {
  const { workspaceId } = await store.newWorkspace();
  return { workspaceId, id: (await store.createTemplate(workspaceId, { name: 'Old' })).id };
}

/** A thing, an endpoint that changes or deletes it, and a change by somebody else in between. */
test.for([
  ['update-link', newLink, 'get-link', 'update-link', { title: 'New' }, { title: 'Meanwhile' }, 'UpdateItem'],
  ['delete-link', newLink, 'get-link', 'update-link', undefined, { title: 'Meanwhile' }, 'TransactWriteItems'],
  ['update-tag', newTag, 'get-tag', 'update-tag', { name: 'New' }, { name: 'Meanwhile' }, 'TransactWriteItems'],
  ['delete-tag', newTag, 'get-tag', 'update-tag', undefined, { name: 'Meanwhile' }, 'TransactWriteItems'],
  [
    'update-template',
    newTemplate,
    'get-template',
    'update-template',
    { utmTerm: 'x' },
    { name: 'Meanwhile' },
    'TransactWriteItems',
  ],
  ['delete-template', newTemplate, 'get-template', 'update-template', undefined, { name: 'Meanwhile' }, 'TransactWriteItems'],
] as const)(
  'A request to %s with If-Match gets 412 if somebody else makes a change between its read and its write, and that change stays.',
  async ([name, make, reader, changer, body, theirs, command]) => {
    const { workspaceId, id } = await make();
    const { headers } = await callEndpoint(reader, { workspaceId, id });
    const conditional = { 'If-Match': String((headers as Record<string, unknown>).ETag) };
    const call: EndpointCall = { workspaceId, id, headers: conditional, ...(body && { body }) };
    const response = await overtaken(
      () => callEndpoint(changer, { workspaceId, id, body: theirs }),
      () => callEndpoint(name, call),
      { command },
    );
    expect(response).toMatchObject({ status: 412, body: { code: 'precondition_failed' } });
    expect(JSON.stringify((await callEndpoint(reader, { workspaceId, id })).body)).toContain('Meanwhile');
  },
);
