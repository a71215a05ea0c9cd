import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

async function arrange() {
  const { workspaceId, domain } = await store.newWorkspace();
  const create = async (body: object) => (await callEndpoint('create-template', { workspaceId, body })).body;
  const call = (action: string, id: string, more = {}) => callEndpoint(`${action}-template`, { workspaceId, id, ...more });
  const update = (id: string, body: unknown, headers = {}) => call('update', id, { body, headers });
  return {
    workspaceId,
    domain,
    create,
    update,
    get: (id: string) => call('get', id),
    remove: (id: string) => call('delete', id),
  };
}

test('An update changes the fields that it has, null empties a field, and all others stay.', async () => {
  const { domain, create, update, get } = await arrange();
  const template = await create({ name: 'Mail', domain: domain.host, utmSource: 'mail', expiresAfterDays: 3, isActive: false });
  const changes = { name: 'Letter', domain: null, utmTerm: 'x', expiresAfterDays: null, blockBots: true };
  const { status, body } = await update(template.id, changes);
  expect([status, body]).toEqual([200, { ...template, ...changes }]);
  expect((await get(template.id)).body).toEqual(body);
  expect(await update(template.id, {})).toMatchObject({ status: 200, body });
});

test('An update with the ETag of an earlier version is refused, even if only one of its tags was deleted since.', async () => {
  const { workspaceId, create, update, get } = await arrange();
  const tag = await store.createTag(workspaceId, { name: 'Tag', color: '#123456' });
  const { id } = await create({ name: 'Mail', tagIds: [tag.id] });
  const etag = async () => ({ 'If-Match': String((await get(id)).headers.ETag) });
  const first = await etag();
  expect((await update(id, { utmTerm: 'x' }, first)).status).toBe(200);
  expectProblem(await update(id, { utmTerm: 'y' }, first), 412, 'precondition_failed');
  const second = await etag();
  await store.deleteTag(workspaceId, tag.id);
  expectProblem(await update(id, { utmTerm: 'y' }, second), 412, 'precondition_failed');
  expect((await update(id, { utmTerm: 'z' }, await etag())).body).toMatchObject({ utmTerm: 'z', tagIds: [] });
});

test.for([
  [{ name: null }, '/name', 'null_not_allowed'],
  [{ tagIds: null }, '/tagIds', 'null_not_allowed'],
  [{ redirectType: null }, '/redirectType', 'null_not_allowed'],
  [{ utmSource: 5 }, '/utmSource', 'invalid_type'],
  [{ id: 'tpl_x' }, '/id', 'unknown_field'],
] as const)('The update %j is refused at %s as %s, and nothing changes.', async ([body, path, code]) => {
  const { create, update, get } = await arrange();
  const template = await create({ name: 'Same' });
  const response = await update(template.id, body);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toMatchObject([{ path, code }]);
  expect((await get(template.id)).body).toEqual(template);
});

test("An unknown template, another workspace's and a malformed id are all not found, and the other template stays as it is.", async () => {
  const [own, other] = [await arrange(), await arrange()];
  const theirs = await other.create({ name: 'Theirs' });
  for (const id of ['tpl_0123456789abcdef', theirs.id, 'nonsense', '']) {
    expectProblem(await own.update(id, { name: 'Mine' }), 404, 'not_found');
  }
  expect((await other.get(theirs.id)).body).toEqual(theirs);
});
