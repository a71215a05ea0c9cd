import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { unknownLink } from '../../../support/things/links.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const url = 'https://example.org/';

async function newLink() {
  const { workspaceId, domain } = await store.newWorkspace();
  const { body, headers } = await callEndpoint('create-link', {
    workspaceId,
    body: { domain: domain.host, url, customSlug: 'Launch', title: 'Launch' },
  });
  return { workspaceId, link: body.link, etag: headers.ETag };
}

test('A link is returned as it was created, with the same entity tag.', async () => {
  const { workspaceId, link, etag } = await newLink();
  expect(link).toMatchObject({ shortCode: 'Launch', title: 'Launch', url });
  expect(await callEndpoint('get-link', { workspaceId, id: link.id })).toMatchObject({
    status: 200,
    headers: { ETag: etag },
    body: { link },
  });
});

test('A link is returned as it was changed last.', async () => {
  const { workspaceId, link } = await newLink();
  const changed = await callEndpoint('update-link', { workspaceId, id: link.id, body: { title: 'Later' } });
  expect((await callEndpoint('get-link', { workspaceId, id: link.id })).body).toEqual(changed.body);
  expect(changed.body.link.title).toBe('Later');
});

test("An unknown link, a deleted one, another workspace's and a malformed id are all not found.", async () => {
  const [own, other] = [await newLink(), await newLink()];
  await callEndpoint('delete-link', { workspaceId: own.workspaceId, id: own.link.id });
  for (const id of [unknownLink, own.link.id, other.link.id, other.link.id.slice(0, -1), 'nonsense', '', '\0']) {
    expectProblem(await callEndpoint('get-link', { workspaceId: own.workspaceId, id }), 404, 'not_found');
  }
});
