import { beforeAll, describe, expect, test, vi } from 'vitest';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { callEndpoint, startEndpoint } from '../../../support/http/invoke.ts';
import { withoutLookUpTime } from '../../../support/http/look-ups.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, makeClicks } from '../../../support/things/clicks.ts';
import { byKey, changeLink, deliver, keyOfLink, recordOf } from '../../../support/things/history.ts';

vi.mock('../../../../lambdas/outbound/framing.ts', () => ({ framingAllowed: async () => false }));

let store: Store;
beforeAll(async () => {
  withoutLookUpTime();
  store = await useStore();
});

type Workspace = Awaited<ReturnType<Store['newWorkspace']>>;
const url = 'https://example.org/';

/** All settings of a creation, except tags and the slug. */
const everything = {
  url,
  title: 'Title',
  description: 'Description',
  image: 'https://example.org/image.png',
  redirectType: 'PERMANENT_301',
  cloaked: true,
  forwardParameters: true,
  forwardPath: true,
  hideReferrer: true,
  isArchived: true,
  blockBots: true,
  confirmVisit: true,
  startsAt: '2039-01-01T00:00:00.000Z',
  expiresAt: '2040-01-01T00:00:00.000Z',
  expiredUrl: 'https://example.org/over',
  maxClicks: 5,
  externalId: 'page:1',
  managedBy: 'team@go.example.com',
  rules: [{ if: { device: ['mobile'], query: { a: '1' } }, url: 'https://example.org/mobile' }],
  variants: [
    { id: 'a', url: 'https://example.org/a', weight: 1 },
    { id: 'b', url: 'https://example.org/b', weight: 2 },
  ],
  metaPixelId: '123',
  googleTagId: 'G-AB12',
  webhookUrls: 'https://example.com/hook',
};

/** A deleted link as the API had shown it, with short forms of the next requests. */
async function deletedLink(settings: object = {}, { workspace, slugs = [] }: { workspace?: Workspace; slugs?: string[] } = {}) {
  const own = workspace ?? (await store.newWorkspace());
  const { workspaceId, domain } = own;
  const body = { domain: domain.host, url, customSlug: 'first', ...settings };
  const created = await callEndpoint('create-link', { workspaceId, body });
  expect(created).toMatchObject({ status: 201 });
  const { id } = created.body.link;
  for (const customSlug of slugs) await changeLink(store, workspaceId, id, { customSlug });
  const { link: before } = (await callEndpoint('get-link', { workspaceId, id })).body;
  const remove = (linkId: string) => async () => {
    const found = await store.getLink(workspaceId, linkId);
    if (found) await store.deleteLink(found);
  };
  const erase = async (linkId: string) => deliver([await recordOf(store, keyOfLink(linkId), remove(linkId), byKey())]);
  await erase(id);
  const [{ id: entryId }] = (await callEndpoint('list-link-history', { workspaceId, id })).body.entries;
  const call = startEndpoint('revert-change');
  const revert = () => call({ workspaceId, id, entryId });
  const shown = async (linkId: string) => (await callEndpoint('get-link', { workspaceId, id: linkId })).body.link;
  const all = async () => (await callEndpoint('list-links', { workspaceId, query: { archived: 'any' } })).body.links;
  const historyOf = async (linkId: string) => (await callEndpoint('list-link-history', { workspaceId, id: linkId })).body.entries;
  return { ...own, id, entryId, before, revert, shown, all, erase, historyOf };
}

