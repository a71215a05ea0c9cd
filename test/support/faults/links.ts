import { expect } from 'vitest';
import { callEndpoint, startEndpoint } from '../invoke.ts';
import {
  batchGet,
  color,
  get,
  ifMatch,
  linkWithTags,
  none,
  one,
  put,
  query,
  type Scenario,
  setCaps,
  store,
  transact,
  update,
} from './scenario.ts';

/** Creates a link with a custom slug, on a domain that no function has cached yet. */
async function creation(headers: Record<string, string>, settings: (tagIds: string[]) => object) {
  const { workspaceId, domain } = await store.newWorkspace();
  const { id: tagId } = await store.createTag(workspaceId, { name: 'New', color });
  const sent = settings([tagId]);
  const body = { domain: domain.host, url: 'https://example.org/', customSlug: 'New', title: 'New', ...sent };
  const call = startEndpoint('create-link');
  return {
    act: (budget: number) => call({ workspaceId, headers, body, budget }),
    check: async () => {
      const link = await store.getLinkAt(domain.domainId, 'new');
      expect(link).toMatchObject({ url: 'https://example.org/', shortCode: 'New', title: 'New', ...sent });
      expect(await store.usedOf({ id: link?.id ?? '' })).toBe(link?.maxClicks === null ? undefined : 0);
      expect(await store.countsOf(workspaceId, [tagId], [link?.id ?? ''])).toEqual([link?.tagIds.length === 1 ? one : none]);
      expect(await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspaceId}#LINKS` }))).toHaveLength(1);
    },
  };
}

/** Gets a page of a list of links, on a domain that no function has cached yet. */
async function listing(query: Record<string, string>, more: (tagId: string) => Record<string, string> = () => ({})) {
  const { workspaceId, id, a } = await linkWithTags();
  return {
    act: async (budget: number) => {
      const answer = await callEndpoint('list-links', { workspaceId, query: { ...query, ...more(a) }, budget });
      if (answer.status === 200) expect(answer.body).toMatchObject({ links: [{ id }], nextCursor: null });
      return answer;
    },
    check: async () => {},
  };
}

async function deletion(headersFor: (workspaceId: string, id: string) => Promise<Record<string, string>>) {
  const { workspace, workspaceId, id, a, b, counts, current } = await linkWithTags();
  await setCaps(workspaceId, [id], [5]);
  // A domain in this status is not cached.
  await store.addDomain(workspaceId, workspace.domain.host, 'PENDING_DNS');
  const headers = await headersFor(workspaceId, id);
  return {
    act: (budget: number) => callEndpoint('delete-link', { workspaceId, id, headers, budget }),
    check: async () => {
      expect([await current(), await store.getCap({ id })]).toEqual([undefined, undefined]);
      expect(await counts()).toEqual([none, none, none]);
      for (const tagId of [a, b])
        expect(await Array.fromAsync(store.query({ pk: `TAG#${tagId}`, skPrefix: 'LINK#' }))).toEqual([]);
    },
  };
}

