import { expect } from 'vitest';
import type { Link } from '../../../lambdas/core/link/link.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { getLinkByExternalId } from '../../../lambdas/store/links/external-ids.ts';
import { framingLimitKey } from '../../../lambdas/store/table/keys.ts';
import { callEndpoint, startEndpoint } from '../http/invoke.ts';
import { cheapHash } from '../things/password.ts';
import {
  type Answer,
  batchGet,
  changeAsOther,
  color,
  expectAgreement,
  get,
  ifMatch,
  linkWithTags,
  none,
  one,
  plenty,
  put,
  query,
  refusalOf,
  rivalOf,
  type Scenarios,
  setCaps,
  store,
  transact,
  update,
} from './scenario.ts';

/**
 * Creates a link with a custom slug, on a domain that no function has cached yet. Somebody else wants the slug too.
 *
 * @param settings of the request. @param stored those that the link then has, if they differ.
 */
async function creation(headers: Record<string, string>, settings: (tagIds: string[]) => object, stored = settings) {
  const { workspaceId, domain } = await store.newWorkspace();
  const { id: tagId } = await store.createTag(workspaceId, { name: 'New', color });
  const sent = stored([tagId]);
  const body = { domain: domain.host, url: 'https://example.org/', customSlug: 'New', title: 'New', ...settings([tagId]) };
  const call = startEndpoint('create-link');
  const expectLink = async (expected: object) => {
    const link = await store.getLinkAt(domain.domainId, 'new');
    expect(link).toMatchObject({ url: 'https://example.org/', shortCode: 'New', ...expected });
    expect(await store.usedOf({ id: link?.id ?? '' })).toBe(link?.maxClicks === null ? undefined : 0);
    expect(await store.countsOf(workspaceId, [tagId], [link?.id ?? ''])).toEqual([link?.tagIds.length === 1 ? one : none]);
    expect(await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspaceId}#LINKS` }))).toHaveLength(1);
  };
  let isFirst = true;
  return {
    act: (budget: number) => call({ workspaceId, headers, body, budget }),
    check: () => expectLink({ title: 'New', ...sent }),
    meanwhile: async () => {
      const theirs = { url: 'https://example.org/', customSlug: 'New', title: 'Theirs' };
      isFirst = (await refusalOf(store.createLink(domain, theirs, store.newLease()))) === 'slug_taken';
      const there = await store.getLinkAt(domain.domainId, 'new');
      if (isFirst) await changeAsOther(workspaceId, there?.id ?? '', { title: 'Theirs' });
    },
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(isFirst ? 201 : 409);
      await expectLink({ title: 'Theirs', ...(isFirst ? sent : { tagIds: [], maxClicks: null }) });
    },
  };
}

/** Gets a page of a list of links, on a domain that no function has cached yet. */
async function listing(
  query: Record<string, string>,
  more: (a: string, b: string) => Record<string, string> = () => ({}),
  changes: LinkChanges = {},
) {
  const { workspaceId, id, a, b } = await linkWithTags();
  await changeAsOther(workspaceId, id, changes);
  return {
    act: async (budget: number) => {
      const response = await startEndpoint('list-links')({ workspaceId, query: { ...query, ...more(a, b) }, budget });
      if (response.status === 200) expect(response.body).toMatchObject({ links: [{ id }], nextCursor: null });
      return response;
    },
    check: async () => {},
  };
}

/**
 * Deletes a link. Somebody else changes it meanwhile; or if it is gone already, creates another at its address.
 *
 * @param isConditional if the link may be deleted only as it was known.
 */
async function deletion(isConditional: boolean) {
  const { workspace, workspaceId, id, shortCode, a, b, counts, current } = await linkWithTags();
  await setCaps(workspaceId, [id], [5]);
  // A domain in this status is not cached.
  await store.addDomain(workspaceId, workspace.domain.host, 'PENDING_DNS');
  const headers = isConditional ? await ifMatch('get-link', workspaceId, id) : {};
  let their: Link | undefined;
  const expectDeleted = async () => {
    expect([await current(), await store.getCap({ id })]).toEqual([undefined, undefined]);
    expect(await counts()).toEqual([none, none, none]);
    for (const tagId of [a, b]) expect(await Array.fromAsync(store.query({ pk: `TAG#${tagId}`, skPrefix: 'LINK#' }))).toEqual([]);
  };
  return {
    act: (budget: number) => startEndpoint('delete-link')({ workspaceId, id, headers, budget }),
    check: expectDeleted,
    meanwhile: async () => {
      if (await changeAsOther(workspaceId, id, { title: 'Theirs' })) return;
      const url = 'https://example.org/theirs';
      ({ link: their } = await store.createLink(workspace.domain, { url, customSlug: shortCode }, store.newLease()));
    },
    checkBoth: async ({ status }: Answer) => {
      if (isConditional && !their) {
        expect([status, (await current())?.title]).toEqual([412, 'Theirs']);
        return expect(await counts()).toEqual([one, one, none]);
      }
      expect(status).toBe(204);
      await expectDeleted();
      expect((await store.getLinkAt(workspace.domain.domainId, shortCode))?.id).toBe(their?.id);
    },
  };
}

