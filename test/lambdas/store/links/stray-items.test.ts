import { AsyncLocalStorage } from 'node:async_hooks';
import { beforeAll, describe, expect, test } from 'vitest';
import { locationOf, newLinkId } from '../../../../lambdas/core/link/location.ts';
import { getLinkByExternalId } from '../../../../lambdas/store/links/external-ids.ts';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import { externalIdKey, linkKey } from '../../../../lambdas/store/table/keys.ts';
import { asOther } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { visit } from '../../../support/things/visit.ts';

// The item of an external id or an alias whose link is gone, or does not have the id or the slug, reserves nothing. A
// partial restoration of a backup may leave such items.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const url = 'https://example.org/';
const theirs = 'https://example.org/theirs';

/** A workspace with a link, and ids that stray items may name. */
async function start() {
  const { workspaceId, domain } = await store.newWorkspace();
  const foreign = await store.newWorkspace();
  const create = async (settings: object = {}, on = domain) =>
    (await store.createLink(on, { url: theirs, ...settings }, store.newLease())).link;
  const find = async (id: string) => (await store.getLink(workspaceId, id)) ?? undefined;
  const edit = async (id: string, edits: object) => {
    const found = await find(id);
    if (found) await store.updateLink(found, edits).catch(() => undefined);
  };
  const [mine, deleted, other] = [await create(), await create(), await create({ externalId: 'other', customSlug: 'other' })];
  const gone = await find(deleted.id);
  if (gone) await store.deleteLink(gone);
  const call = (name: string, more: object) => callEndpoint(name, { workspaceId, budget: 5_000, ...more });
  const strays = {
    'a link that never existed': newLinkId(locationOf(domain.domainId, 'never')),
    'a link that was deleted': deleted.id,
    'a link that has another one': other.id,
    'the link that wants it': mine.id,
  };
  /** A link on another domain that has the same external id and slug. */
  const namesake = async (name: string) => (await create({ externalId: name, customSlug: name }, foreign.domain)).id;
  return { workspaceId, domain, mine, create, find, edit, call, strays, namesake };
}
type Started = Awaited<ReturnType<typeof start>>;
type Answer = { readonly status: number; readonly body: { readonly links?: readonly object[]; readonly link?: object } };

/** A way to take an external id or a slug, by one request. */
type Way = (started: Started, name: string) => Promise<Answer>;

const imported =
  (entry: (name: string) => object): Way =>
  ({ call, domain }, name) =>
    call('bulk-create-links', { body: { domain: domain.host, links: [{ url, ...entry(name) }] } });

const created =
  (settings: (name: string) => object): Way =>
  ({ call, domain }, name) =>
    call('create-link', { body: { domain: domain.host, url, ...settings(name) } });

const put =
  (settings: object): Way =>
  ({ call, domain }, name) =>
    call('put-link', { externalId: name, body: { domain: domain.host, url, ...settings } });

/** For an external id and a slug: ways to take it, its item, the link that has it, and requests that give it up and take it back. */
const kinds = {
  'an external id': {
    ways: {
      'a PUT': put({}),
      'a POST': created((externalId) => ({ externalId })),
      'a PATCH': ({ call, mine }, externalId) => call('update-link', { id: mine.id, body: { url, externalId } }),
      'an import': imported((externalId) => ({ externalId })),
    } as Readonly<Record<string, Way>>,
    item: ({ workspaceId }: Started, name: string, linkId: string) => ({
      ...externalIdKey(workspaceId, name),
      linkId,
      taken: 'before',
    }),
    holder: async ({ workspaceId }: Started, name: string) => (await getLinkByExternalId(workspaceId, name))?.link,
    has: { externalId: 'wanted' },
    lacks: { externalId: null },
    refusal: 'external_id_taken',
  },
  'an alias': {
    ways: {
      'a PUT': (started, customSlug) => put({ customSlug })(started, 'new'),
      'a POST': created((customSlug) => ({ customSlug })),
      'a POST with a cap': created((customSlug) => ({ customSlug, maxClicks: 1 })),
      'a PATCH': ({ call, mine }, customSlug) => call('update-link', { id: mine.id, body: { url, customSlug } }),
      'an import': imported((customSlug) => ({ customSlug })),
      'an import with a cap': imported((customSlug) => ({ customSlug, maxClicks: 1 })),
    } as Readonly<Record<string, Way>>,
    item: ({ domain }: Started, name: string, aliasOf: string) => ({
      ...linkKey(locationOf(domain.domainId, name)),
      aliasOf,
      taken: 'before',
      formerMarks: {},
    }),
    holder: ({ domain }: Started, name: string) => store.getLinkAt(domain.domainId, name),
    has: { customSlug: 'wanted' },
    lacks: { removedAlias: 'wanted' },
    refusal: 'slug_taken',
  },
};