test('A deleted link is made again with every setting, tag and slug, under a new id, without clicks, and counted by its tags.', async () => {
  const workspace = await store.newWorkspace();
  const tagIds = [];
  for (const name of ['A', 'B']) tagIds.push((await store.createTag(workspace.workspaceId, { name, color: '#123456' })).id);
  const settings = { ...everything, tagIds };
  const { id, before, revert, shown, historyOf, workspaceId, domain } = await deletedLink(settings, {
    workspace,
    slugs: ['second', 'third'],
  });
  const answer = await revert();
  const { link, lostTagIds, lostPassword } = answer.body;
  expect([answer.status, lostTagIds, lostPassword]).toEqual([201, [], false]);
  const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
  expect(link).toEqual({ ...before, id: expect.any(String), restoredFrom: id, ...times });
  expect(link.id).not.toBe(id);
  expect(link).toMatchObject({ shortCode: 'third', aliases: ['first', 'second'], clickCount: 0 });
  expect(answer.headers.Location).toBe(`/api/v1/links/${link.id}`);
  expect(await shown(link.id)).toEqual(link);
  for (const slug of ['first', 'second', 'third'])
    expect(await store.getLinkAt(domain.domainId, slug)).toMatchObject({ id: link.id });
  const one = { count: 1, pairs: 1, links: 1 };
  expect(await store.countsOf(workspaceId, tagIds, [link.id])).toEqual([one, one]);
  expect(await store.getCap({ id: link.id })).toMatchObject({ used: 0 });
  const lookup = await callEndpoint('lookup-link', { workspaceId, query: { externalId: 'page:1' } });
  expect(lookup.body.link.id).toBe(link.id);
  // The history of the new link leads to that of the old one.
  expect(await historyOf(link.id)).toMatchObject([{ action: 'link.created', changes: { restoredFrom: { from: null, to: id } } }]);
  expect(await historyOf(id)).toMatchObject([{ action: 'link.deleted' }, {}, {}, { action: 'link.created', changes: {} }]);
});

test('The entry of a deletion names the link that was made again, in both histories, and no other entry does.', async () => {
  const { id, revert, historyOf, workspaceId } = await deletedLink({ title: 'Title' });
  const named = async () => {
    const { entries } = (await callEndpoint('list-history', { workspaceId })).body;
    return [...(await historyOf(id)), ...entries].flatMap((entry: { action: string; restoredAs?: string }) =>
      'restoredAs' in entry ? [[entry.action, entry.restoredAs]] : [],
    );
  };
  expect(await named()).toEqual([]);
  const { link } = (await revert()).body;
  expect(await named()).toEqual([
    ['link.deleted', link.id],
    ['link.deleted', link.id],
  ]);
});

test('A restored link that is deleted is restored from its own deletion, and its creation still names the first link.', async () => {
  const { id, revert, erase, historyOf, workspaceId, shown } = await deletedLink({ title: 'Title' });
  const { link } = (await revert()).body;
  await erase(link.id);
  expectProblem(await revert(), 409, 'link_deleted');
  const [deletion, creation] = await historyOf(link.id);
  expect(creation).toMatchObject({ action: 'link.created', changes: { restoredFrom: { to: id } } });
  const again = await callEndpoint('revert-change', { workspaceId, id: link.id, entryId: deletion.id });
  expect(again.body.link).toMatchObject({ title: 'Title', restoredFrom: link.id });
  expect(await shown(again.body.link.id)).toMatchObject({ shortCode: 'first' });
});

test('Clicks are not restored, and late clicks of the old link do not count for the new one.', async () => {
  const workspace = await store.newWorkspace();
  const { link } = await store.createLink(workspace.domain, { url, customSlug: 'clicked' }, store.newLease());
  await makeClicks([clickOf(link, Date.now())]);
  const found = await store.getLink(workspace.workspaceId, link.id);
  const remove = async () => {
    if (found) await store.deleteLink(found);
  };
  await deliver([await recordOf(store, keyOfLink(link.id), remove, byKey())]);
  const call = { workspaceId: workspace.workspaceId, id: link.id };
  const [{ id: entryId }] = (await callEndpoint('list-link-history', call)).body.entries;
  const made = (await callEndpoint('revert-change', { ...call, entryId })).body.link;
  await makeClicks([clickOf(link, Date.now())]);
  expect((await callEndpoint('get-link', { ...call, id: made.id })).body.link.clickCount).toBe(0);
});