/**
 * Somebody else changes the same fields of the link.
 *
 * @param isConditional if ours may change the link only as it was known: then it is refused if somebody else was first.
 */
function rivalry(found: Awaited<ReturnType<typeof linkWithTags>>, ours: LinkChanges, theirs: LinkChanges, isConditional = false) {
  const { workspaceId, id, counts, current } = found;
  const { meanwhile, isLater, checkLast } = rivalOf(workspaceId, [id], ours, theirs);
  return {
    meanwhile,
    checkBoth: async ({ status }: Answer) => {
      const isRefused = isConditional && !isLater(0);
      expect(status).toBe(isRefused ? 412 : 200);
      if (isRefused) expect(await current()).toMatchObject(theirs);
      else await checkLast();
      expectAgreement(await counts());
    },
  };
}

/** Replaces a link's tags and its title. @param isByName if the request gives one of the tags by its name. */
async function retagging(isConditional: boolean, isByName = false) {
  const found = await linkWithTags();
  const { workspaceId, id, a, b, c, counts, current } = found;
  const fields = { tagIds: [c, b], title: 'New' };
  const body = isByName ? { tagIds: [c], tagNames: ['b'], title: 'New' } : fields;
  const headers = isConditional ? await ifMatch('get-link', workspaceId, id) : {};
  return {
    act: (budget: number) => startEndpoint('update-link')({ workspaceId, id, headers, body, budget }),
    check: async () => {
      expect(await current()).toMatchObject(fields);
      expect(await counts()).toEqual([none, one, one]);
    },
    ...rivalry(found, fields, { tagIds: [a], title: 'Theirs' }, isConditional),
  };
}

/** A link whose first slug is now an alias. The slug that is shown has an item of its own. */
async function renamedLink() {
  const found = await linkWithTags();
  const { workspaceId, workspace, id, shortCode: first } = found;
  const [one] = await store.getLinks(workspaceId, [id]);
  if (!one) throw new Error('no link');
  await store.updateLink(one, { customSlug: 'Second' });
  const { domainId } = workspace.domain;
  const at = async (slug: string) => (await store.getLinkAt(domainId, slug))?.id;
  const slugs = async () => {
    const link = await found.current();
    return link && [link.shortCode, ...link.aliases];
  };
  /** Whether a new link can have the slug. */
  const isFree = async (slug: string) =>
    (await refusalOf(store.createLink(workspace.domain, { url: 'https://example.org/', customSlug: slug }, store.newLease()))) ===
    undefined;
  return { ...found, first, at, slugs, isFree };
}

/**
 * Gives a link another slug. Somebody else gives it yet another one meanwhile: both lead to it then.
 *
 * @param wasDeleted if another link had the slug and was deleted.
 */
async function renaming(wasDeleted: boolean) {
  const { workspace, workspaceId, id, first, at, slugs, isFree } = await renamedLink();
  const body = { customSlug: 'Third', title: 'New' };
  if (wasDeleted) {
    const { link } = await store.createLink(
      workspace.domain,
      { url: 'https://example.org/', customSlug: 'third' },
      store.newLease(),
    );
    await store.deleteLink({ link, clickCount: 0 });
  }
  const expectSlugs = async (...expected: string[]) => {
    expect(await slugs()).toEqual(expected);
    for (const slug of expected) expect(await at(slug.toUpperCase())).toBe(id);
  };
  let isLater = false;
  return {
    act: (budget: number) => startEndpoint('update-link')({ workspaceId, id, body, budget }),
    check: () => expectSlugs('Third', first, 'Second'),
    meanwhile: async () => {
      const [found] = await store.getLinks(workspaceId, [id]);
      isLater = found?.link.shortCode === 'Third';
      if (found) await store.updateLink(found, { customSlug: 'Theirs' });
    },
    checkBoth: async () => {
      if (isLater) await expectSlugs('Theirs', first, 'Second', 'Third');
      else await expectSlugs('Third', first, 'Second', 'Theirs');
      expect(await isFree('Third')).toBe(false);
    },
  };
}

