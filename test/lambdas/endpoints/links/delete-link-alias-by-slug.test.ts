import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { unknownLink } from '../../../support/things/links.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** A link with the slug `docs` and the alias `docs/v1.2/Guide`. */
async function newLink() {
  const { workspaceId, domain } = await store.newWorkspace();
  const call = (name: string, more: object) => callEndpoint(name, { workspaceId, ...more });
  const body = { domain: domain.host, url: 'https://example.org/', customSlug: 'docs/v1.2/Guide' };
  const { id } = (await call('create-link', { body })).body.link;
  const { headers } = await call('update-link', { id, body: { customSlug: 'docs' } });
  const remove = (slug: string, more: object = {}) => call('delete-link-alias-by-slug', { id, query: { slug }, ...more });
  const aliases = async () => (await call('get-link', { id })).body.link.aliases;
  const lookUp = (slug: string) => call('lookup-link', { query: { domain: domain.host, slug } });
  return { id, etag: String(headers.ETag), remove, aliases, lookUp };
}

test('An alias with slashes and dots is found, and removed by its slug if If-Match is current.', async () => {
  const { etag, remove, aliases, lookUp } = await newLink();
  expect([(await lookUp('DOCS/V1.2/guide')).status, await aliases()]).toEqual([200, ['docs/v1.2/Guide']]);
  expectProblem(await remove('docs/v1.2/guide', { headers: { 'If-Match': '"other"' } }), 412, 'precondition_failed');
  expect((await remove('docs/V1.2/guide', { headers: { 'If-Match': etag } })).status).toBe(204);
  expectProblem(await lookUp('docs/v1.2/guide'), 404, 'not_found');
  expect(await aliases()).toEqual([]);
});

test("The current slug is not removed, and unknown aliases, malformed ones and those of other workspaces' links are not found.", async () => {
  const [own, other] = [await newLink(), await newLink()];
  expectProblem(await own.remove('docs'), 409, 'slug_in_use');
  for (const slug of ['docs/v1.2', 'docs//v1.2/Guide', '', '../docs']) expectProblem(await own.remove(slug), 404, 'not_found');
  for (const id of [other.id, unknownLink]) expectProblem(await own.remove('docs/v1.2/guide', { id }), 404, 'not_found');
  expectProblem(await own.remove('docs/v1.2/guide', { query: {} }), 422, 'validation_failed');
  expect([await own.aliases(), await other.aliases()]).toEqual([['docs/v1.2/Guide'], ['docs/v1.2/Guide']]);
});
