import { expect } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { callEndpoint, startEndpoint } from '../http/invoke.ts';
import { changeLink, changeRecord, deliver, keyOfLink, recordOf } from '../things/history.ts';
import {
  type Answer,
  answerOf,
  batchGet,
  changeAsOther,
  expectAgreement,
  get,
  insert,
  linkWithTags,
  none,
  one,
  plenty,
  put,
  query,
  type Scenarios,
  setCaps,
  store,
  transact,
  update,
} from './scenario.ts';

const itemOf = async (linkId: string) => (await store.getItem(keyOfLink(linkId))) ?? {};

const entriesOf = (linkId: string) => Array.fromAsync(store.query({ pk: `HISTORY#${linkId}`, between: ['0', 'Z'] }));

const byKey = `key_${'k'.repeat(43)} request-1 Tests`;

/** Records changes. Somebody else records the same ones: Lambda may deliver a batch twice at once. */
function recording(record: (budget: number) => Promise<Answer>, check: () => Promise<void>) {
  return {
    act: record,
    check,
    meanwhile: () => record(plenty),
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(200);
      await check();
    },
  };
}

/**
 * Reverts a change. Somebody else changes the same fields: their change must stay, in either order.
 *
 * @param changes what is reverted, and so replaced by what was before.
 */
async function reversal(found: Awaited<ReturnType<typeof linkWithTags>>, changes: LinkChanges, theirs: LinkChanges) {
  const { workspaceId, id, counts, current } = found;
  const before = await current();
  await changeLink(store, workspaceId, id, changes);
  const [entry] = (await callEndpoint('list-link-history', { workspaceId, id })).body.entries;
  const fields = Object.keys(changes) as (keyof LinkChanges)[];
  const restored = Object.fromEntries(fields.map((field) => [field, before?.[field]]));
  const call = startEndpoint('revert-change');
  return {
    act: (budget: number) => call({ workspaceId, id, entryId: entry.id, budget }),
    check: async () => {
      expect(await current()).toMatchObject(restored);
      expectAgreement(await counts());
    },
    meanwhile: () => changeAsOther(workspaceId, id, theirs),
    checkBoth: async ({ status }: Answer) => {
      // It is done before their change, or refused after it.
      expect([200, 409]).toContain(status);
      expect(await current()).toMatchObject(theirs);
      expectAgreement(await counts());
    },
  };
}

/** Reverts a change of where a cloaked link leads, which looks the former destination up again. */
async function cloakedReversal() {
  const found = await linkWithTags();
  await changeLink(store, found.workspaceId, found.id, { cloaked: true });
  return reversal(found, { url: 'https://example.org/new' }, { url: 'https://example.org/theirs' });
}

/** Reverts a change of a link's slug, whose former one has been removed since. */
async function slugReversal() {
  const { workspace, workspaceId, id, shortCode: givenUp, current } = await linkWithTags();
  for (const customSlug of ['Second', 'Third']) await changeLink(store, workspaceId, id, { customSlug });
  const [entry] = (await callEndpoint('list-link-history', { workspaceId, id })).body.entries;
  await changeLink(store, workspaceId, id, { removedAlias: 'Second' });
  const call = startEndpoint('revert-change');
  const act = (budget: number) => call({ workspaceId, id, entryId: entry.id, budget });
  return { act, slugs: current, givenUp, domain: workspace.domain };
}