/** Removes an alias of a link. Somebody else makes it the slug of the link meanwhile, or of another one if it is free. */
async function unaliasing(
  which: 'first' | 'later',
  endpoint: 'delete-link-alias' | 'delete-link-alias-by-slug' = 'delete-link-alias',
) {
  const { workspace, workspaceId, id, first, at, slugs, isFree } = await renamedLink();
  const [found] = await store.getLinks(workspaceId, [id]);
  if (!found) throw new Error('no link');
  await store.updateLink(found, { customSlug: 'Third' });
  const removed = which === 'first' ? first : 'Second';
  const left = which === 'first' ? 'Second' : first;
  let wasThere = true;
  let theirs: Link | undefined;
  const slug = removed.toUpperCase();
  return {
    act: (budget: number) =>
      startEndpoint(endpoint)({
        workspaceId,
        id,
        budget,
        ...(endpoint === 'delete-link-alias' ? { slug } : { query: { slug } }),
      }),
    check: async () => {
      expect([await slugs(), await at(removed)]).toEqual([['Third', left], undefined]);
      // The link itself is at the address of its first slug.
      expect(await isFree(removed)).toBe(which === 'later');
    },
    meanwhile: async () => {
      wasThere = (await at(removed)) === id;
      const [now] = await store.getLinks(workspaceId, [id]);
      if (wasThere && now) await store.updateLink(now, { customSlug: removed });
      else if (which === 'later') {
        const link = { url: 'https://example.org/theirs', customSlug: removed };
        ({ link: theirs } = await store.createLink(workspace.domain, link, store.newLease()));
      }
    },
    checkBoth: async ({ status }: Answer) => {
      if (wasThere) {
        expect(status).toBe(409);
        expect([await slugs(), await at(removed)]).toEqual([[removed, left, 'Third'], id]);
      } else {
        expect([await slugs(), await at(removed)]).toEqual([['Third', left], theirs?.id]);
      }
    },
  };
}

/** A link with an external id, and the links that have one later. */
async function externalLink(settings: LinkChanges = {}) {
  const { domain, workspaceId } = await store.newWorkspace();
  const wanted = { url: 'https://example.org/', externalId: 'page:1', ...settings };
  const { link } = await store.createLink(domain, wanted, store.newLease());
  const holderOf = async (externalId: string) => (await getLinkByExternalId(workspaceId, externalId))?.link.id;
  /** Creates a link with that external id, or returns why it is refused. */
  const take = async (externalId: string) => {
    try {
      return (await store.createLink(domain, { url: 'https://example.org/theirs', externalId }, store.newLease())).link.id;
    } catch (error) {
      return (error as { code?: string }).code ?? '';
    }
  };
  const current = async () => (await store.getLink(workspaceId, link.id))?.link;
  return { domain, workspaceId, id: link.id, holderOf, take, current };
}

/** Changes the external id of a link. Somebody else wants the new one and, if it is free by now, the former one. */
async function identification(externalId: string | null) {
  const { workspaceId, id, holderOf, take, current } = await externalLink();
  let taken: string[] = [];
  return {
    act: (budget: number) => startEndpoint('update-link')({ workspaceId, id, body: { externalId }, budget }),
    check: async () => {
      expect(await current()).toMatchObject({ externalId });
      expect([await holderOf('page:1'), await holderOf('page:2')]).toEqual([undefined, externalId === null ? undefined : id]);
    },
    meanwhile: async () => {
      taken = [await take('page:1'), await take('page:2')];
    },
    checkBoth: async ({ status }: Answer) => {
      const [former, next] = taken;
      const wasFirst = former === 'external_id_taken' && externalId !== null;
      expect(status).toBe(wasFirst ? 409 : 200);
      expect(await current()).toMatchObject({ externalId: wasFirst ? 'page:1' : externalId });
      expect([await holderOf('page:1'), await holderOf('page:2')]).toEqual([
        former === 'external_id_taken' ? (wasFirst ? id : undefined) : former,
        next === 'external_id_taken' ? id : next,
      ]);
    },
  };
}