test('A link with a password is restored inactive and without it, and a disabled link is restored disabled.', async () => {
  const { revert } = await deletedLink({ password: 'secret words' });
  // A repeated request gets the same response.
  for (let request = 0; request < 2; request++)
    expect((await revert()).body).toMatchObject({ link: { hasPassword: false, isActive: false }, lostPassword: true });

  const { workspaceId, domain } = await store.newWorkspace();
  const { link } = await store.createLink(domain, { url, customSlug: 'disabled' }, store.newLease());
  await store.updateItem(keyOfLink(link.id), { text: 'SET #disabledAt = :at', values: { ':at': '2030-01-02T03:04:05.678Z' } });
  const found = await store.getLink(workspaceId, link.id);
  const remove = async () => {
    if (found) await store.deleteLink(found);
  };
  await deliver([await recordOf(store, keyOfLink(link.id), remove, byKey())]);
  const { entries } = (await callEndpoint('list-link-history', { workspaceId, id: link.id })).body;
  expect(JSON.stringify(entries)).not.toContain('disabledAt');
  const made = await callEndpoint('revert-change', { workspaceId, id: link.id, entryId: entries[0].id });
  expect((await store.getLink(workspaceId, made.body.link.id))?.link.disabledAt).toBe('2030-01-02T03:04:05.678Z');
});

test('Tags that are gone are left out, and the response names them.', async () => {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const [kept, gone] = [
    await store.createTag(workspaceId, { name: 'Kept', color: '#123456' }),
    await store.createTag(workspaceId, { name: 'Gone', color: '#123456' }),
  ];
  const { revert } = await deletedLink({ tagIds: [gone.id, kept.id] }, { workspace });
  await store.deleteTag(workspaceId, gone.id);
  const { body } = await revert();
  expect(body).toMatchObject({ link: { tags: [{ id: kept.id }] }, lostTagIds: [gone.id] });
});

describe('If the deletion cannot be undone, nothing is made', () => {
  test('The response names every address and the external id that others have.', async () => {
    const workspace = await store.newWorkspace();
    const { domain } = workspace;
    const { revert, all } = await deletedLink({ externalId: 'page:1' }, { workspace, slugs: ['second'] });
    for (const customSlug of ['First', 'SECOND']) await store.createLink(domain, { url, customSlug }, store.newLease());
    await store.createLink(domain, { url, externalId: 'page:1' }, store.newLease());
    const answer = await revert();
    expectProblem(answer, 409, 'revert_refused');
    const named = (slug: string) => expect.stringContaining(`${domain.host}/${slug} is taken`);
    expect(answer.body.errors).toEqual([
      { path: '/customSlug', code: 'slug_taken', message: named('second') },
      { path: '/aliases/0', code: 'slug_taken', message: named('first') },
      { path: '/externalId', code: 'external_id_taken', message: expect.stringContaining('page:1') },
    ]);
    expect(await all()).toHaveLength(3);
  });

  test('A destination that has been blocked since is refused by its field.', async () => {
    const { revert, all } = await deletedLink({ expiredUrl: 'https://blocked-later.example.com/' });
    await store.blockHost('blocked-later.example.com');
    const answer = await revert();
    expectProblem(answer, 409, 'revert_refused');
    expect(answer.body.errors).toMatchObject([{ path: '/expiredUrl', code: 'destination_blocked' }]);
    expect(await all()).toEqual([]);
  });

  test('If the workspace no longer has the domain, the request says so, even if another workspace has it.', async () => {
    const { revert, domain, workspaceId } = await deletedLink();
    await store.deleteDomain(workspaceId, domain.host);
    expectProblem(await revert(), 422, 'domain_not_verified');
    await store.addDomain((await store.newWorkspace()).workspaceId, domain.host, 'ACTIVE');
    expectProblem(await revert(), 422, 'domain_not_verified');
  });

  test("Another workspace, an unknown entry and another link's deletion get 404.", async () => {
    const { id, entryId, workspaceId } = await deletedLink();
    const other = await deletedLink();
    for (const call of [
      { workspaceId: other.workspaceId, id, entryId },
      { workspaceId, id, entryId: 'his_1' },
      { workspaceId, id, entryId: 'nonsense' },
      { workspaceId, id: other.id, entryId: other.entryId },
    ])
      expectProblem(await callEndpoint('revert-change', call), 404, 'not_found');
  });
});

