import { expect } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { getLinkByExternalId } from '../../../lambdas/store/links/external-ids.ts';
import { type LimitName, limitKey } from '../../../lambdas/store/table/keys.ts';
import { callEndpoint, type EndpointCall, startEndpoint } from '../http/invoke.ts';
import {
  type Answer,
  batchGet,
  type Command,
  changeAsOther,
  expectAgreement,
  get,
  insert,
  linkWithTags,
  none,
  one,
  put,
  refusalOf,
  rivalOf,
  type Scenario,
  type Scenarios,
  setCaps,
  store,
  transact,
  two,
  update,
} from './scenario.ts';

/** Two links with the first two of three tags. */
async function linksWithTags() {
  const { workspace, workspaceId, id, a, b, c } = await linkWithTags();
  const settings = { url: 'https://example.org/1', tagIds: [a, b] };
  const { link: other } = await store.createLink(workspace.domain, settings, store.newLease());
  const ids = [id, other.id];
  const counts = () => store.countsOf(workspaceId, [a, b, c], ids);
  const current = async () => (await store.getLinks(workspaceId, ids)).map((found) => found?.link);
  return { workspaceId, ids, a, b, c, counts, current };
}

/** Somebody else takes a slot of the same limit. Each of the two requests must have one. */
function limitRival(workspaceId: string, name: LimitName) {
  return {
    takeSlot: () => store.takeSlot(name, workspaceId, 'theirs', Date.now()),
    checkSlots: async () => {
      const slots = Object.entries((await store.getItem(limitKey(workspaceId, name))) ?? {});
      expect(slots.filter(([attribute, token]) => /^by\d+$/.test(attribute) && token !== '-')).toHaveLength(2);
    },
  };
}

/** Somebody else changes the same fields of the links. */
function rivalry(
  { workspaceId, ids, counts }: Awaited<ReturnType<typeof linksWithTags>>,
  ours: LinkChanges,
  theirs: LinkChanges,
) {
  const { takeSlot, checkSlots } = limitRival(workspaceId, 'bulk-changes');
  const { meanwhile, checkLast } = rivalOf(workspaceId, ids, ours, theirs);
  return {
    meanwhile: async () => {
      await takeSlot();
      await meanwhile();
    },
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(200);
      await checkLast();
      expectAgreement(await counts());
      await checkSlots();
    },
  };
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

function importScenario(headers: Record<string, string>, calls: readonly Command[]): Scenario {
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
      const { takeSlot, checkSlots } = limitRival(workspaceId, 'bulk');
      /** Whether somebody else was first to take one of the slugs. */
      let isTaken = false;
      const check = async () => {
        const keys = await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspaceId}#LINKS` }));
        const items = await store.getItems(keys as never);
        expect(items.map((item) => item?.shortCode).sort()).toEqual(links.map(({ customSlug }) => customSlug).sort());
      };
      return {
        act: async (budget) => {
          const answer = await call({ workspaceId, headers, body: { domain: domain.host, links }, budget });
          const { body } = answer as { body: { failed?: { code: string }[]; created?: number } };
          if (answer.status !== 200) return answer;
          // With a key, all links must be created. Without one, those that are missing must be reported.
          const codes = body.failed?.map(({ code }) => code) ?? [];
          const [created, taken] = isTaken ? [count - 1, ['slug_taken']] : [count, []];
          if ('Idempotency-Key' in headers) expect([body.created, codes]).toEqual([created, taken]);
          return codes.includes('temporarily_unavailable') ? { status: 503, headers: { 'Retry-After': '1' } } : answer;
        },
        check,
        meanwhile: async () => {
          await takeSlot();
          const theirs = { url: 'https://example.org/', customSlug: 'slug-0', title: 'Theirs' };
          isTaken = (await refusalOf(store.createLink(domain, theirs, store.newLease()))) === undefined;
          const there = await store.getLinkAt(domain.domainId, 'slug-0');
          if (!isTaken) await changeAsOther(workspaceId, there?.id ?? '', { title: 'Theirs' });
        },
        checkBoth: async ({ status, body }) => {
          expect(status).toBe(200);
          expect(body).toMatchObject({ failed: isTaken ? [{ index: 0, code: 'slug_taken' }] : [] });
          expect(await store.getLinkAt(domain.domainId, 'slug-0')).toMatchObject({ title: 'Theirs' });
          await check();
          await checkSlots();
        },
      };
    },
  };
}