/** Requests for one link, and for lists of links. */
export const linkScenarios: Scenarios = {
  'update-link: cloaked': {
    calls: [batchGet, get, batchGet, update, update, update, batchGet],
    arrange: async () => {
      const found = await linkWithTags();
      const { workspaceId, id, current } = found;
      const fields = { url: 'https://example.org/framed', cloaked: true };
      const call = startEndpoint('update-link');
      const { meanwhile, checkBoth } = rivalry(found, fields, { url: 'https://example.org/theirs' });
      return {
        act: (budget) => call({ workspaceId, id, body: fields, budget }),
        check: async () => expect(await current()).toMatchObject(fields),
        meanwhile: () => Promise.all([meanwhile(), store.takeLookUps(workspaceId, 1)]),
        checkBoth: async (response) => {
          await checkBoth(response);
          // An attempt whose response was lost may count twice, but none is missing.
          expect([2, 3]).toContain((await store.getItem(framingLimitKey(workspaceId)))?.used);
        },
      };
    },
  },
  'update-link: settings': {
    calls: [batchGet, get, batchGet, update, batchGet],
    arrange: async () => {
      const found = await linkWithTags();
      const { workspaceId, id, counts, current } = found;
      const fields = { url: 'https://example.org/new', title: 'New' };
      const call = startEndpoint('update-link');
      return {
        act: (budget) => call({ workspaceId, id, body: fields, budget }),
        check: async () => {
          expect(await current()).toMatchObject(fields);
          expect(await counts()).toEqual([one, one, none]);
        },
        ...rivalry(found, fields, { title: 'Theirs' }),
      };
    },
  },
  'update-link: a cap again': {
    calls: [batchGet, get, transact, batchGet, get, batchGet],
    arrange: async () => {
      const found = await linkWithTags();
      const { workspaceId, id, counts, current } = found;
      await setCaps(workspaceId, [id], [5, null]);
      const fields = { maxClicks: 7, title: 'New' };
      const { meanwhile, checkBoth } = rivalry(found, fields, { maxClicks: 9 });
      const check = async (expected: object) => {
        expect(await current()).toMatchObject({ title: 'New', capGeneration: 2, ...expected });
        expect(await store.getCap({ id })).toEqual({ linkId: id, generation: 2, used: 0 });
        expect(await counts()).toEqual([one, one, none]);
      };
      return {
        act: (budget) => startEndpoint('update-link')({ workspaceId, id, body: fields, budget }),
        check: () => check(fields),
        meanwhile,
        checkBoth: async (response) => {
          await checkBoth(response);
          await check({});
        },
      };
    },
  },
  'update-link: tags': {
    calls: [batchGet, batchGet, transact, batchGet, get, batchGet],
    arrange: () => retagging(false),
  },
  'update-link: tags by name': {
    calls: [batchGet, batchGet, batchGet, transact, batchGet, get, batchGet],
    arrange: () => retagging(false, true),
  },
  'update-link: another slug': {
    calls: [batchGet, batchGet, transact, batchGet, get, batchGet],
    arrange: () => renaming(false),
  },
  'update-link: the slug of a deleted link': {
    calls: [batchGet, batchGet, transact, batchGet, get, batchGet],
    arrange: () => renaming(true),
  },
  'update-link: one of its aliases': {
    calls: [batchGet, update, get, batchGet],
    arrange: async () => {
      const { workspaceId, id, first, at, slugs } = await renamedLink();
      let isLater = false;
      const expectSlugs = async (...expected: string[]) => {
        expect(await slugs()).toEqual(expected);
        for (const slug of expected) expect(await at(slug)).toBe(id);
      };
      return {
        act: (budget) => startEndpoint('update-link')({ workspaceId, id, body: { customSlug: first }, budget }),
        check: () => expectSlugs(first, 'Second'),
        meanwhile: async () => {
          const [found] = await store.getLinks(workspaceId, [id]);
          isLater = found?.link.shortCode === first;
          if (found) await store.updateLink(found, { customSlug: 'Theirs' });
        },
        checkBoth: () => (isLater ? expectSlugs('Theirs', 'Second', first) : expectSlugs(first, 'Second', 'Theirs')),
      };
    },
  },
  'update-link: a slug that is taken': {
    calls: [batchGet, batchGet, get],
    succeeds: 409,
    arrange: async () => {
      const { workspace, workspaceId, id, first, slugs } = await renamedLink();
      const other = { url: 'https://example.org/', customSlug: 'Third' };
      await store.createLink(workspace.domain, other, store.newLease());
      return {
        act: (budget) => startEndpoint('update-link')({ workspaceId, id, body: { customSlug: 'third', title: 'New' }, budget }),
        check: async () => expect(await slugs()).toEqual(['Second', first]),
      };
    },
  },
  'delete-link-alias': {
    calls: [batchGet, transact, batchGet],
    succeeds: 204,
    repeated: [404],
    arrange: () => unaliasing('later'),
  },
  'delete-link-alias: the first slug': {
    calls: [batchGet, update],
    succeeds: 204,
    settles: true,
    repeated: [404],
    arrange: () => unaliasing('first'),
  },
  'delete-link-alias-by-slug': {
    calls: [batchGet, transact, batchGet],
    succeeds: 204,
    repeated: [404],
    arrange: () => unaliasing('later', 'delete-link-alias-by-slug'),
  },
  'delete-link: with aliases': {
    calls: [batchGet, batchGet, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspace, workspaceId, id, first, at, isFree } = await renamedLink();
      let theirs: Link | undefined;
      return {
        act: (budget) => startEndpoint('delete-link')({ workspaceId, id, budget }),
        check: async () => {
          expect([await at(first), await at('Second')]).toEqual([undefined, undefined]);
          expect([await isFree(first), await isFree('Second')]).toEqual([true, true]);
        },
        meanwhile: async () => {
          const [found] = await store.getLinks(workspaceId, [id]);
          if (found) return store.updateLink(found, { customSlug: 'Third' });
          const link = { url: 'https://example.org/theirs', customSlug: 'Second' };
          ({ link: theirs } = await store.createLink(workspace.domain, link, store.newLease()));
          return theirs;
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(204);
          expect([await at(first), await at('Second'), await at('Third')]).toEqual([undefined, theirs?.id, undefined]);
          expect([await isFree(first), await isFree('Third')]).toEqual([true, true]);
        },
      };
    },
  },
  'lookup-link: by an alias': {
    calls: [get, get, get, batchGet, get, batchGet],
    arrange: async () => {
      const { workspace, workspaceId, id } = await renamedLink();
      const query = { domain: workspace.domain.host, slug: 'SECOND' };
      return {
        act: async (budget) => {
          const response = await startEndpoint('lookup-link')({ workspaceId, query, budget });
          if (response.status === 200) expect(response.body.link.id).toBe(id);
          return response;
        },
        check: async () => {},
      };
    },
  },
  'update-link: settings, as they were known': {
    calls: [batchGet, get, batchGet, update, batchGet],
    // The first attempt has already changed it.
    repeated: [412],
    arrange: async () => {
      const found = await linkWithTags();
      const { workspaceId, id, counts, current } = found;
      const headers = await ifMatch('get-link', workspaceId, id);
      return {
        act: (budget) => startEndpoint('update-link')({ workspaceId, id, headers, body: { title: 'New' }, budget }),
        check: async () => {
          expect(await current()).toMatchObject({ title: 'New', revision: 1 });
          expect(await counts()).toEqual([one, one, none]);
        },
        ...rivalry(found, { title: 'New' }, { title: 'Theirs' }, true),
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
  'create-link: with an external id': {
    calls: [get, get, batchGet, get, transact],
    succeeds: 201,
    repeated: [409],
    arrange: async () => {
      const { workspaceId, domain, holderOf, take, current } = await externalLink();
      const body = { domain: domain.host, url: 'https://example.org/', externalId: 'page:2' };
      const call = startEndpoint('create-link');
      let theirs = '';
      return {
        act: async (budget) => {
          const response = await call({ workspaceId, body, budget });
          if (response.status === 201) expect(response.body.link.externalId).toBe('page:2');
          return response;
        },
        check: async () => {
          expect(await holderOf('page:2')).toMatch(/^lnk_/);
          expect(await current()).toMatchObject({ externalId: 'page:1' });
        },
        meanwhile: async () => {
          theirs = await take('page:2');
        },
        checkBoth: async ({ status, body }) => {
          const wasFirst = theirs !== 'external_id_taken';
          expect(status).toBe(wasFirst ? 409 : 201);
          const ours = (body as { link?: { id: string } }).link?.id;
          expect(await holderOf('page:2')).toBe(wasFirst ? theirs : ours);
        },
      };
    },
  },
  'create-link: with an external id that another link has': {
    calls: [get, get, batchGet, get, get],
    succeeds: 409,
    arrange: async () => {
      const { workspaceId, domain, id, holderOf } = await externalLink();
      const body = { domain: domain.host, url: 'https://example.org/', externalId: 'page:1' };
      const call = startEndpoint('create-link');
      return {
        act: (budget) => call({ workspaceId, body, budget }),
        check: async () => expect(await holderOf('page:1')).toBe(id),
      };
    },
  },
  'update-link: another external id': {
    calls: [batchGet, get, transact, batchGet, get, batchGet],
    arrange: () => identification('page:2'),
  },
  'update-link: no external id': {
    calls: [batchGet, transact, batchGet, get, batchGet],
    arrange: () => identification(null),
  },
  'update-link: an external id that is taken': {
    calls: [batchGet, get, get, get],
    succeeds: 409,
    arrange: async () => {
      const { workspaceId, id, current, take } = await externalLink();
      await take('page:2');
      const body = { externalId: 'page:2', title: 'New' };
      return {
        act: (budget) => startEndpoint('update-link')({ workspaceId, id, body, budget }),
        check: async () => expect(await current()).toMatchObject({ externalId: 'page:1', title: null }),
      };
    },
  },
  'delete-link: with an external id': {
    calls: [batchGet, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, id, holderOf, take, current } = await externalLink();
      let theirs: string | undefined;
      return {
        act: (budget) => startEndpoint('delete-link')({ workspaceId, id, budget }),
        check: async () => expect([await current(), await holderOf('page:1')]).toEqual([undefined, undefined]),
        meanwhile: async () => {
          if (await current()) await changeAsOther(workspaceId, id, { externalId: 'page:2' });
          else theirs = await take('page:1');
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(204);
          expect([await current(), await holderOf('page:1'), await holderOf('page:2')]).toEqual([undefined, theirs, undefined]);
          expect(await take('page:2')).toMatch(/^lnk_/);
        },
      };
    },
  },
  'lookup-link: by its external id': {
    calls: [get, batchGet, get, batchGet],
    arrange: async () => {
      const { workspaceId, id } = await externalLink();
      return {
        act: async (budget) => {
          const response = await startEndpoint('lookup-link')({ workspaceId, query: { externalId: 'page:1' }, budget });
          if (response.status === 200) expect(response.body.link.id).toBe(id);
          return response;
        },
        check: async () => {},
      };
    },
  },
  'put-link: creates': {
    calls: [get, get, get, batchGet, get, transact],
    succeeds: 201,
    repeated: [200],
    arrange: async () => {
      const { workspaceId, domain, holderOf, current } = await externalLink();
      const body = { domain: domain.host, url: 'https://example.org/', title: 'New' };
      const call = startEndpoint('put-link');
      let before: string | undefined;
      const link = async () => (await getLinkByExternalId(workspaceId, 'page:2'))?.link;
      return {
        act: (budget) => call({ workspaceId, externalId: 'page:2', body, budget }),
        check: async () => {
          expect(await link()).toMatchObject({ title: 'New' });
          expect(await current()).toMatchObject({ externalId: 'page:1' });
        },
        meanwhile: async () => {
          before = await holderOf('page:2');
          if (before) return changeAsOther(workspaceId, before, { title: 'Theirs' });
          const theirs = { url: 'https://example.org/', title: 'Theirs', externalId: 'page:2' };
          return store.createLink(domain, theirs, store.newLease());
        },
        checkBoth: async ({ status }) => {
          expect([status, (await link())?.title]).toEqual(before ? [201, 'Theirs'] : [200, 'New']);
        },
      };
    },
  },
  'put-link: replaces': {
    calls: [get, batchGet, get, batchGet, update, batchGet],
    arrange: async () => {
      const { workspaceId, domain, id, current } = await externalLink();
      const body = { domain: domain.host, url: 'https://example.org/new', title: 'New' };
      const call = startEndpoint('put-link');
      const ours = { url: 'https://example.org/new', title: 'New' };
      const { meanwhile, checkLast } = rivalOf(workspaceId, [id], ours, { title: 'Theirs' });
      return {
        act: (budget) => call({ workspaceId, externalId: 'page:1', body, budget }),
        check: async () => expect(await current()).toMatchObject(ours),
        meanwhile,
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await checkLast();
        },
      };
    },
  },
  'put-link: cloaked': {
    calls: [get, batchGet, get, batchGet, update, update, update, batchGet],
    arrange: async () => {
      const { workspaceId, domain, id, current } = await externalLink();
      const ours = { url: 'https://example.org/framed', cloaked: true };
      const call = startEndpoint('put-link');
      const { meanwhile, checkLast } = rivalOf(workspaceId, [id], ours, { title: 'Theirs' });
      return {
        act: (budget) => call({ workspaceId, externalId: 'page:1', body: { domain: domain.host, ...ours }, budget }),
        check: async () => expect(await current()).toMatchObject(ours),
        meanwhile,
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await checkLast();
        },
      };
    },
  },
  'put-link: replaces what is deleted': {
    calls: [get, batchGet, get, batchGet, update, batchGet],
    arrange: async () => {
      const { workspaceId, domain, id, current } = await externalLink();
      const body = { domain: domain.host, url: 'https://example.org/new' };
      const call = startEndpoint('put-link');
      let wasOurs = false;
      return {
        act: (budget) => call({ workspaceId, externalId: 'page:1', body, budget }),
        check: async () => expect(await current()).toMatchObject({ url: body.url }),
        meanwhile: async () => {
          const found = await store.getLink(workspaceId, id);
          wasOurs = found?.link.url === body.url;
          if (found) await store.deleteLink(found);
        },
        checkBoth: async ({ status }) => {
          expect(await current()).toBeUndefined();
          const there = await getLinkByExternalId(workspaceId, 'page:1');
          // If it was replaced and then deleted, a retry creates it. If it was deleted first, this request created it.
          if (wasOurs) expect([200, 201]).toContain(status);
          else expect([status, there?.link.url]).toEqual([201, body.url]);
        },
      };
    },
  },
  'put-link: replaces tags, cap and slug, as they were known': {
    calls: [get, batchGet, get, batchGet, batchGet, batchGet, get, batchGet, transact, batchGet, batchGet],
    repeated: [412],
    arrange: async () => {
      const found = await linkWithTags();
      const { workspace, workspaceId, id, c, b, counts, current } = found;
      await setCaps(workspaceId, [id], [5, null]);
      await changeAsOther(workspaceId, id, { externalId: 'page:1' });
      const headers = await ifMatch('get-link', workspaceId, id);
      const body = {
        domain: workspace.domain.host,
        url: 'https://example.org/0',
        tagIds: [c, b],
        maxClicks: 7,
        customSlug: 'Other',
      };
      const call = startEndpoint('put-link');
      let wasOurs = false;
      return {
        act: (budget) => call({ workspaceId, externalId: 'page:1', headers, body, budget }),
        check: async () => {
          expect(await current()).toMatchObject({ tagIds: [c, b], maxClicks: 7, shortCode: 'Other', capGeneration: 2 });
          expect(await counts()).toEqual([none, one, one]);
        },
        meanwhile: async () => {
          wasOurs = (await changeAsOther(workspaceId, id, { title: 'Theirs' }))?.shortCode === 'Other';
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(wasOurs ? 200 : 412);
          expect(await current()).toMatchObject({ title: 'Theirs', maxClicks: wasOurs ? 7 : null });
          expectAgreement(await counts());
        },
      };
    },
  },
  'put-link: a slug that is taken': {
    calls: [get, batchGet, get, batchGet, batchGet, get],
    succeeds: 409,
    arrange: async () => {
      const { workspaceId, domain, current } = await externalLink();
      await store.createLink(domain, { url: 'https://example.org/', customSlug: 'Third' }, store.newLease());
      const body = { domain: domain.host, url: 'https://example.org/', customSlug: 'third', title: 'New' };
      const call = startEndpoint('put-link');
      return {
        act: (budget) => call({ workspaceId, externalId: 'page:1', body, budget }),
        check: async () => expect(await current()).toMatchObject({ title: null, aliases: [] }),
      };
    },
  },
  'put-link: nothing differs': {
    calls: [get, batchGet, get, batchGet, batchGet],
    arrange: async () => {
      const { workspaceId, domain, current } = await externalLink();
      const body = { domain: domain.host, url: 'https://example.org/' };
      const call = startEndpoint('put-link');
      return {
        act: (budget) => call({ workspaceId, externalId: 'page:1', body, budget }),
        check: async () => expect(await current()).toMatchObject({ revision: 0 }),
      };
    },
  },
  'put-link: the password that the link has': {
    calls: [get, batchGet, get, batchGet, update, update, batchGet],
    arrange: async () => {
      const { workspaceId, domain, current } = await externalLink({ passwordHash: cheapHash('right') });
      const body = { domain: domain.host, url: 'https://example.org/', password: 'right' };
      const call = startEndpoint('put-link');
      const guess = async () => store.takeOwnGuess((await current()) as Link, Date.now());
      const check = async () => expect(await current()).toMatchObject({ revision: 0 });
      return {
        act: (budget) => call({ workspaceId, externalId: 'page:1', body, budget }),
        check,
        meanwhile: guess,
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
        },
      };
    },
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
  'create-link: with tags by name': {
    calls: [get, get, batchGet, batchGet, batchGet, transact],
    repeated: [409],
    succeeds: 201,
    arrange: () =>
      creation(
        {},
        () => ({ tagNames: ['NEW'] }),
        (tagIds) => ({ tagIds }),
      ),
  },
  'create-link: with tags and a key': {
    calls: [get, get, get, batchGet, put, batchGet, transact, update],
    succeeds: 201,
    arrange: () => creation({ 'Idempotency-Key': 'key' }, (tagIds) => ({ tagIds })),
  },
  'get-link': {
    calls: [batchGet, get, batchGet],
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      await setCaps(workspaceId, [id], [5]);
      return { act: (budget) => startEndpoint('get-link')({ workspaceId, id, budget }), check: async () => {} };
    },
  },
  'get-link-qr': {
    calls: [get],
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      return { act: (budget) => callEndpoint('get-link-qr', { workspaceId, id, budget }), check: async () => {} };
    },
  },
  'lookup-link': {
    calls: [get, get, batchGet, get, batchGet],
    arrange: async () => {
      const { workspace, workspaceId, id, current } = await linkWithTags();
      await setCaps(workspaceId, [id], [5]);
      const query = { domain: workspace.domain.host, slug: (await current())?.shortCode ?? '' };
      return { act: (budget) => startEndpoint('lookup-link')({ workspaceId, query, budget }), check: async () => {} };
    },
  },
  'list-links': {
    calls: [query, batchGet, get, batchGet],
    arrange: () => listing({}),
  },
  'list-links: of a tag': {
    calls: [batchGet, query, batchGet, get, batchGet],
    arrange: () => listing({}, (tagId) => ({ tagId })),
  },
  'list-links: of named tags': {
    calls: [batchGet, batchGet, query, batchGet, get, batchGet],
    arrange: () => listing({ tagNames: 'a' }),
  },
  'list-links: of several tags and a state': {
    // The tags and the blocked hosts; the pairs of the rarest tag, its links, their domains and caps; then the links that
    // match, their caps and their tags.
    calls: [batchGet, get, query, batchGet, batchGet, batchGet, batchGet, batchGet],
    arrange: () => listing({ state: 'active', match: 'all' }, (a, b) => ({ tagIds: `${a},${b}` }), { maxClicks: 5 }),
  },
  'list-links: with a text': {
    calls: [query, batchGet, batchGet, get, batchGet],
    arrange: () => listing({ q: 'example' }),
  },
  'list-links: without a click since': {
    calls: [query, batchGet, batchGet, get, batchGet],
    arrange: () => listing({ notClickedSince: '2030-01-01T00:00Z' }),
  },
  'list-links: that expire before': {
    calls: [query, batchGet, batchGet, get, batchGet],
    arrange: () => listing({ expiresBefore: '2030-01-01T00:00Z' }, () => ({}), { expiresAt: '2029-01-01T00:00:00.000Z' }),
  },
  'list-links: by what manages them': {
    calls: [query, batchGet, batchGet, get, batchGet],
    arrange: () => listing({ managedBy: 'team@go.example.com' }, () => ({}), { managedBy: 'team@go.example.com' }),
  },
  'list-tag-links': {
    calls: [get, query, batchGet, get, batchGet],
    arrange: async () => {
      const { workspaceId, id, a } = await linkWithTags();
      await setCaps(workspaceId, [id], [5]);
      return { act: (budget) => startEndpoint('list-tag-links')({ workspaceId, id: a, budget }), check: async () => {} };
    },
  },
  'delete-link': {
    calls: [batchGet, batchGet, transact],
    repeated: [404],
    succeeds: 204,
    arrange: () => deletion(false),
  },
  'update-link: tags, as they were known': {
    calls: [batchGet, get, batchGet, batchGet, transact, batchGet, batchGet],
    repeated: [412],
    arrange: () => retagging(true),
  },
  'delete-link: as it was known': {
    calls: [batchGet, get, batchGet, batchGet, transact],
    repeated: [404],
    succeeds: 204,
    arrange: () => deletion(true),
  },
  'create-link: taken over': {
    calls: [get, update, batchGet, batchGet, get, batchGet, update],
    succeeds: 201,
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const body = { domain: domain.host, url: 'https://example.org/', maxClicks: 5 };
      const create = (budget: number) =>
        startEndpoint('create-link')({ workspaceId, headers: { 'Idempotency-Key': 'key' }, body, budget });
      await create(plenty);
      const [record] = await Array.fromAsync(store.query({ pk: `WORKSPACE#${workspaceId}`, skPrefix: 'REQUEST#' }));
      await store.updateItem(record as never, { text: 'SET #leaseUntil = :past REMOVE #result', values: { ':past': 1 } });
      const links = async () => {
        const keys = await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspaceId}#LINKS` }));
        return store.getItems(keys as never);
      };
      const [{ id } = {}] = (await links()) as { id?: string }[];
      return {
        act: create,
        check: async () => expect(await links()).toMatchObject([{ id }]),
        meanwhile: () => changeAsOther(workspaceId, id ?? '', { title: 'Theirs' }),
        checkBoth: async ({ status }) => {
          expect(status).toBe(201);
          expect(await links()).toMatchObject([{ id, title: 'Theirs' }]);
        },
      };
    },
  },
};
