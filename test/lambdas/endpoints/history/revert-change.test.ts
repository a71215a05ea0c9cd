import { beforeAll, expect, test, vi } from 'vitest';
import type { LinkChanges, LinkEdits } from '../../../../lambdas/store/links/changes.ts';
import { callEndpoint, startEndpoint } from '../../../support/http/invoke.ts';
import { withoutLookUpTime } from '../../../support/http/look-ups.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { changeLink } from '../../../support/things/history.ts';

vi.mock('../../../../lambdas/outbound/framing.ts', () => ({ framingAllowed: async () => false }));

let store: Store;
beforeAll(async () => {
  withoutLookUpTime();
  store = await useStore();
});

/** A link, and a way to change it and to revert its last change. */
async function newLink(settings: object = {}) {
  const { workspaceId, domain } = await store.newWorkspace();
  const { link } = await store.createLink(domain, { url: 'https://example.org/', ...settings }, store.newLease());
  const { id } = link;
  const change = (changes: LinkEdits) => changeLink(store, workspaceId, id, changes);
  const lastEntry = async (): Promise<string> =>
    (await callEndpoint('list-link-history', { workspaceId, id })).body.entries[0].id;
  const revert = async (entryId: string, call = callEndpoint.bind(undefined, 'revert-change')) =>
    call({ workspaceId, id, entryId });
  const current = async () => (await store.getLink(workspaceId, id))?.link;
  const newTag = async (name: string) => (await store.createTag(workspaceId, { name, color: '#000000' })).id;
  return { workspaceId, id, change, lastEntry, revert, current, newTag };
}

const everything: LinkChanges = {
  url: 'https://example.org/new',
  title: 'New',
  description: 'New',
  notes: 'New',
  image: 'https://example.org/new.png',
  redirectType: 'PERMANENT_301',
  isActive: false,
  cloaked: true,
  forwardParameters: true,
  forwardPath: true,
  hideReferrer: true,
  isArchived: true,
  blockBots: true,
  startsAt: '2039-01-01T00:00:00.000Z',
  expiresAt: '2040-01-01T00:00:00.000Z',
  expiredUrl: 'https://example.org/over',
  confirmVisit: true,
  rules: [{ if: { device: ['mobile'] }, url: 'https://example.org/mobile' }],
  variants: [
    { id: 'a', url: 'https://example.org/a', weight: 1 },
    { id: 'b', url: 'https://example.org/b', weight: 1 },
  ],
  maxClicks: 5,
  metaPixelId: '123',
  googleTagId: 'G-AB12',
  externalId: 'page:1',
  managedBy: 'team@go.example.com',
  webhookUrls: 'https://example.com/hook',
};

test('Each plain field is restored, both from empty and to empty, and other fields stay.', async () => {
  const { change, revert, lastEntry, current, newTag } = await newLink();
  const before = await current();
  await change({ ...everything, tagIds: [await newTag('Tag')] });
  const changed = await current();
  const entry = await lastEntry();
  const { status, body, headers } = await revert(entry);
  expect([status, body.link.title, typeof headers.ETag]).toEqual([200, null, 'string']);
  const plain = [...Object.keys(everything), 'tagIds'] as (keyof LinkChanges)[];
  const restored = await current();
  for (const field of plain) expect([field, restored?.[field]]).toEqual([field, before?.[field]]);
  // Then the reversal is reverted.
  for (const field of plain) expect(changed?.[field], field).not.toEqual(before?.[field]);
});

test('A change can be reverted after changes of other fields, and a second time without effect.', async () => {
  const { change, revert, lastEntry, current } = await newLink({ title: 'First' });
  await change({ title: 'Second' });
  const entry = await lastEntry();
  await change({ url: 'https://example.org/later' });
  expect((await revert(entry)).status).toBe(200);
  const once = await current();
  expect(once).toMatchObject({ title: 'First', url: 'https://example.org/later' });
  expect((await revert(entry)).status).toBe(200);
  expect((await current())?.revision).toBe(once?.revision);
});

test('If fields have been changed since, nothing is restored, and the error names all of them.', async () => {
  const { change, revert, lastEntry, current } = await newLink();
  await change({ title: 'One', description: 'One', blockBots: true });
  const entry = await lastEntry();
  await change({ title: 'Two', description: 'Two' });
  const { status, body } = await revert(entry);
  expect([status, body.code]).toEqual([409, 'revert_refused']);
  expect(body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
    ['/title', 'changed_since'],
    ['/description', 'changed_since'],
  ]);
  expect(await current()).toMatchObject({ title: 'Two', blockBots: true });
});

