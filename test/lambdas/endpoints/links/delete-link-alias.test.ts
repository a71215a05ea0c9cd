import { beforeAll, describe, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { unknownLink } from '../../../support/things/links.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** A link that had the slugs First and Second, and has Third. */
async function newLink() {
  const { workspaceId, domain } = await store.newWorkspace();
  const url = 'https://example.org/';
  const { body } = await callEndpoint('create-link', { workspaceId, body: { domain: domain.host, url, customSlug: 'First' } });
  const { id } = body.link;
  const patch = (fields: object, headers = {}) => callEndpoint('update-link', { workspaceId, id, body: fields, headers });
  const remove = (slug: string, headers = {}) => callEndpoint('delete-link-alias', { workspaceId, id, slug, headers });
  const get = () => callEndpoint('get-link', { workspaceId, id });
  const lookUp = (slug: string) => callEndpoint('lookup-link', { workspaceId, query: { domain: domain.host, slug } });
  await patch({ customSlug: 'Second' });
  const changed = await patch({ customSlug: 'Third' });
  return { workspaceId, domain, id, patch, remove, get, lookUp, changed };
}

test('A link shows its slug and its aliases, and is found by each of them.', async () => {
  const { domain, id, get, lookUp, changed } = await newLink();
  const shown = { id, shortCode: 'Third', shortUrl: `https://${domain.host}/Third`, aliases: ['First', 'Second'] };
  expect(changed.body.link).toMatchObject(shown);
  expect((await get()).body).toEqual(changed.body);
  for (const slug of ['first', 'SECOND', 'Third']) expect((await lookUp(slug)).body).toEqual(changed.body);
});

test('A removed alias is gone from the link, and no longer finds it.', async () => {
  const { remove, get, lookUp } = await newLink();
  expect(await remove('second')).toMatchObject({ status: 204, body: undefined });
  expect((await get()).body.link).toMatchObject({ shortCode: 'Third', aliases: ['First'] });
  expectProblem(await lookUp('Second'), 404, 'not_found');
  expectProblem(await remove('Second'), 404, 'not_found');
});

test('The current slug of a link is not removed.', async () => {
  const { remove, lookUp } = await newLink();
  expectProblem(await remove('third'), 409, 'slug_in_use');
  expect((await lookUp('third')).status).toBe(200);
});

test('A change of the slug that is sent twice is made once.', async () => {
  const { patch, changed } = await newLink();
  const again = await patch({ customSlug: 'Third' });
  expect([again.body, again.headers.ETag]).toEqual([changed.body, changed.headers.ETag]);
});

test('An alias is removed only if If-Match is current.', async () => {
  const { patch, remove, get, changed } = await newLink();
  const known = { 'If-Match': String(changed.headers.ETag) };
  await patch({ title: 'New' });
  expectProblem(await remove('Second', known), 412, 'precondition_failed');
  expectProblem(await patch({ customSlug: 'Fourth' }, known), 412, 'precondition_failed');
  expect((await get()).body.link).toMatchObject({ shortCode: 'Third', aliases: ['First', 'Second'] });
});

describe('A slug is refused', () => {
  test.for([
    ['taken', 409, 'slug_taken'],
    ['a b', 422, 'validation_failed'],
    ['api', 422, 'validation_failed'],
    ['', 422, 'validation_failed'],
    [null, 422, 'validation_failed'],
  ] as const)('%j is %i %s, and changes nothing.', async ([customSlug, status, code]) => {
    const { workspaceId, domain, patch, get, changed } = await newLink();
    const url = 'https://example.org/';
    await callEndpoint('create-link', { workspaceId, body: { domain: domain.host, url, customSlug: 'Taken' } });
    expectProblem(await patch({ customSlug, title: 'New' }), status, code);
    expect((await get()).body).toEqual(changed.body);
  });

  test('Changes of many links refuse the field.', async () => {
    const { workspaceId, id } = await newLink();
    const response = await callEndpoint('bulk-update-links', { workspaceId, body: { ids: [id], fields: { customSlug: 'x' } } });
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toMatchObject([{ path: '/fields/customSlug', code: 'unknown_field' }]);
  });
});

test("Unknown links, another workspace's and malformed aliases are all not found.", async () => {
  const [own, other] = [await newLink(), await newLink()];
  for (const id of [unknownLink, other.id, 'nonsense']) {
    const response = await callEndpoint('delete-link-alias', { workspaceId: own.workspaceId, id, slug: 'First' });
    expectProblem(response, 404, 'not_found');
  }
  for (const slug of ['fourth', '', 'a b', 'ſecond', '\0', 'x'.repeat(191)])
    expectProblem(await own.remove(slug), 404, 'not_found');
});

test('The search for a text finds a link by its aliases.', async () => {
  const { workspaceId, id } = await newLink();
  const { body } = await callEndpoint('list-links', { workspaceId, query: { q: 'econ' } });
  expect(body.links.map((link: { id: string }) => link.id)).toEqual([id]);
});
