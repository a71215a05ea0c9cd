import { beforeAll, describe, expect, test } from 'vitest';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

// Tags by their names, in the requests that create, change and replace one link.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const url = 'https://example.org/';

/** A workspace with tags of these names, and a link. */
async function arrange(...names: string[]) {
  const { workspaceId, domain } = await store.newWorkspace();
  const tags: string[] = [];
  for (const name of names) tags.push((await store.createTag(workspaceId, { name, color: '#123456' })).id);
  const { link } = await store.createLink(domain, { url, externalId: 'page:1' }, store.newLease());
  return { workspaceId, domain: domain.host, tags, id: link.id };
}

type Arranged = Awaited<ReturnType<typeof arrange>>;

const requests: Record<string, (made: Arranged, body: object) => ReturnType<typeof callEndpoint>> = {
  'create-link': ({ workspaceId, domain }, body) => callEndpoint('create-link', { workspaceId, body: { domain, url, ...body } }),
  'update-link': ({ workspaceId, id }, body) => callEndpoint('update-link', { workspaceId, id, body }),
  'put-link: creates': ({ workspaceId, domain }, body) =>
    callEndpoint('put-link', { workspaceId, externalId: 'page:2', body: { domain, url, ...body } }),
  'put-link: replaces': ({ workspaceId, domain }, body) =>
    callEndpoint('put-link', { workspaceId, externalId: 'page:1', body: { domain, url, ...body } }),
};

describe.for(Object.entries(requests))('%s', ([, send]) => {
  test('A link gets the tags of the names, in any case, after those of the ids, each once.', async () => {
    const made = await arrange('Summer Sale', 'Straße', 'C');
    const [a, b, c] = made.tags;
    const { body } = await send(made, { tagIds: [c], tagNames: [' summer sale ', 'C', 'STRASSE', 'Summer Sale'] });
    expect(body.link.tags.map((tag: { id: string }) => tag.id)).toEqual([c, a, b]);
    expect(await store.countsOf(made.workspaceId, made.tags, [body.link.id])).toEqual(
      made.tags.map(() => ({ count: 1, pairs: 1, links: 1 })),
    );
  });

  test('Unknown names are refused by their paths and quoted, and nothing is written.', async () => {
    const made = await arrange('Known');
    const response = await send(made, { title: 'New', tagNames: ['known', 'One', 'Two'] });
    expectProblem(response, 422, 'tag_not_found');
    const error = { code: 'tag_not_found', message: expect.stringContaining('"Two"') };
    expect(response.body.errors).toMatchObject([{ path: '/tagNames/1' }, { path: '/tagNames/2', ...error }]);
    expect(response.body.detail).toContain('"One"');
    expect(await store.listLinks(made.workspaceId, {}, { limit: 9 })).toMatchObject({
      links: [{ link: { title: null, tagIds: [] } }],
    });
  });

  test('More than 20 tags by ids and names are refused, and 20 of which some are repeated are accepted.', async () => {
    const names = Array.from({ length: 21 }, (_, index) => `T${index}`);
    const made = await arrange(...names);
    const tagIds = made.tags.slice(0, 15);
    const refused = await send(made, { tagIds, tagNames: names.slice(15) });
    expectProblem(refused, 422, 'validation_failed');
    expect(refused.body.errors).toMatchObject([{ path: '/tagNames', code: 'too_many' }]);
    expect((await send(made, { tagIds, tagNames: names.slice(1, 20) })).body.link.tags).toHaveLength(20);
  });

  test('A tag that is deleted after its name was found is refused by the path of the name.', async () => {
    const made = await arrange('Known', 'Goes');
    const [known, goes = ''] = made.tags;
    const deletion = () => store.deleteTag(made.workspaceId, goes);
    const work = () => send(made, { tagIds: [known], tagNames: ['Goes'] });
    const response = await overtaken(deletion, work, { command: 'TransactWriteItems' });
    expectProblem(response, 422, 'tag_not_found');
    expect(response.body.errors).toMatchObject([{ path: '/tagNames/0' }]);
  });
});

test('An empty list of names removes all tags, as an empty list of ids does.', async () => {
  const made = await arrange('A');
  await requests['update-link']?.(made, { tagNames: ['A'] });
  expect((await requests['update-link']?.(made, { tagNames: [] }))?.body.link.tags).toEqual([]);
});