test('A change whose field was changed again since is not undone, even if the field has the same value again.', async () => {
  const { change, revert, lastEntry, current, newTag } = await newLink({ customSlug: 'First', title: 'First' });
  const tag = await newTag('Tag');
  const cases: readonly (readonly [change: LinkEdits, opposite: LinkEdits, path: string])[] = [
    [{ isActive: false }, { isActive: true }, '/isActive'],
    [{ title: 'Second' }, { title: 'First' }, '/title'],
    [{ tagIds: [tag] }, { tagIds: [] }, '/tagIds'],
    [{ customSlug: 'Second' }, { customSlug: 'First' }, '/customSlug'],
  ];
  for (const [mistake, correction, path] of cases) {
    await change(mistake);
    const entry = await lastEntry();
    await change(correction);
    await change(mistake);
    const there = await current();
    const { status, body } = await revert(entry);
    expect([path, status, body.errors]).toMatchObject([path, 409, [{ path, code: 'changed_since' }]]);
    expect(await current()).toEqual(there);
    expect((await revert(await lastEntry())).status).toBe(200);
    expect((await revert(entry)).status).toBe(200);
  }
});

test('A deleted tag is named in the refusal, and a tag that was added and deleted since does not prevent the reversal.', async () => {
  const { workspaceId, change, revert, lastEntry, current, newTag } = await newLink();
  const [a, b] = [await newTag('A'), await newTag('B')];
  await change({ tagIds: [a] });
  await change({ tagIds: [b] });
  const entry = await lastEntry();
  await store.deleteTag(workspaceId, b);
  await store.sweepPage(b);
  expect((await revert(entry)).body.link.tags).toMatchObject([{ id: a }]);
  await change({ tagIds: [] });
  const removal = await lastEntry();
  await store.deleteTag(workspaceId, a);
  const { status, body } = await revert(removal);
  expect([status, body.errors]).toMatchObject([409, [{ path: '/tagIds/0', code: 'tag_not_found' }]]);
  expect((await current())?.tagIds).toEqual([]);
});

test('A destination that was blocked since is refused by name.', async () => {
  const { change, revert, lastEntry, current } = await newLink({ url: 'https://bad.evil.org/' });
  await change({ url: 'https://example.org/' });
  const entry = await lastEntry();
  await store.blockHost('evil.org');
  const { status, body } = await revert(entry, startEndpoint('revert-change'));
  expect([status, body.errors]).toMatchObject([409, [{ path: '/url', code: 'destination_blocked' }]]);
  expect((await current())?.url).toBe('https://example.org/');
});

test('A password is never restored, and an entry of nothing else cannot be reverted.', async () => {
  const { change, revert, lastEntry, current } = await newLink();
  await change({ passwordHash: '$argon2id$secret', title: 'New' });
  expect((await revert(await lastEntry())).status).toBe(200);
  expect(await current()).toMatchObject({ passwordHash: '$argon2id$secret', title: null });
  await change({ passwordHash: null });
  const { status, body } = await revert(await lastEntry());
  expect([status, body.code]).toEqual([409, 'revert_refused']);
});

test('Entries of other links or workspaces, creations and invalid ids are not found.', async () => {
  const [one, other] = [await newLink(), await newLink()];
  await one.change({ title: 'New' });
  const entry = await one.lastEntry();
  for (const unknown of ['his_0', 'his_1', 'nonsense', '', 'his_D0123456789abcdef', `${entry}0`]) {
    expect([unknown, (await one.revert(unknown)).status]).toEqual([unknown, 404]);
  }
  expect((await other.revert(entry)).status).toBe(404);
  expect((await callEndpoint('revert-change', { workspaceId: other.workspaceId, id: one.id, entryId: entry })).status).toBe(404);
});

test('A reversal never overwrites another change of the same field at the same time.', async () => {
  const { workspaceId, id, change, revert, lastEntry, current } = await newLink({ title: 'First' });
  await change({ title: 'Second' });
  const entry = await lastEntry();
  const [reverted, ...others] = await Promise.all([
    revert(entry),
    ...['A', 'B', 'C'].map((title) => callEndpoint('update-link', { workspaceId, id, body: { title } })),
  ]);
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([200, 409]).toContain(reverted.status);
  // If the reversal succeeded, it was the first, and one of the others is last.
  expect(['A', 'B', 'C']).toContain((await current())?.title);
});

test('A former slug becomes the slug again, and the slug that it replaces an alias; a removed alias is not restored.', async () => {
  const { change, revert, lastEntry, current } = await newLink({ customSlug: 'First' });
  await change({ customSlug: 'Second', title: 'New' });
  expect((await revert(await lastEntry())).status).toBe(200);
  expect(await current()).toMatchObject({ shortCode: 'First', aliases: ['Second'], title: null });
  await change({ removedAlias: 'Second' });
  const response = await revert(await lastEntry());
  expect([response.status, response.body.code]).toEqual([409, 'revert_refused']);
  expect(await current()).toMatchObject({ shortCode: 'First', aliases: [] });
});
