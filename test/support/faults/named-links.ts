import { expect } from 'vitest';
import type { Link } from '../../../lambdas/core/link/link.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { type EndpointCall, startEndpoint } from '../http/invoke.ts';
import { changeLink, keyOfLink } from '../things/history.ts';
import {
  type Answer,
  batchGet,
  type Command,
  get,
  query,
  type ReadCommand,
  type Scenario,
  type Scenarios,
  store,
  transact,
  update,
} from './scenario.ts';

// Requests that name a link by its external id. While one is under way, somebody else gives the external id to another
// link: if the request has found the first one by then, it must still be about that.

const name = 'ext_page:1';

/** A link with an external id and an alias, another one, and a change of both. */
async function twoLinks() {
  const { workspaceId, domain } = await store.newWorkspace();
  const create = async (settings: object) =>
    (await store.createLink(domain, { url: 'https://example.org/', ...settings }, store.newLease())).link;
  const [link, other] = [await create({ externalId: 'page:1', customSlug: 'First' }), await create({})];
  const current = async ({ id }: Link) => (await store.getLink(workspaceId, id))?.link;
  await changeLink(store, workspaceId, link.id, { customSlug: 'Second' });
  return {
    workspaceId,
    link,
    current: () => current(link),
    currentOther: () => current(other),
    handOver: async () => {
      const [from, to] = await store.getLinks(workspaceId, [link.id, other.id]);
      if (from) await store.updateLink(from, { externalId: null });
      if (to) await store.updateLink(to, { externalId: 'page:1' });
    },
    expectOther: async () =>
      expect(await current(other)).toEqual({ ...other, externalId: 'page:1', revision: 1, updatedAt: expect.any(String) }),
  };
}

type TwoLinks = Awaited<ReturnType<typeof twoLinks>>;

const reading = (
  calls: readonly ReadCommand[],
  endpoint: string,
  expected: (links: TwoLinks) => object = () => ({}),
): Scenario => ({
  calls,
  arrange: async () => {
    const links = await twoLinks();
    return {
      act: async (budget) => {
        const answer = await startEndpoint(endpoint)({ workspaceId: links.workspaceId, id: name, budget });
        if (answer.status === 200 && typeof answer.body === 'object') expect(answer.body).toMatchObject(expected(links));
        return answer;
      },
      check: async () => {},
    };
  },
});

const writing = (
  calls: readonly Command[],
  endpoint: string,
  traits: { readonly succeeds?: number; readonly repeated?: readonly number[]; readonly settles?: true | number },
  call: Partial<EndpointCall>,
  expectDone: (links: TwoLinks) => Promise<unknown>,
): Scenario => ({
  calls,
  ...traits,
  arrange: async () => {
    const links = await twoLinks();
    const { workspaceId, link, handOver, current, currentOther, expectOther } = links;
    let [isFound, wasFound] = [false, false];
    return {
      act: async (budget: number): Promise<Answer> => {
        const stop = intercept(async (_, input, next) => {
          const output = await next(input);
          isFound ||= JSON.stringify(input).includes(keyOfLink(link.id).pk);
          return output;
        });
        const answer = await startEndpoint(endpoint)({ workspaceId, ...call, budget }).finally(stop);
        const { failed = [] } = (answer.body ?? {}) as { failed?: { code: string }[] };
        const isUnavailable = failed.some(({ code }) => code === 'temporarily_unavailable');
        return isUnavailable ? { status: 503, headers: { 'Retry-After': '1' } } : answer;
      },
      check: async () => void (await expectDone(links)),
      meanwhile: () => {
        wasFound = isFound;
        return handOver();
      },
      checkBoth: async ({ status }) => {
        expect(status).toBe(traits.succeeds ?? 200);
        await expectDone(wasFound ? links : { ...links, current: currentOther });
        if (wasFound) await expectOther();
        else expect(await current()).toMatchObject({ title: null });
      },
    };
  },
});

const isGone = async ({ current }: TwoLinks) => expect(await current()).toBeUndefined();
const isChanged = async ({ current }: TwoLinks) => expect(await current()).toMatchObject({ title: 'New' });

/** A query of clicks. Lists of all clicks query twice: the newest month, and the others. */
const asked = Array.from({ length: 9 }, () => query);

/** Requests about links by their external ids. */
export const namedLinkScenarios: Scenarios = {
  'get-link: by its external id': reading([get, batchGet, get, batchGet], 'get-link', ({ link }) => ({ link: { id: link.id } })),
  'get-link-qr: by its external id': reading([get, get], 'get-link-qr'),
  'get-link-stats: by its external id': reading([get, get, ...asked], 'get-link-stats', () => ({ total: 0 })),
  'list-clicks: by its external id': {
    ...reading([get, get, ...asked, ...asked], 'list-clicks', () => ({ clicks: [] })),
    // With little time left, the page ends before the second query.
    forgivenFrom: 11,
  },
  'list-link-history: by its external id': reading([batchGet, get, query], 'list-link-history', ({ link }) => ({
    entries: [{ subject: { id: link.id } }, {}],
  })),
  'update-link: by its external id': writing(
    [get, batchGet, update, get, batchGet],
    'update-link',
    {},
    { id: name, body: { title: 'New' } },
    isChanged,
  ),
  'delete-link: by its external id': writing(
    [get, batchGet, transact],
    'delete-link',
    { succeeds: 204, repeated: [404] },
    { id: name },
    isGone,
  ),
  'delete-link-alias: by its external id': writing(
    [get, batchGet, update],
    'delete-link-alias',
    { succeeds: 204, repeated: [404], settles: true },
    { id: name, slug: 'First' },
    async ({ current }) => expect(await current()).toMatchObject({ shortCode: 'Second', aliases: [] }),
  ),
  'delete-link-alias-by-slug: by its external id': writing(
    [get, batchGet, update],
    'delete-link-alias-by-slug',
    { succeeds: 204, repeated: [404], settles: true },
    { id: name, query: { slug: 'First' } },
    async ({ current }) => expect(await current()).toMatchObject({ shortCode: 'Second', aliases: [] }),
  ),
  'delete-clicks: by its external id': writing(
    [get, get, transact],
    'delete-clicks',
    { succeeds: 204 },
    { id: name },
    async ({ current }) => expect((await current())?.clickEpoch).toBeGreaterThanOrEqual(1),
  ),
  'bulk-update-links: by external ids': writing(
    [update, batchGet, batchGet, update],
    'bulk-update-links',
    { settles: 3 },
    { body: { ids: [name], fields: { title: 'New' } } },
    isChanged,
  ),
  'bulk-delete-links: by external ids': writing(
    [update, batchGet, batchGet, transact],
    'bulk-delete-links',
    {},
    { body: { ids: [name] } },
    isGone,
  ),
};
