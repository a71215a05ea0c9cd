import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

async function newLink(customSlug: string, externalId?: string) {
  const { workspaceId, domain } = await store.newWorkspace();
  const { body } = await callEndpoint('create-link', {
    workspaceId,
    body: { domain: domain.host, url: 'https://example.org/', customSlug, externalId },
  });
  return { workspaceId, host: domain.host, body };
}

test('A link is found by its domain and slug, in any case, whether the slug is sent as shortCode or as slug.', async () => {
  const { workspaceId, host, body } = await newLink('Slug-1');
  for (const slug of ['Slug-1', 'slug-1', 'SLUG-1']) {
    const query = { domain: `${host.toUpperCase()}.`, [slug === 'Slug-1' ? 'shortCode' : 'slug']: slug };
    expect(await callEndpoint('lookup-link', { workspaceId, query })).toMatchObject({ status: 200, body });
  }
});

test('A link is found by its external id only in the same case and in its own workspace.', async () => {
  const [own, other] = [await newLink('Slug-1', 'Page:1'), await newLink('Slug-1', 'page:1')];
  for (const { workspaceId, body } of [own, other]) {
    const { externalId } = body.link;
    expect(await callEndpoint('lookup-link', { workspaceId, query: { externalId } })).toMatchObject({ status: 200, body });
  }
  const { workspaceId } = own;
  expectProblem(await callEndpoint('lookup-link', { workspaceId, query: { externalId: 'page:1' } }), 404, 'not_found');
});

test("An unknown slug, an unknown domain, another workspace's link, and invalid values are all not found.", async () => {
  const [own, other] = [await newLink('k-1'), await newLink('Theirs')];
  for (const [domain, slug] of [
    [own.host, 'unknown'],
    ['unknown.example.com', 'Theirs'],
    [other.host, 'Theirs'],
    [own.host, '\0'],
    [own.host, ''],
    // Its lower case is the k of an existing slug.
    [own.host, '\u212a-1'],
    [' ', 'x'],
  ] as const) {
    const { workspaceId } = own;
    expectProblem(await callEndpoint('lookup-link', { workspaceId, query: { domain, slug } }), 404, 'not_found');
  }
});

test.for([
  [{}, ['"domain" is required', '"shortCode" is required']],
  [{ domain: 'x.example' }, ['"shortCode" is required']],
  [
    { domain: 'x.example', shortCode: 'a', slug: 'a' },
    ['"slug" must not be sent together with "shortCode", which means the same'],
  ],
  [{ externalId: 'a', slug: 'b' }, ['"slug" must not be sent together with "externalId"']],
  [{ externalId: 'a/b' }, ['"externalId" must be 1 to 255 letters, digits and characters of "._~:-"']],
  [{ domain: 'x.example', slug: ['a', 'b'] }, ['"slug" must be sent only once']],
  [{ domain: 'x.example', slug: 'a', limit: '5' }, ['"limit" is not supported by this operation']],
] as const)('The query %j is refused, and each message names its parameter.', async ([query, messages]) => {
  const response = await callEndpoint('lookup-link', { workspaceId: 'ws_1', query });
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors.map(({ message }: { message: string }) => message)).toEqual(
    messages.map((message) => `the query parameter ${message}`),
  );
});