/** Requests for one link, and for lists of links. */
export const linkScenarios: Record<string, Scenario> = {
  'update-link: cloaked': {
    calls: [batchGet, get, batchGet, update, update, update, batchGet],
    arrange: async () => {
      const { workspaceId, id, current } = await linkWithTags();
      const fields = { url: 'https://example.org/framed', cloaked: true };
      const call = startEndpoint('update-link');
      return {
        act: (budget) => call({ workspaceId, id, body: fields, budget }),
        check: async () => expect(await current()).toMatchObject(fields),
      };
    },
  },
  'update-link: settings': {
    calls: [batchGet, get, batchGet, update, batchGet],
    arrange: async () => {
      const { workspaceId, id, counts, current } = await linkWithTags();
      const call = startEndpoint('update-link');
      return {
        act: (budget) => call({ workspaceId, id, body: { url: 'https://example.org/new', title: 'New' }, budget }),
        check: async () => {
          expect(await current()).toMatchObject({ url: 'https://example.org/new', title: 'New' });
          expect(await counts()).toEqual([one, one, none]);
        },
      };
    },
  },
  'update-link: a cap again': {
    calls: [batchGet, get, transact, batchGet, batchGet],
    arrange: async () => {
      const { workspaceId, id, counts, current } = await linkWithTags();
      await setCaps(workspaceId, [id], [5, null]);
      return {
        act: (budget) => callEndpoint('update-link', { workspaceId, id, body: { maxClicks: 7, title: 'New' }, budget }),
        check: async () => {
          expect(await current()).toMatchObject({ maxClicks: 7, title: 'New', capEpoch: 2 });
          expect(await store.getCap({ id })).toEqual({ linkId: id, epoch: 2, used: 0 });
          expect(await counts()).toEqual([one, one, none]);
        },
      };
    },
  },
  'update-link: tags': {
    calls: [batchGet, batchGet, transact, batchGet, batchGet],
    arrange: async () => {
      const { workspaceId, id, b, c, counts, current } = await linkWithTags();
      return {
        act: (budget) => callEndpoint('update-link', { workspaceId, id, body: { tagIds: [c, b], title: 'New' }, budget }),
        check: async () => {
          expect(await current()).toMatchObject({ tagIds: [c, b], title: 'New' });
          expect(await counts()).toEqual([none, one, one]);
        },
      };
    },
  },
  'update-link: settings, as they were known': {
    calls: [batchGet, batchGet, update, batchGet],
    // The first attempt has already changed it.
    repeated: [412],
    arrange: async () => {
      const { workspaceId, id, counts, current } = await linkWithTags();
      const headers = await ifMatch('get-link', workspaceId, id);
      return {
        act: (budget) => callEndpoint('update-link', { workspaceId, id, headers, body: { title: 'New' }, budget }),
        check: async () => {
          expect(await current()).toMatchObject({ title: 'New', revision: 2 });
          expect(await counts()).toEqual([one, one, none]);
        },
      };
    },
  },
  'create-link': {
    calls: [get, get, batchGet, put],
    succeeds: 201,
    settles: true,
    repeated: [409],
    arrange: () => creation({}, () => ({ expiresAt: '2040-01-01T00:00:00.000Z' })),
  },
  'create-link: with a cap': {
    calls: [get, get, batchGet, transact],
    succeeds: 201,
    repeated: [409],
    arrange: () => creation({}, () => ({ maxClicks: 5 })),
  },
  'create-link: cloaked': {
    calls: [get, get, batchGet, update, update, put],
    succeeds: 201,
    settles: true,
    repeated: [409],
    arrange: () => creation({}, () => ({ cloaked: true })),
  },
  'create-link: with tags': {
    calls: [get, get, batchGet, batchGet, transact],
    repeated: [409],
    succeeds: 201,
    arrange: () => creation({}, (tagIds) => ({ tagIds })),
  },
  'create-link: with tags and a key': {
    calls: [get, get, get, batchGet, put, batchGet, transact, update],
    succeeds: 201,
    arrange: () => creation({ 'Idempotency-Key': 'key' }, (tagIds) => ({ tagIds })),
  },
  'get-link': {
    calls: [batchGet, batchGet],
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      return { act: (budget) => callEndpoint('get-link', { workspaceId, id, budget }), check: async () => {} };
    },
  },
  'lookup-link': {
    calls: [get, get, batchGet, batchGet],
    arrange: async () => {
      const { workspace, workspaceId, current } = await linkWithTags();
      const query = { domain: workspace.domain.host, slug: (await current())?.shortCode ?? '' };
      return { act: (budget) => callEndpoint('lookup-link', { workspaceId, query, budget }), check: async () => {} };
    },
  },
  'list-links': {
    calls: [query, batchGet, batchGet],
    arrange: () => listing({}),
  },
  'list-links: of a tag': {
    calls: [get, query, batchGet, batchGet],
    arrange: () => listing({}, (tagId) => ({ tagId })),
  },
  'list-links: with a text': {
    calls: [query, batchGet, batchGet, batchGet],
    arrange: () => listing({ q: 'example' }),
  },
  'list-tag-links': {
    calls: [get, query, batchGet, batchGet],
    arrange: async () => {
      const { workspaceId, a } = await linkWithTags();
      return { act: (budget) => callEndpoint('list-tag-links', { workspaceId, id: a, budget }), check: async () => {} };
    },
  },
  'delete-link': {
    calls: [batchGet, batchGet, transact],
    repeated: [404],
    succeeds: 204,
    arrange: () => deletion(async () => ({})),
  },
  'update-link: tags, as they were known': {
    calls: [batchGet, batchGet, batchGet, transact, batchGet, batchGet],
    repeated: [412],
    arrange: async () => {
      const { workspaceId, id, b, c, counts, current } = await linkWithTags();
      const headers = await ifMatch('get-link', workspaceId, id);
      return {
        act: (budget) =>
          callEndpoint('update-link', { workspaceId, id, body: { tagIds: [c, b], title: 'New' }, headers, budget }),
        check: async () => {
          expect(await current()).toMatchObject({ tagIds: [c, b], title: 'New' });
          expect(await counts()).toEqual([none, one, one]);
        },
      };
    },
  },
  'delete-link: as it was known': {
    calls: [batchGet, batchGet, batchGet, transact],
    repeated: [404],
    succeeds: 204,
    arrange: () => deletion((workspaceId, id) => ifMatch('get-link', workspaceId, id)),
  },
};

/** Cases too rare to be tried under every fault. They still need permissions, which a test checks. */
export const seldomLinks: Record<string, Scenario['arrange']> = {
  'create-link: taken over': async () => {
    const { workspaceId, domain } = await store.newWorkspace();
    const body = { domain: domain.host, url: 'https://example.org/' };
    const create = () => callEndpoint('create-link', { workspaceId, headers: { 'Idempotency-Key': 'key' }, body });
    await create();
    const [record] = await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspaceId}`, skPrefix: 'REQUEST#' }));
    await store.updateItem(record as never, {
      text: 'SET #leaseUntil = :past REMOVE #result',
      values: { ':past': 1 },
    });
    return {
      act: create,
      check: async () => {
        expect(await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspaceId}#LINKS` }))).toHaveLength(1);
      },
    };
  },
};
