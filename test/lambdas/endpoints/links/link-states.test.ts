import { beforeAll, describe, expect, test } from 'vitest';
import type { LinkState } from '../../../../lambdas/core/link/state.ts';
import { callEndpoint, startEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { changeLink } from '../../../support/things/history.ts';

// The state of a link in each response that shows one.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const past = '2001-01-01T00:00:00.000Z';
const future = '2999-01-01T00:00:00.000Z';

let made = 0;

/** A link with a tag and an external id, whose title was changed. */
async function newLink(status: 'ACTIVE' | 'PENDING_DNS') {
  const { workspaceId, domain } = await store.newWorkspace();
  // Before any function has cached the domain as active.
  await store.addDomain(workspaceId, domain.host, status);
  const { id: tagId } = await store.createTag(workspaceId, { name: 'Tag', color: '#123456' });
  const blocked = `host${++made}.example.com`;
  const body = { url: `https://www.${blocked}/`, externalId: 'page:1', tagIds: [tagId] };
  const { link } = await store.createLink(domain, body, store.newLease());
  await changeLink(store, workspaceId, link.id, { title: 'Changed' });
  return { workspaceId, domain: domain.host, tagId, link, body, blocked };
}

type Made = Awaited<ReturnType<typeof newLink>>;

const set = async ({ workspaceId, link }: Made, changes: object) => {
  const found = await store.getLink(workspaceId, link.id);
  if (found) await store.updateLink(found, changes);
};

/** Puts a link into each state. */
const ways: Record<LinkState, (made: Made) => Promise<unknown>> = {
  active: async () => {},
  inactive: (made) => set(made, { isActive: false }),
  scheduled: (made) => set(made, { startsAt: future }),
  expired: (made) => set(made, { expiresAt: past }),
  used_up: async (made) => {
    await set(made, { maxClicks: 1 });
    const link = await store.findLink(made.workspaceId, made.link.id);
    if (link) await store.claimVisit(link);
  },
  pending: async () => {},
  disabled: ({ link }) => store.setDisabled(link, true),
  blocked: ({ blocked }) => store.blockHost(blocked),
};

/** Each request that shows an existing link, and its response. */
const showing: Record<string, (made: Made) => Promise<{ readonly body: { link?: unknown; links?: unknown[] } }>> = {
  'get-link': ({ workspaceId, link }) => startEndpoint('get-link')({ workspaceId, id: link.id }),
  'lookup-link': ({ workspaceId }) => startEndpoint('lookup-link')({ workspaceId, query: { externalId: 'page:1' } }),
  'list-links': ({ workspaceId }) => startEndpoint('list-links')({ workspaceId }),
  'list-tag-links': ({ workspaceId, tagId }) => startEndpoint('list-tag-links')({ workspaceId, id: tagId }),
  'update-link': ({ workspaceId, link }) =>
    startEndpoint('update-link')({ workspaceId, id: link.id, body: { description: 'New' } }),
  'revert-change': async ({ workspaceId, link }) => {
    const [entry] = (await callEndpoint('list-link-history', { workspaceId, id: link.id })).body.entries;
    return startEndpoint('revert-change')({ workspaceId, id: link.id, entryId: entry.id });
  },
};

describe.for(Object.entries(showing))('%s', ([, show]) => {
  test.for(Object.entries(ways))('Each response shows that a link is %s.', async ([state, put]) => {
    const made = await newLink(state === 'pending' ? 'PENDING_DNS' : 'ACTIVE');
    await put(made);
    const { link, links = [link] } = (await show(made)).body;
    expect(links).toMatchObject([{ id: made.link.id, state, pendingVerification: state === 'pending' }]);
  });
});

test.for(Object.entries(ways))('A list by the state %s finds a link with that state, and shows it.', async ([state, put]) => {
  const made = await newLink(state === 'pending' ? 'PENDING_DNS' : 'ACTIVE');
  await put(made);
  const { links } = (await startEndpoint('list-links')({ workspaceId: made.workspaceId, query: { state } })).body;
  expect(links).toMatchObject([{ id: made.link.id, state }]);
});

/** Settings of new links, and their first states, on active and pending domains. */
const beginnings = [
  ['active', 'ACTIVE', { maxClicks: 1 }],
  ['inactive', 'ACTIVE', { isActive: false }],
  ['scheduled', 'PENDING_DNS', { startsAt: future }],
  ['expired', 'PENDING_DNS', { expiresAt: past }],
  ['pending', 'PENDING_DNS', {}],
] as const;

test.for(beginnings)('Each way to create a link shows that it is %s.', async ([state, status, settings]) => {
  const { workspaceId, domain } = await newLink(status);
  const link = { url: 'https://example.org/', ...settings };
  const created = await startEndpoint('create-link')({ workspaceId, body: { domain, ...link } });
  const put = await startEndpoint('put-link')({ workspaceId, externalId: 'page:2', body: { domain, ...link } });
  const imported = await startEndpoint('bulk-create-links')({ workspaceId, body: { domain, links: [link] } });
  expect([created.body.link, put.body.link, ...imported.body.links].map((one) => one.state)).toEqual([state, state, state]);
});

test('A PUT changes a disabled link, and shows that it is still disabled.', async () => {
  const { workspaceId, domain, link, body } = await newLink('ACTIVE');
  await store.setDisabled(link, true);
  const { externalId, ...sent } = body;
  const put = await startEndpoint('put-link')({ workspaceId, externalId, body: { ...sent, domain, isActive: true } });
  expect(put.body.link).toMatchObject({ isActive: true, state: 'disabled' });
  expect(JSON.stringify(put.body)).not.toContain('disabledAt');
});