/** Does the work, and the others in turn before its calls from this number on. */
async function overtakenAt(call: number, others: readonly (() => Promise<unknown>)[], work: () => Promise<unknown>) {
  const mine = new AsyncLocalStorage<true>();
  let calls = 0;
  const stop = intercept(async (_, input, next) => {
    const other = mine.getStore() && others[calls++ - call];
    if (other) await asOther(other);
    return next(input);
  });
  try {
    await mine.run(true, work);
  } finally {
    stop();
  }
}

const isDone = ({ status, body }: Answer) => status < 300 && (body.link !== undefined || 'id' in (body.links?.[0] ?? {}));

describe.for(Object.entries(kinds))('The item of %s', ([, { ways, item, holder, has, lacks, refusal }]) => {
  describe.for(Object.entries(ways))('which is to be taken by %s', ([, take]) => {
    test('It reserves nothing if it names a link that is gone, or does not have it.', async () => {
      const names = [...Object.keys((await start()).strays), 'a namesake elsewhere'];
      for (const stray of names) {
        const started = await start();
        const id = { ...started.strays, 'a namesake elsewhere': await started.namesake('wanted') }[stray] ?? '';
        await store.putItem(item(started, 'wanted', id));
        expect(await holder(started, 'wanted'), stray).toBeUndefined();
        expect([stray, isDone(await take(started, 'wanted'))]).toEqual([stray, true]);
        const link = await holder(started, 'wanted');
        expect(link?.url).toBe(url);
        // It has an owner now, which can give it up.
        const again = await started.call('create-link', { body: { domain: started.domain.host, url, ...has } });
        expect(again.body.code).toBe(refusal);
        expect((await started.call('delete-link', { id: link?.id })).status).toBe(204);
        expect(await holder(started, 'wanted')).toBeUndefined();
      }
    });

    test.for([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
      'It is not taken from a link that gives it up before call %i and takes it back before the next one.',
      async (call) => {
        const started = await start();
        const { create, edit, find, mine } = started;
        const { id } = await create();
        await edit(id, has);
        // Its slug is then an alias, which can be removed.
        if ('customSlug' in has) await edit(id, { customSlug: 'another' });
        await overtakenAt(call, [() => edit(id, lacks), () => edit(id, has)], () => take(started, 'wanted'));
        // It finds exactly the link that has it, which can be deleted.
        const link = await holder(started, 'wanted');
        const links = await Promise.all([...new Set([id, mine.id, link?.id ?? id])].map(find));
        const claiming = links.filter((one) => {
          const { externalId, shortCode, aliases } = one?.link ?? { externalId: null, shortCode: '', aliases: [] };
          return [externalId, shortCode, ...aliases].includes('wanted');
        });
        expect(claiming.map((one) => one?.link.id)).toEqual(link ? [link.id] : []);
        for (const one of claiming) if (one) await store.deleteLink(one);
        expect(await holder(started, 'wanted')).toBeUndefined();
      },
    );
  });
});

test('A visit does not follow an alias to a link that does not list it.', async () => {
  const started = await start();
  process.env.SERVED_NAMES = '*';
  await store.putItem(kinds['an alias'].item(started, 'stray', started.mine.id));
  expect((await visit({ host: started.domain.host, path: '/stray' })).statusCode).toBe(404);
});