/** Undoes the deletion of a link with tags, an alias, a cap and an external id. Somebody else does the same. */
async function undoneDeletion() {
  const { workspace, workspaceId, id, a, b, counts } = await linkWithTags();
  const { domain } = workspace;
  await changeLink(store, workspaceId, id, { customSlug: 'second', externalId: 'page:1', maxClicks: 5 });
  const erase = async () => {
    const found = await store.getLink(workspaceId, id);
    if (found) await store.deleteLink(found);
  };
  await deliver([await recordOf(store, keyOfLink(id), erase)]);
  const [{ id: entryId }] = (await callEndpoint('list-link-history', { workspaceId, id })).body.entries;
  const call = startEndpoint('revert-change');
  const act = (budget: number) => call({ workspaceId, id, entryId, budget });
  const check = async () => {
    const { links } = (await callEndpoint('list-links', { workspaceId })).body;
    expect(links).toMatchObject([{ shortCode: 'second', externalId: 'page:1', maxClicks: 5, restoredFrom: id }]);
    const [{ id: again, aliases }] = links;
    for (const slug of ['second', ...aliases]) expect(await store.getLinkAt(domain.domainId, slug)).toMatchObject({ id: again });
    expect(await store.countsOf(workspaceId, [a, b], [again])).toEqual([one, one]);
    expect(await store.getCap({ id: again })).toMatchObject({ used: 0 });
    expect(await counts()).toMatchObject([{ count: 1, pairs: 1 }, { count: 1, pairs: 1 }, none]);
  };
  return {
    act,
    check,
    meanwhile: () => callEndpoint('revert-change', { workspaceId, id, entryId }),
    checkBoth: async ({ status }: Answer) => {
      expect(status).toBe(201);
      await check();
    },
  };
}

/** The same after the link that was made from the deleted one was lost with a restored table. */
async function lostRestoration() {
  const found = await linkWithTags();
  const { workspaceId, id } = found;
  const erase = async () => {
    const link = await store.getLink(workspaceId, id);
    if (link) await store.deleteLink(link);
  };
  await deliver([await recordOf(store, keyOfLink(id), erase)]);
  const [{ id: entryId }] = (await callEndpoint('list-link-history', { workspaceId, id })).body.entries;
  const call = startEndpoint('revert-change');
  const revert = (budget?: number) => call({ workspaceId, id, entryId, ...(budget !== undefined && { budget }) });
  const lost = (await revert()).body.link;
  await store.deleteItem(keyOfLink(lost.id));
  const check = async () => {
    const link = (await revert()).body.link;
    expect([link.restoredFrom, link.id === lost.id]).toEqual([id, false]);
    expect(await store.getLink(workspaceId, link.id)).toBeDefined();
  };
  return { act: revert, check, meanwhile: () => revert(), checkBoth: check };
}