/** The metadata of a page that is not fetched, because its host is blocked. Somebody else takes a slot too. */
async function blockedPage() {
  const { workspaceId } = await store.newWorkspace();
  await store.blockHost('blocked-metadata.example.com');
  const call = startEndpoint('get-metadata');
  const { takeSlot, checkSlots } = limitRival(workspaceId, 'metadata');
  return {
    act: (budget: number) => call({ workspaceId, query: { url: 'https://blocked-metadata.example.com/' }, budget }),
    check: async () => {},
    meanwhile: takeSlot,
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(422);
      await checkSlots();
    },
  };
}

/** Bulk requests, and other requests with an exact limit. */
export const bulkScenarios: Scenarios = {
  'bulk-update-links: settings': {
    calls: [update, batchGet, get, batchGet, update, update],
    settles: 4,
    arrange: async () => {
      const found = await linksWithTags();
      const { workspaceId, ids, a, b, counts, current } = found;
      const fields = { url: 'https://example.org/new', title: 'New' };
      const call = startEndpoint('bulk-update-links');
      return {
        act: (budget) => bulk('bulk-update-links', { workspaceId, body: { ids, fields }, budget }, call),
        check: async () => {
          for (const link of await current()) expect(link).toMatchObject({ ...fields, tagIds: [a, b] });
          expect(await counts()).toEqual([two, two, none]);
        },
        ...rivalry(found, fields, { title: 'Theirs' }),
      };
    },
  },
  'bulk-update-links: tags': {
    calls: [update, batchGet, batchGet, transact],
    arrange: async () => {
      const found = await linksWithTags();
      const { workspaceId, ids, a, b, c, counts, current } = found;
      const fields = { tagIds: [c, b], title: 'New' };
      return {
        act: (budget) => bulk('bulk-update-links', { workspaceId, body: { ids, fields }, budget }),
        check: async () => {
          for (const link of await current()) expect(link).toMatchObject(fields);
          expect(await counts()).toEqual([none, two, two]);
        },
        ...rivalry(found, fields, { tagIds: [a], title: 'Theirs' }),
      };
    },
  },
  'bulk-update-links: tags added and removed': {
    calls: [update, batchGet, batchGet, batchGet, transact],
    arrange: async () => {
      const { workspaceId, ids, a, b, c, counts, current } = await linksWithTags();
      const { takeSlot, checkSlots } = limitRival(workspaceId, 'bulk-changes');
      const fields = { addTagNames: ['c'], removeTagIds: [a] };
      const check = async (...tagIds: string[]) => {
        for (const link of await current()) expect(link?.tagIds).toEqual(tagIds);
        expectAgreement(await counts());
      };
      return {
        act: (budget) => bulk('bulk-update-links', { workspaceId, body: { ids, fields }, budget }),
        check: () => check(b, c),
        meanwhile: async () => {
          await takeSlot();
          // In either order, the links keep the tags that neither request removed.
          for (const found of await store.getLinks(workspaceId, ids))
            if (found) await store.updateLink(found, { tagEdits: { added: [], removed: [b] } });
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check(c);
          await checkSlots();
        },
      };
    },
  },
  'bulk-update-links: tags, and a cap again': {
    calls: [update, batchGet, batchGet, get, get, transact],
    arrange: async () => {
      const found = await linksWithTags();
      const { workspaceId, ids, b, c, counts, current } = found;
      await setCaps(workspaceId, ids, [5, null]);
      const fields = { tagIds: [c, b], maxClicks: 7 };
      const { meanwhile, checkBoth } = rivalry(found, fields, { maxClicks: 9 });
      const checkCaps = async () => {
        for (const id of ids) expect(await store.getCap({ id })).toEqual({ linkId: id, generation: 2, used: 0 });
      };
      return {
        act: (budget) => bulk('bulk-update-links', { workspaceId, body: { ids, fields }, budget }),
        check: async () => {
          for (const link of await current()) expect(link).toMatchObject({ ...fields, capGeneration: 2 });
          await checkCaps();
          expect(await counts()).toEqual([none, two, two]);
        },
        meanwhile,
        checkBoth: async (answer) => {
          await checkBoth(answer);
          await checkCaps();
        },
      };
    },
  },
  'get-metadata': { calls: [update, get, batchGet], succeeds: 422, arrange: blockedPage },
  'bulk-delete-links: with tags': {
    calls: [update, batchGet, batchGet, transact],
    arrange: async () => {
      const { workspaceId, ids, counts, current } = await linksWithTags();
      await setCaps(workspaceId, ids, [5]);
      const { takeSlot, checkSlots } = limitRival(workspaceId, 'bulk-changes');
      const check = async () => {
        expect(await current()).toEqual([undefined, undefined]);
        for (const id of ids) expect(await store.getCap({ id })).toBeUndefined();
        expect(await counts()).toEqual([none, none, none]);
      };
      return {
        act: (budget) => bulk('bulk-delete-links', { workspaceId, body: { ids }, budget }),
        check,
        meanwhile: async () => {
          await takeSlot();
          for (const id of ids) await changeAsOther(workspaceId, id, { title: 'Theirs' });
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
          await checkSlots();
        },
      };
    },
  },
  'bulk-delete-links: with aliases': {
    calls: [update, batchGet, transact],
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const wanted = { url: 'https://example.org/', customSlug: 'First' };
      const { link } = await store.createLink(domain, wanted, store.newLease());
      await store.updateLink({ link, clickCount: 0 }, { customSlug: 'Second' });
      const { takeSlot, checkSlots } = limitRival(workspaceId, 'bulk-changes');
      const check = async () => {
        for (const slug of ['First', 'Second', 'Third']) expect(await store.getLinkAt(domain.domainId, slug)).toBeUndefined();
      };
      return {
        act: (budget) => bulk('bulk-delete-links', { workspaceId, body: { ids: [link.id] }, budget }),
        check,
        meanwhile: async () => {
          await takeSlot();
          const found = await store.getLink(workspaceId, link.id);
          if (found) await store.updateLink(found, { customSlug: 'Third' });
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
          await checkSlots();
        },
      };
    },
  },
  'bulk-delete-links: with external ids': {
    calls: [update, batchGet, transact],
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const wanted = { url: 'https://example.org/', externalId: 'page:1' };
      const { link } = await store.createLink(domain, wanted, store.newLease());
      const { takeSlot, checkSlots } = limitRival(workspaceId, 'bulk-changes');
      const holders = () => Promise.all(['page:1', 'page:2'].map((id) => getLinkByExternalId(workspaceId, id)));
      return {
        act: (budget) => bulk('bulk-delete-links', { workspaceId, body: { ids: [link.id] }, budget }),
        check: async () => expect(await holders()).toEqual([undefined, undefined]),
        meanwhile: async () => {
          await takeSlot();
          await changeAsOther(workspaceId, link.id, { externalId: 'page:2' });
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          expect(await holders()).toEqual([undefined, undefined]);
          for (const externalId of ['page:1', 'page:2'])
            await store.createLink(domain, { ...wanted, externalId }, store.newLease());
          await checkSlots();
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
  'bulk-create-links: with a template': {
    calls: [update, get, get, batchGet, get, batchGet, batchGet, transact],
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const { id: tagId } = await store.createTag(workspaceId, { name: 'Sale', color: '#123456' });
      const { id: templateId } = await store.createTemplate(workspaceId, { name: 'Mail', tagIds: [tagId] });
      const call = startEndpoint('bulk-create-links');
      const body = { domain: domain.host, templateId, links: [{ url: 'https://example.org/', customSlug: 'new' }] };
      const { takeSlot, checkSlots } = limitRival(workspaceId, 'bulk');
      const check = async () => {
        const link = await store.getLinkAt(domain.domainId, 'new');
        expect(await store.countsOf(workspaceId, [tagId], [link?.id ?? ''])).toEqual([one]);
      };
      let isTaken = false;
      return {
        act: async (budget) => {
          const answer = await bulk('', { workspaceId, headers: {}, body, budget }, call);
          const [failed] = (answer.body as { failed?: { code: string }[] }).failed ?? [];
          return failed?.code === 'temporarily_unavailable' ? { status: 503, headers: { 'Retry-After': '1' } } : answer;
        },
        check,
        meanwhile: async () => {
          await takeSlot();
          const theirs = { url: 'https://example.org/theirs', customSlug: 'new' };
          isTaken = (await refusalOf(store.createLink(domain, theirs, store.newLease()))) === undefined;
        },
        checkBoth: async ({ status, body: answered }) => {
          expect(status).toBe(200);
          expect(answered).toMatchObject({ failed: isTaken ? [{ code: 'slug_taken' }] : [] });
          if (!isTaken) await check();
          await checkSlots();
        },
      };
    },
  },
  'bulk-create-links: with tags, a cap, a password and external ids': {
    calls: [update, get, get, batchGet, batchGet, get, batchGet, put, batchGet, batchGet, transact, update],
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const { id: tagId } = await store.createTag(workspaceId, { name: 'Sale', color: '#123456' });
      const links = [
        { url: 'https://example.org/1', tagNames: ['SALE'], maxClicks: 5, externalId: 'page:1', password: 'secret words' },
        { url: 'https://example.org/2', tagIds: [tagId], externalId: 'page:2' },
      ];
      const call = startEndpoint('bulk-create-links');
      const { takeSlot, checkSlots } = limitRival(workspaceId, 'bulk');
      const holderOf = async (externalId: string) => (await getLinkByExternalId(workspaceId, externalId))?.link;
      const check = async () => {
        const ids = (await Promise.all(['page:1', 'page:2'].map(holderOf))).map((link) => link?.id ?? '');
        expect(await store.countsOf(workspaceId, [tagId], ids)).toEqual([two]);
        expect(await holderOf('page:1')).toMatchObject({ maxClicks: 5, url: 'https://example.org/1' });
      };
      let isTaken = false;
      return {
        act: async (budget) => {
          const headers = { 'Idempotency-Key': 'key' };
          const answer = await bulk('', { workspaceId, headers, body: { domain: domain.host, links }, budget }, call);
          if (answer.status === 200 && !isTaken)
            expect(answer.body).toMatchObject({ created: 2, links: [{ tags: [{ name: 'Sale' }], hasPassword: true }, {}] });
          return answer;
        },
        check,
        meanwhile: async () => {
          await takeSlot();
          const theirs = { url: 'https://example.org/theirs', externalId: 'page:2' };
          isTaken = (await refusalOf(store.createLink(domain, theirs, store.newLease()))) === undefined;
        },
        checkBoth: async ({ status, body }) => {
          expect(status).toBe(200);
          expect(body).toMatchObject({ failed: isTaken ? [{ index: 1, code: 'external_id_taken' }] : [] });
          expect((await holderOf('page:2'))?.url).toBe(isTaken ? 'https://example.org/theirs' : 'https://example.org/2');
          await checkSlots();
        },
      };
    },
  },
  'bulk-create-links: at the address of a deleted link': {
    calls: [update, get, get, batchGet, insert, batchGet, put],
    settles: 6,
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const wanted = { url: 'https://example.org/', customSlug: 'again' };
      const { link } = await store.createLink(domain, wanted, store.newLease());
      await store.deleteLink({ link, clickCount: 0 });
      const call = startEndpoint('bulk-create-links');
      const { takeSlot, checkSlots } = limitRival(workspaceId, 'bulk');
      let isTaken = false;
      return {
        act: (budget) => bulk('bulk-create-links', { workspaceId, body: { domain: domain.host, links: [wanted] }, budget }, call),
        check: async () => expect(await store.getLinkAt(domain.domainId, 'again')).toMatchObject({ shortCode: 'again' }),
        meanwhile: async () => {
          await takeSlot();
          const theirs = { ...wanted, title: 'Theirs' };
          isTaken = (await refusalOf(store.createLink(domain, theirs, store.newLease()))) === undefined;
          const there = await store.getLinkAt(domain.domainId, 'again');
          if (!isTaken) await changeAsOther(workspaceId, there?.id ?? '', { title: 'Theirs' });
        },
        checkBoth: async ({ body }) => {
          expect(body).toMatchObject({ failed: isTaken ? [{ index: 0, code: 'slug_taken' }] : [] });
          expect(await store.getLinkAt(domain.domainId, 'again')).toMatchObject({ title: 'Theirs' });
          await checkSlots();
        },
      };
    },
  },
};
