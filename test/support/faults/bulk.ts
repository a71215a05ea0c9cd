import { expect } from 'vitest';
import { callEndpoint, type EndpointCall, startEndpoint } from '../invoke.ts';
import {
  type Answer,
  batchGet,
  get,
  insert,
  linkWithTags,
  none,
  put,
  type Scenario,
  setCaps,
  store,
  transact,
  two,
  update,
} from './scenario.ts';

/** Two links with the first two of three tags. */
async function linksWithTags() {
  const { workspace, workspaceId, id, a, b, c } = await linkWithTags();
  const [other] = await store.newLinks(workspace, 1);
  if (!other) throw new Error('no link');
  await store.updateLink(other, { tagIds: [a, b] });
  const ids = [id, other.link.id];
  const counts = () => store.countsOf(workspaceId, [a, b, c], ids);
  const current = async () => (await store.getLinks(workspaceId, ids)).map((found) => found?.link);
  return { workspaceId, ids, a, b, c, counts, current };
}

/**
 * Sends a bulk request. If it reports links as temporarily unavailable, this counts as a 503, which the client repeats.
 */
async function bulk(name: string, call: EndpointCall, send = (sent: EndpointCall) => callEndpoint(name, sent)): Promise<Answer> {
  const answer = await send(call);
  const { failed = [] } = answer.body as { failed?: { code: string }[] };
  const codes = new Set(failed.map(({ code }) => code));
  return codes.has('temporarily_unavailable') ? { status: 503, headers: { 'Retry-After': '1' } } : answer;
}

function importScenario(headers: Record<string, string>, calls: readonly string[]): Scenario {
  return {
    calls,
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      // Two calls of 25 at most.
      const count = 30;
      const links = Array.from({ length: count }, (_, index) => ({
        url: `https://example.org/${index}`,
        customSlug: `slug-${index}`,
      }));
      const call = startEndpoint('bulk-create-links');
      return {
        act: async (budget) => {
          const answer = await call({
            workspaceId,
            headers,
            body: { domain: domain.host, links },
            budget,
          });
          const { body } = answer as { body: { failed?: { code: string }[]; created?: number } };
          if (answer.status !== 200) return answer;
          // With a key, all links must be created. Without one, those that are missing must be reported.
          const codes = new Set(body.failed?.map(({ code }) => code));
          if ('Idempotency-Key' in headers) expect([body.created, [...codes]]).toEqual([count, []]);
          return codes.has('temporarily_unavailable') ? { status: 503, headers: { 'Retry-After': '1' } } : answer;
        },
        check: async () => {
          const keys = await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspaceId}#LINKS` }));
          const items = await store.getItems(keys as never);
          expect(items.map((item) => item?.shortCode).sort()).toEqual(links.map(({ customSlug }) => customSlug).sort());
        },
      };
    },
  };
}

/** Bulk requests. */
export const bulkScenarios: Record<string, Scenario> = {
  'bulk-update-links: settings': {
    calls: [update, batchGet, get, batchGet, update, update],
    settles: 4,
    arrange: async () => {
      const { workspaceId, ids, a, b, counts, current } = await linksWithTags();
      const fields = { url: 'https://example.org/new', title: 'New' };
      const call = startEndpoint('bulk-update-links');
      return {
        act: (budget) => bulk('bulk-update-links', { workspaceId, body: { ids, fields }, budget }, call),
        check: async () => {
          for (const link of await current()) expect(link).toMatchObject({ ...fields, tagIds: [a, b] });
          expect(await counts()).toEqual([two, two, none]);
        },
      };
    },
  },
  'bulk-update-links: tags': {
    calls: [update, batchGet, batchGet, transact],
    arrange: async () => {
      const { workspaceId, ids, b, c, counts, current } = await linksWithTags();
      const fields = { tagIds: [c, b], title: 'New' };
      return {
        act: (budget) => bulk('bulk-update-links', { workspaceId, body: { ids, fields }, budget }),
        check: async () => {
          for (const link of await current()) expect(link).toMatchObject(fields);
          expect(await counts()).toEqual([none, two, two]);
        },
      };
    },
  },
  'bulk-update-links: tags, and a cap again': {
    calls: [update, batchGet, batchGet, get, get, transact],
    arrange: async () => {
      const { workspaceId, ids, b, c, counts, current } = await linksWithTags();
      await setCaps(workspaceId, ids, [5, null]);
      const fields = { tagIds: [c, b], maxClicks: 7 };
      return {
        act: (budget) => bulk('bulk-update-links', { workspaceId, body: { ids, fields }, budget }),
        check: async () => {
          for (const link of await current()) expect(link).toMatchObject({ ...fields, capEpoch: 2 });
          for (const id of ids) expect(await store.getCap({ id })).toEqual({ linkId: id, epoch: 2, used: 0 });
          expect(await counts()).toEqual([none, two, two]);
        },
      };
    },
  },
  'bulk-delete-links: with tags': {
    calls: [update, batchGet, batchGet, transact],
    arrange: async () => {
      const { workspaceId, ids, counts, current } = await linksWithTags();
      await setCaps(workspaceId, ids, [5]);
      return {
        act: (budget) => bulk('bulk-delete-links', { workspaceId, body: { ids }, budget }),
        check: async () => {
          expect(await current()).toEqual([undefined, undefined]);
          for (const id of ids) expect(await store.getCap({ id })).toBeUndefined();
          expect(await counts()).toEqual([none, none, none]);
        },
      };
    },
  },
  'bulk-create-links: without a key': importScenario({}, [update, get, get, batchGet, insert, insert]),
  'bulk-create-links: with a key': importScenario({ 'Idempotency-Key': 'key' }, [
    update,
    get,
    get,
    get,
    batchGet,
    put,
    insert,
    insert,
    update,
  ]),
};

/** Cases too rare to be tried under every fault. They still need permissions, which a test checks. */
export const seldomBulk: Record<string, Scenario['arrange']> = {
  'bulk-create-links: at the address of a deleted link': async () => {
    const { workspaceId, domain } = await store.newWorkspace();
    const { link } = await store.createLink(domain, { url: 'https://example.org/', customSlug: 'again' }, store.newLease());
    await store.deleteLink({ link, clickCount: 0 });
    const body = { domain: domain.host, links: [{ url: 'https://example.org/', customSlug: 'again' }] };
    return {
      act: () => callEndpoint('bulk-create-links', { workspaceId, body }),
      check: async () => expect(await store.getLinkAt(domain.domainId, 'again')).toMatchObject({ shortCode: 'again' }),
    };
  },
};