/** The recording of changes, their lists and their reversal. */
export const historyScenarios: Scenarios = {
  'revert-change: a deletion whose link was lost': {
    calls: [
      ...[batchGet, query, get, batchGet, get, query, get, batchGet, get, batchGet, get, query],
      ...[batchGet, batchGet, transact, batchGet, batchGet],
    ],
    succeeds: 201,
    arrange: lostRestoration,
  },
  'revert-change: cloaked': {
    calls: [batchGet, query, get, batchGet, update, update, update, batchGet],
    repeated: [409],
    arrange: cloakedReversal,
  },
  'list-link-history': {
    calls: [get, query],
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      await changeLink(store, workspaceId, id, { title: 'New' });
      return {
        act: async (budget) => {
          const response = await callEndpoint('list-link-history', { workspaceId, id, budget });
          if (response.status === 200)
            expect(response.body.entries).toMatchObject([{ action: 'link.updated' }, { action: 'link.created' }]);
          return response;
        },
        check: async () => {},
      };
    },
  },
  'list-history': {
    calls: [...Array.from({ length: 8 }, () => query), batchGet, batchGet],
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      await changeLink(store, workspaceId, id, { title: 'New' });
      return {
        act: async (budget) => {
          const response = await callEndpoint('list-history', { workspaceId, budget });
          if (response.status === 200)
            expect(response.body).toMatchObject({ entries: [{ action: 'link.updated' }], nextCursor: null });
          return response;
        },
        check: async () => {},
      };
    },
  },
  'revert-change: settings': {
    calls: [batchGet, query, get, batchGet, update, batchGet],
    arrange: async () =>
      reversal(
        await linkWithTags(),
        { url: 'https://example.org/new', title: 'New' },
        { url: 'https://example.org/theirs', title: 'Theirs' },
      ),
  },
  'revert-change: tags': {
    calls: [batchGet, query, batchGet, batchGet, transact, batchGet, get, batchGet],
    arrange: async () => {
      const found = await linkWithTags();
      return reversal(found, { tagIds: [found.c, found.b] }, { tagIds: [found.a, found.c] });
    },
  },
  'revert-change: an external id': {
    calls: [batchGet, query, get, transact, batchGet, get, batchGet],
    arrange: async () => {
      const found = await linkWithTags();
      await changeLink(store, found.workspaceId, found.id, { externalId: 'page:1' });
      return reversal(found, { externalId: 'page:2' }, { externalId: 'page:3' });
    },
  },
  'revert-change: the removal of a cap': {
    calls: [batchGet, query, get, transact, batchGet, get, batchGet],
    arrange: async () => {
      const found = await linkWithTags();
      await setCaps(found.workspaceId, [found.id], [5]);
      return reversal(found, { maxClicks: null }, { maxClicks: 9 });
    },
  },
  'revert-change: a slug that the link has given up': {
    calls: [batchGet, query, batchGet, transact, batchGet, get, batchGet],
    arrange: async () => {
      const { act, slugs, givenUp } = await slugReversal();
      return {
        act,
        check: async () => expect(await slugs()).toMatchObject({ shortCode: 'Second', aliases: [givenUp, 'Third'] }),
        meanwhile: async () => {
          const link = await slugs();
          if (link) await changeAsOther(link.workspaceId, link.id, { title: 'Theirs' });
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          expect(await slugs()).toMatchObject({ shortCode: 'Second', aliases: [givenUp, 'Third'], title: 'Theirs' });
        },
      };
    },
  },
  'revert-change: a slug that another link has': {
    calls: [batchGet, query, batchGet, get],
    succeeds: 409,
    arrange: async () => {
      const { act, slugs, givenUp, domain } = await slugReversal();
      await store.createLink(domain, { url: 'https://example.org/', customSlug: 'second' }, store.newLease());
      return { act, check: async () => expect(await slugs()).toMatchObject({ shortCode: 'Third', aliases: [givenUp] }) };
    },
  },
  'revert-change: a deletion': {
    calls: [batchGet, query, get, get, get, batchGet, get, batchGet, get, batchGet, transact, batchGet, batchGet],
    succeeds: 201,
    arrange: undoneDeletion,
  },
  'record-changes: a batch': {
    calls: [insert, query],
    arrange: async () => {
      const { id } = await linkWithTags();
      const item = await itemOf(id);
      const records = ['One', 'Two'].map((title) => changeRecord(item, { ...item, title, by: byKey }));
      return recording(
        (budget) => answerOf(budget, () => deliver(records, budget)),
        async () => {
          const titles = (await entriesOf(id)).map(({ changes }) => (changes as { title: { to: string } }).title.to);
          expect(titles).toEqual(['One', 'Two']);
        },
      );
    },
  },
  'record-changes: a change that cannot be read': {
    calls: [put, insert, query],
    arrange: async () => {
      const { id } = await linkWithTags();
      const item = await itemOf(id);
      const bad = changeRecord(item, { ...item, url: 7, by: byKey });
      const records = [bad, changeRecord(item, { ...item, title: 'Good', by: byKey })];
      return recording(
        (budget) => answerOf(budget, () => deliver(records, budget)),
        async () => {
          expect(await entriesOf(id)).toHaveLength(1);
          const notes = await Array.fromAsync(store.query({ gsi1pk: 'FAILURES' }));
          const sequenceNumber = bad.dynamodb?.SequenceNumber;
          expect(
            notes.filter(({ pk }) => pk === `FAILURE#record-changes#2030-01-01T00:00:00.000#${sequenceNumber}`),
          ).toHaveLength(1);
        },
      );
    },
  },
};
