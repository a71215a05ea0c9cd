import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

test('A deleted template is gone, its name is available, and no other workspace can delete it.', async () => {
  const [{ workspaceId }, other] = [await store.newWorkspace(), await store.newWorkspace()];
  const { id } = await store.createTemplate(workspaceId, { name: 'Mail' });
  const remove = (workspace = workspaceId, headers = {}) =>
    callEndpoint('delete-template', { workspaceId: workspace, id, headers });
  expectProblem(await remove(other.workspaceId), 404, 'not_found');
  expectProblem(await remove(workspaceId, { 'If-Match': '"another"' }), 412, 'precondition_failed');
  const { ETag } = (await callEndpoint('get-template', { workspaceId, id })).headers;
  expect(await remove(workspaceId, { 'If-Match': String(ETag) })).toMatchObject({ status: 204 });
  expectProblem(await remove(), 404, 'not_found');
  expect((await callEndpoint('create-template', { workspaceId, body: { name: 'mail' } })).status).toBe(201);
});
