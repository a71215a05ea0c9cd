import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { countClicks } from '../../../support/things/counting.ts';
import { unknownLink } from '../../../support/things/links.ts';
import { placed } from '../../../support/things/placed-click.ts';
import { visit } from '../../../support/things/visit.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const url = 'https://example.org/';

async function arrange() {
  const { workspaceId, domain } = await store.newWorkspace();
  const create = async (settings: object = {}) => {
    const body = { domain: domain.host, url, ...settings };
    return (await callEndpoint('create-link', { workspaceId, body })).body.link;
  };
  const call = (name: string, id: string, body?: object) => callEndpoint(name, { workspaceId, id, body });
  return { workspaceId, host: domain.host, create, call };
}

test('A deletion responds with 204, and the link is gone.', async () => {
  const { workspaceId, host, create, call } = await arrange();
  const { id, shortCode } = await create();
  expect(await call('delete-link', id)).toMatchObject({ status: 204, body: undefined });
  const gone = [
    await call('get-link', id),
    await call('update-link', id, { title: 'Back' }),
    await call('delete-link', id),
    await callEndpoint('lookup-link', { workspaceId, query: { domain: host, slug: shortCode } }),
  ];
  for (const response of gone) expectProblem(response, 404, 'not_found');
  expect((await visit({ host, path: `/${shortCode}` })).statusCode).toBe(404);
});

test('The slug becomes available, and neither the id nor late clicks of the old link reach the new one.', async () => {
  const { create, call } = await arrange();
  const old = await create({ customSlug: 'Slug', title: 'Old' });
  await call('delete-link', old.id);
  const link = await create({ customSlug: 'SLUG' });
  expect(link.id).not.toBe(old.id);
  expect(link.id.slice(0, -6)).toBe(old.id.slice(0, -6));

  // Late clicks of the old link.
  await countClicks(
    old.id,
    'shardId-1',
    [1, 2].map((number) => placed(number)),
  );
  expectProblem(await call('get-link', old.id), 404, 'not_found');
  expectProblem(await call('update-link', old.id, { title: 'Old' }), 404, 'not_found');
  expectProblem(await call('delete-link', old.id), 404, 'not_found');
  expect((await call('get-link', link.id)).body.link).toMatchObject({ title: null, clickCount: 0 });
});

test('Ten deletions at once take the link off its tags once.', async () => {
  const { workspaceId, create, call } = await arrange();
  const { id: tag } = await store.createTag(workspaceId, { name: 'Deleted from', color: '#123456' });
  const [one, kept] = [await create({ tagIds: [tag] }), await create({ tagIds: [tag] })];
  const responses = await Promise.all(Array.from({ length: 10 }, () => call('delete-link', one.id)));
  expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
  expect((await call('get-tag', tag)).body._count).toEqual({ links: 1 });
  const { links } = (await call('list-tag-links', tag)).body;
  expect(links.map(({ id }: { id: string }) => id)).toEqual([kept.id]);
});

test("An unknown link and another workspace's are not found, and the other workspace keeps its link.", async () => {
  const [own, other] = [await arrange(), await arrange()];
  const theirs = await other.create();
  for (const id of [unknownLink, theirs.id]) expectProblem(await own.call('delete-link', id), 404, 'not_found');
  expect((await other.call('get-link', theirs.id)).body.link).toEqual(theirs);
});
