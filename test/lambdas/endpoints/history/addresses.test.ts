import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { byKey, changeLink, deliver, keyOfLink, recordOf } from '../../../support/things/history.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** A link with a history, with short forms of its changes and of the lists that name it. */
async function linkWithHistory() {
  const { workspaceId, domain } = await store.newWorkspace();
  const { link } = await store.createLink(domain, { url: 'https://example.org/', customSlug: 'first' }, store.newLease());
  const change = (changes: object) => changeLink(store, workspaceId, link.id, changes);
  const remove = async () => {
    const erase = async () => {
      const found = await store.getLink(workspaceId, link.id);
      if (found) await store.deleteLink(found);
    };
    await deliver([await recordOf(store, keyOfLink(link.id), erase, byKey())]);
  };
  const urlsIn = async (name: string, id?: string): Promise<(string | null)[]> => {
    const { status, body } = await callEndpoint(name, { workspaceId, ...(id !== undefined && { id }) });
    expect(status).toBe(200);
    return body.entries.map(({ shortUrl }: { shortUrl: string | null }) => shortUrl);
  };
  const own = () => urlsIn('list-link-history', link.id);
  const all = () => urlsIn('list-history');
  const at = (slug: string) => `https://${domain.host}/${slug}`;
  return { workspaceId, domain, link, change, remove, own, all, at };
}

test('All entries of a link name its current address, including those from before it had that slug.', async () => {
  const { change, own, all, at } = await linkWithHistory();
  await change({ title: 'New' });
  await change({ customSlug: 'second' });
  expect(await own()).toEqual([at('second'), at('second'), at('second')]);
  expect(await all()).toEqual([at('second'), at('second')]);
});

test('Entries of a deleted link name the address that it had after the change, and its creation names the last one.', async () => {
  const { change, remove, own, all, at } = await linkWithHistory();
  await change({ title: 'New' });
  await change({ customSlug: 'second' });
  await remove();
  expect(await own()).toEqual([at('second'), at('second'), at('first'), at('second')]);
  expect(await all()).toEqual([at('second'), at('second'), at('first')]);
});

test("An entry never names another link's address, even if that link has replaced the deleted one at its address.", async () => {
  const { domain, remove, own, at, workspaceId } = await linkWithHistory();
  await remove();
  const { link } = await store.createLink(domain, { url: 'https://example.org/', customSlug: 'first' }, store.newLease());
  await changeLink(store, workspaceId, link.id, { customSlug: 'third' });
  expect(await own()).toEqual([at('first'), at('first')]);
});

test('Entries of a link that is missing in restored tables name the address that it had after the change.', async () => {
  const { workspaceId, link, change, own, all, at } = await linkWithHistory();
  await change({ title: 'New' });
  await change({ customSlug: 'second' });
  await store.deleteItem(keyOfLink(link.id));
  expect(await own()).toEqual([at('second'), at('first')]);
  expect(await all()).toEqual([at('second'), at('first')]);
  expect(await store.getLink(workspaceId, link.id)).toBeUndefined();
});

test('Entries about tags, domains and keys name no address.', async () => {
  const { workspaceId, all } = await linkWithHistory();
  const { id } = await store.createTag(workspaceId, { name: 'Launch', color: '#123456' });
  await store.deleteTag(workspaceId, id);
  expect(await all()).toEqual([null]);
});