describe('A deletion is undone once', () => {
  test('However many requests are sent, at once and later, there is one link, which all of them return.', async () => {
    const { revert, all } = await deletedLink({ ...everything });
    const answers = await Promise.all(Array.from({ length: 8 }, revert));
    answers.push(await revert());
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.link.id)).size).toBe(1);
    expect(await all()).toHaveLength(1);
  });

  test('If another request restores the link between the reads and the write, both return the same link.', async () => {
    const { revert, all } = await deletedLink();
    let theirs: Awaited<ReturnType<typeof revert>> | undefined;
    const ours = await overtaken(async () => {
      theirs = await revert();
    }, revert);
    expect([ours.status, theirs?.status]).toEqual([201, 201]);
    expect(ours.body.link.id).toBe(theirs?.body.link.id);
    expect(await all()).toHaveLength(1);
  });

  test('If somebody else takes the address between the reads and the write, the request is refused.', async () => {
    const { revert, domain, all } = await deletedLink();
    const answer = await overtaken(
      () => store.createLink(domain, { url, customSlug: 'first', title: 'Theirs' }, store.newLease()),
      revert,
    );
    expectProblem(answer, 409, 'revert_refused');
    expect(await all()).toMatchObject([{ title: 'Theirs' }]);
  });

  test('If the entry has lost its mark in a restored table, the restored link at the address is still recognised.', async () => {
    const { id, revert, all } = await deletedLink();
    const { link } = (await revert()).body;
    const pk = `HISTORY#${id}`;
    for (const { sk } of await Array.fromAsync(store.query({ pk, between: ['0', 'Z'] })))
      await store.updateItem({ pk, sk: String(sk) }, { text: 'REMOVE #restoredAs' });
    expect((await revert()).body.link.id).toBe(link.id);
    expect(await all()).toHaveLength(1);
  });

  test('If restored tables lack the restored link, it is made once more, however many requests are sent at once.', async () => {
    const { id, revert, erase, all } = await deletedLink();
    const lost = (await revert()).body.link;
    await store.deleteItem(keyOfLink(lost.id));
    const answers = await Promise.all([revert(), revert(), revert()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [made, ...others] = await all();
    expect([others, answers.map(({ body }) => body.link.id)]).toEqual([[], Array(3).fill(made.id)]);
    expect([made.id === lost.id, made.restoredFrom]).toEqual([false, id]);
    // Its deletion is recognised by its tombstone, and then by the history.
    await erase(made.id);
    expectProblem(await revert(), 409, 'link_deleted');
    await store.deleteItem(keyOfLink(made.id));
    expectProblem(await revert(), 409, 'link_deleted');
  });

  test('If a restored table has the deleted link itself, the request returns it, and makes nothing.', async () => {
    const { id, entryId, workspaceId, domain } = await deletedLink();
    const { link } = await store.createLink(domain, { url, customSlug: 'first' }, store.newLease());
    await store.updateItem(keyOfLink(link.id), { text: 'SET #id = :id', values: { ':id': id } });
    const answer = await callEndpoint('revert-change', { workspaceId, id, entryId });
    expect([answer.status, answer.body.link.id]).toEqual([200, id]);
    expect(await store.getLinkAt(domain.domainId, 'first')).toMatchObject({ id, restoredFrom: null });
  });
});
