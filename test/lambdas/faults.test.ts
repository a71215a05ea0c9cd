import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { hashPassword } from '../../lambdas/domain/password.ts';
import type { LinkChanges } from '../../lambdas/store/link-changes.ts';
import type { Access } from '../support/access.ts';
import { useDns } from '../support/dns.ts';
import { type Attempt, type Fault, underFaults } from '../support/faults.ts';
import { callEndpoint, contextWith, type EndpointCall } from '../support/invoke.ts';
import { functionsOf, readTemplate, tableStatements } from '../support/policies.ts';
import { clicksIn, type Store, useStore } from '../support/store.ts';
import { startVisits } from '../support/visit.ts';

let store: Store;
let dns: Awaited<ReturnType<typeof useDns>>;
const records: Record<string, object> = {};
beforeAll(async () => {
  store = await useStore();
  dns = await useDns();
  Object.assign(process.env, { DOMAIN_TARGET: 'links.localhost', DOMAIN_ACTIVATION: 'dns' });
});
afterAll(() => dns.stop());

type Answer = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, unknown> };

/** Something that a function does: its store calls in order, and what has to be true once it was done. */
type Scenario = {
  /** Each call point. One that is not listed here fails the test that records them. */
  readonly calls: readonly string[];
  /** Makes what is there before; gives the request, and a check of what there has to be after it. */
  readonly arrange: () => Promise<{
    readonly act: (budget: number) => Promise<Answer>;
    readonly check: () => Promise<void>;
  }>;
  /** What a client's repetition may be answered with, beside what the first would be, where the first was done unheard. */
  readonly repeated?: readonly number[];
  readonly succeeds?: number;
  /** A write that was done unheard is found to be done by the function itself. */
  readonly settles?: true;
  /** From this call on a visitor is none the worse for what fails for good. */
  readonly forgivenFrom?: number;
  /** What it does befalls what others have made, so that it cannot be tried beside itself. */
  readonly alone?: true;
};

const [get, batchGet, put, update, remove, transact, query, insert] = [
  'GetItemCommand',
  'BatchGetItemCommand',
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'TransactWriteItemsCommand',
  'QueryCommand',
  'BatchExecuteStatementCommand',
] as const;

const color = '#123456';

let hosts = 0;

async function linkWithTags() {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const tags = await Promise.all(['A', 'B', 'C'].map((name) => store.createTag(workspaceId, { name, color })));
  const [a, b, c] = tags.map(({ id }) => id) as [string, string, string];
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, { tagIds: [a, b] });
  const counts = () => store.countsOf(workspaceId, [a, b, c], [link.id]);
  const current = async () => (await store.getLink(workspaceId, link.id))?.link;
  return { workspace, workspaceId, id: link.id, a, b, c, counts, current };
}

/** A page of the sweep of a deleted tag, as the stream brings it. */
async function sweep(tagId: string, budget: number): Promise<Answer> {
  const { handler } = await import('../../lambdas/events/sweep-tags.ts');
  const Records = [{ dynamodb: { Keys: { pk: { S: `TAG#${tagId}` } }, SequenceNumber: '1' } }];
  const { batchItemFailures } = await handler({ Records }, contextWith(budget));
  // What is reported comes again, as what is answered 503 does.
  return batchItemFailures.length > 0 ? { status: 503, headers: { 'Retry-After': '1' } } : { status: 200 };
}

/** A batch of clicks, as the stream brings it. */
async function countClicks(records: readonly object[], budget: number): Promise<Answer> {
  const { handler } = await import('../../lambdas/events/count-clicks.ts');
  const Records = records.map((dynamodb) => ({ dynamodb }));
  try {
    await handler({ Records, shardId: 'shardId-1' }, contextWith(budget));
    return { status: 200 };
  } catch {
    // The batch comes again.
    return { status: 503, headers: { 'Retry-After': '1' } };
  }
}

const one = { count: 1, pairs: 1, links: 1 };
const two = { count: 2, pairs: 2, links: 2 };
const none = { count: 0, pairs: 0, links: 0 };

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

/** A bulk request; what it left undone for now is as good as unanswered. */
async function bulk(name: string, call: EndpointCall): Promise<Answer> {
  const answer = await callEndpoint(name, call);
  const { failed = [] } = answer.body as { failed?: { code: string }[] };
  const codes = new Set(failed.map(({ code }) => code));
  return codes.has('temporarily_unavailable') ? { status: 503, headers: { 'Retry-After': '1' } } : answer;
}

/** The header that names a thing as it is now. */
async function ifMatch(reader: string, workspaceId: string, id: string): Promise<Record<string, string>> {
  const { headers } = await callEndpoint(reader, { workspaceId, id });
  return { 'If-Match': String((headers as Record<string, unknown>).ETag) };
}

/** The tag has its new name, and its old one is free. */
async function expectRenamed(workspaceId: string, tagId: string): Promise<void> {
  expect(await store.getTag(workspaceId, tagId)).toMatchObject({ name: 'New', color: '#abcdef', linkCount: 1 });
  const nameOf = (name: string) => store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: `TAGNAME#${name}` });
  expect([(await nameOf('new'))?.tagId, await nameOf('a')]).toEqual([tagId, undefined]);
}

function importScenario(headers: Record<string, string>, calls: readonly string[]): Scenario {
  return {
    calls,
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      const count = 60;
      const links = Array.from({ length: count }, (_, index) => ({
        url: `https://example.org/${index}`,
        customSlug: `slug-${index}`,
      }));
      return {
        act: async (budget) => {
          const answer = await callEndpoint('bulk-create-links', {
            workspaceId,
            headers,
            body: { domain: domain.host, links },
            budget,
          });
          const { body } = answer as { body: { failed?: { code: string }[]; created?: number } };
          if (answer.status !== 200) return answer;
          // Never the wrong reason: with a key all are there, without one what is missing is said to be so.
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

/** A link on a domain of its own, and how to visit it by a function that has just started. */
async function linkToVisit(changes: LinkChanges) {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, changes);
  const visit = await startVisits();
  const open = async (budget: number, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await visit({ host: workspace.domain.host, path: `/${link.shortCode}`, headers, budget });
    return { status: Number(answer.statusCode), headers: answer.headers };
  };
  const current = async () => (await store.getLink(workspace.workspaceId, link.id))?.link;
  return { open, current, clicks: async () => (await clicksIn(store.client)).filter(({ linkId }) => linkId === link.id).length };
}

/** The creation of a link with a slug of its own, on a domain that no function remembers yet. */
async function creation(headers: Record<string, string>, settings: (tagIds: string[]) => object) {
  const { workspaceId, domain } = await store.newWorkspace();
  const { id: tagId } = await store.createTag(workspaceId, { name: 'New', color });
  const sent = settings([tagId]);
  const body = { domain: domain.host, url: 'https://example.org/', customSlug: 'New', title: 'New', ...sent };
  return {
    act: (budget: number) => callEndpoint('create-link', { workspaceId, headers, body, budget }),
    check: async () => {
      const link = await store.getLinkAt(domain.domainId, 'new');
      expect(link).toMatchObject({ url: 'https://example.org/', shortCode: 'New', title: 'New', ...sent });
      expect(await store.countsOf(workspaceId, [tagId], [link?.id ?? ''])).toEqual([link?.tagIds.length === 1 ? one : none]);
      expect(await Array.fromAsync(store.query({ gsi1pk: `WORKSPACE#${workspaceId}#LINKS` }))).toHaveLength(1);
    },
  };
}

/** A page of a list, of links on a domain that no function remembers yet. */
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
  // Such a domain is looked at each time.
  await store.addDomain(workspaceId, workspace.domain.host, 'PENDING_DNS');
  const headers = await headersFor(workspaceId, id);
  return {
    act: (budget: number) => callEndpoint('delete-link', { workspaceId, id, headers, budget }),
    check: async () => {
      expect(await current()).toBeUndefined();
      expect(await counts()).toEqual([none, none, none]);
      for (const tagId of [a, b])
        expect(await Array.fromAsync(store.query({ pk: `TAG#${tagId}`, skPrefix: 'LINK#' }))).toEqual([]);
    },
  };
}

const scenarios: Record<string, Scenario> = {
  'redirect: an open link': {
    calls: [get, get, get, put],
    succeeds: 302,
    forgivenFrom: 3,
    arrange: async () => {
      const { open, clicks } = await linkToVisit({});
      return { act: open, check: async () => expect(await clicks()).toBeGreaterThanOrEqual(1) };
    },
  },
  'redirect: a capped link': {
    calls: [get, get, get, transact],
    succeeds: 302,
    arrange: async () => {
      const { open, current, clicks } = await linkToVisit({ maxClicks: 5 });
      return {
        act: open,
        check: async () => {
          // Each click that was taken is recorded; one that nobody heard of is taken too.
          const used = (await current())?.capUsed;
          expect([1, 2]).toContain(used);
          expect(await clicks()).toBe(used);
        },
      };
    },
  },
  'redirect: a wrong password': {
    calls: [get, get, get, update, update],
    succeeds: 401,
    arrange: async () => {
      const { open, clicks } = await linkToVisit({ passwordHash: await hashPassword('right') });
      return {
        act: (budget) => open(budget, { 'link-password': 'wrong' }),
        check: async () => expect(await clicks()).toBe(0),
      };
    },
  },
  'redirect: the right password': {
    calls: [get, get, get, update, update, update, update, put],
    succeeds: 302,
    forgivenFrom: 5,
    arrange: async () => {
      const { open, clicks } = await linkToVisit({ passwordHash: await hashPassword('right') });
      return {
        act: (budget) => open(budget, { 'link-password': 'right' }),
        check: async () => expect(await clicks()).toBeGreaterThanOrEqual(1),
      };
    },
  },
  'redirect: a blocked destination': {
    calls: [get, get, get],
    succeeds: 404,
    arrange: async () => {
      const host = `host${++hosts}.evil.example`;
      const { open, clicks } = await linkToVisit({ url: `https://www.${host}/` });
      await store.blockHost(host);
      return { act: open, check: async () => expect(await clicks()).toBe(0) };
    },
  },

  'authorize: a good key': {
    calls: [get, update],
    forgivenFrom: 1,
    arrange: async () => {
      const workspace = await store.newWorkspace();
      const { key, id } = await store.createApiKey(workspace, { name: null, permissions: ['links:write'] });
      const { handler } = await import('../../lambdas/authorizer/authorize.ts');
      const event = {
        type: 'TOKEN',
        authorizationToken: `Bearer ${key}`,
        methodArn: 'arn:aws:execute-api:x:1:api/stage/GET/api',
      } as const;
      return {
        act: async (budget) => {
          try {
            const { usageIdentifierKey } = await handler(event, contextWith(budget));
            return { status: usageIdentifierKey === workspace.gatewayKey ? 200 : 500 };
          } catch (error) {
            // Anything but Unauthorized is the gateway's 503.
            return (error as Error).message === 'Unauthorized'
              ? { status: 401 }
              : { status: 503, headers: { 'Retry-After': '1' } };
          }
        },
        check: async () => {
          const [found] = await store.listApiKeys(workspace.id);
          expect(found).toMatchObject({ id, permissions: ['links:write'] });
        },
      };
    },
  },
  'update-link: settings': {
    calls: [batchGet, batchGet, update, batchGet],
    arrange: async () => {
      const { workspaceId, id, counts, current } = await linkWithTags();
      return {
        act: (budget) =>
          callEndpoint('update-link', { workspaceId, id, body: { url: 'https://example.org/new', title: 'New' }, budget }),
        check: async () => {
          expect(await current()).toMatchObject({ url: 'https://example.org/new', title: 'New' });
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
  'update-link: only as it was read': {
    calls: [batchGet, batchGet, transact, batchGet, batchGet],
    // It has changed since, by this very request.
    repeated: [412],
    arrange: async () => {
      const { workspaceId, id, counts, current } = await linkWithTags();
      const headers = { 'If-Match': String((await callEndpoint('get-link', { workspaceId, id })).headers.ETag) };
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
    calls: [get, batchGet, put],
    succeeds: 201,
    settles: true,
    repeated: [409],
    arrange: () => creation({}, () => ({ maxClicks: 5 })),
  },
  'create-link: with tags': {
    calls: [get, batchGet, batchGet, transact],
    repeated: [409],
    succeeds: 201,
    arrange: () => creation({}, (tagIds) => ({ tagIds })),
  },
  'create-link: with tags and a key': {
    calls: [get, get, batchGet, put, batchGet, transact, update],
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
  'create-tag': {
    calls: [transact],
    repeated: [409],
    succeeds: 201,
    arrange: async () => {
      const { workspaceId } = await store.newWorkspace();
      return {
        act: (budget) => callEndpoint('create-tag', { workspaceId, body: { name: 'New', color }, budget }),
        check: async () => {
          expect((await store.listTags(workspaceId)).map(({ name }) => name)).toEqual(['New']);
          expect((await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.tagCount).toBe(1);
        },
      };
    },
  },
  'list-tags': {
    calls: [query],
    arrange: async () => {
      const { workspaceId } = await linkWithTags();
      return { act: (budget) => callEndpoint('list-tags', { workspaceId, budget }), check: async () => {} };
    },
  },
  'get-tag': {
    calls: [get],
    arrange: async () => {
      const { workspaceId, a } = await linkWithTags();
      return { act: (budget) => callEndpoint('get-tag', { workspaceId, id: a, budget }), check: async () => {} };
    },
  },
  'delete-tag': {
    calls: [get, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, a, b, c } = await linkWithTags();
      return {
        act: (budget) => callEndpoint('delete-tag', { workspaceId, id: a, budget }),
        check: async () => {
          expect((await store.listTags(workspaceId)).map(({ id }) => id).sort()).toEqual([b, c].sort());
          expect((await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'WORKSPACE' }))?.tagCount).toBe(2);
          expect(await store.getItem({ pk: `TAG#${a}`, sk: 'SWEEP' })).toMatchObject({ tagId: a });
          expect(await store.getItem({ pk: `WORKSPACE#${workspaceId}`, sk: 'TAGNAME#a' })).toBeUndefined();
        },
      };
    },
  },
  'create-domain': {
    calls: [batchGet, query, query, put],
    succeeds: 201,
    settles: true,
    arrange: async () => {
      const { id: workspaceId } = await store.createWorkspace('New', async () => 'gateway');
      const host = `${workspaceId.slice(3).toLowerCase()}.acme.example`;
      return {
        act: (budget) => callEndpoint('create-domain', { workspaceId, body: { domain: host }, budget }),
        check: async () => expect((await store.listDomains(workspaceId)).map((domain) => domain.host)).toEqual([host]),
      };
    },
  },
  'list-domains': {
    calls: [query, batchGet, query],
    arrange: async () => {
      const { workspaceId } = await store.newWorkspace();
      return { act: (budget) => callEndpoint('list-domains', { workspaceId, budget }), check: async () => {} };
    },
  },
  'get-domain': {
    calls: [batchGet],
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      return {
        act: (budget) => callEndpoint('get-domain', { workspaceId, domain: domain.host, budget }),
        check: async () => {},
      };
    },
  },
  'verify-domain': {
    calls: [batchGet, transact, update],
    arrange: async () => {
      const { id: workspaceId } = await store.createWorkspace('New', async () => 'gateway');
      const host = `${workspaceId.slice(3).toLowerCase()}.acme.example`;
      const { token } = await store.claimDomain(workspaceId, host);
      records[`_links.${host}`] = { TXT: [`links-verification=${token}`] };
      records[host] = { CNAME: ['links.localhost'] };
      dns.set(records);
      return {
        act: (budget) => callEndpoint('verify-domain', { workspaceId, domain: host, budget }),
        check: async () => {
          expect(await store.listDomains(workspaceId)).toMatchObject([{ host, status: 'ACTIVE', token }]);
          const checks = await Array.fromAsync(store.query({ gsi1pk: 'DOMAINS' }));
          expect(checks.filter(({ gsi1sk }) => gsi1sk === host)).toHaveLength(1);
        },
      };
    },
  },
  'delete-domain': {
    calls: [batchGet, query, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, domain } = await store.newWorkspace();
      return {
        act: (budget) => callEndpoint('delete-domain', { workspaceId, domain: domain.host, budget }),
        check: async () => {
          expect(await store.getDomain(domain.host)).toBeUndefined();
          expect(await store.listDomains(workspaceId)).toEqual([]);
        },
      };
    },
  },
  'check-domains: all that there are': {
    calls: [query],
    alone: true,
    arrange: async () => {
      for await (const { gsi1sk } of store.query({ gsi1pk: 'DOMAINS' })) {
        await store.deleteItem({ pk: `DOMAIN#${gsi1sk}`, sk: 'CHECK' });
      }
      const { handler } = await import('../../lambdas/events/check-domains.ts');
      return {
        act: async (budget) => {
          try {
            // Look-ups that were begun have their time, too.
            await handler(undefined, contextWith(budget + 6_000));
            return { status: 200 };
          } catch {
            // The schedule comes again.
            return { status: 503, headers: { 'Retry-After': '1' } };
          }
        },
        check: async () => {},
      };
    },
  },
  'delete-tag: as it was known': {
    calls: [get, get, transact],
    repeated: [404],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, a, b, c } = await linkWithTags();
      const headers = await ifMatch('get-tag', workspaceId, a);
      return {
        act: (budget) => callEndpoint('delete-tag', { workspaceId, id: a, headers, budget }),
        check: async () => expect((await store.listTags(workspaceId)).map(({ id }) => id).sort()).toEqual([b, c].sort()),
      };
    },
  },
  'update-tag': {
    calls: [get, transact],
    arrange: async () => {
      const { workspaceId, a } = await linkWithTags();
      return {
        act: (budget) => callEndpoint('update-tag', { workspaceId, id: a, body: { name: 'New', color: '#abcdef' }, budget }),
        check: () => expectRenamed(workspaceId, a),
      };
    },
  },
  'update-tag: as it was known': {
    calls: [get, get, transact],
    repeated: [412],
    arrange: async () => {
      const { workspaceId, a } = await linkWithTags();
      const headers = await ifMatch('get-tag', workspaceId, a);
      const body = { name: 'New', color: '#abcdef' };
      return {
        act: (budget) => callEndpoint('update-tag', { workspaceId, id: a, body, headers, budget }),
        check: () => expectRenamed(workspaceId, a),
      };
    },
  },
  'update-link: as it was known': {
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
    arrange: async () => {
      const { workspace, workspaceId, id, counts, current } = await linkWithTags();
      // A domain that does not serve yet is looked at each time.
      await store.addDomain(workspaceId, workspace.domain.host, 'PENDING_DNS');
      const headers = await ifMatch('get-link', workspaceId, id);
      return {
        act: (budget) => callEndpoint('delete-link', { workspaceId, id, headers, budget }),
        check: async () => {
          expect(await current()).toBeUndefined();
          expect(await counts()).toEqual([none, none, none]);
        },
      };
    },
  },
  'bulk-update-links: settings': {
    calls: [update, batchGet, batchGet, update, update],
    arrange: async () => {
      const { workspaceId, ids, a, b, counts, current } = await linksWithTags();
      const fields = { url: 'https://example.org/new', title: 'New' };
      return {
        act: (budget) => bulk('bulk-update-links', { workspaceId, body: { ids, fields }, budget }),
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
  'bulk-delete-links: with tags': {
    calls: [update, batchGet, batchGet, transact],
    arrange: async () => {
      const { workspaceId, ids, counts, current } = await linksWithTags();
      return {
        act: (budget) => bulk('bulk-delete-links', { workspaceId, body: { ids }, budget }),
        check: async () => {
          expect(await current()).toEqual([undefined, undefined]);
          expect(await counts()).toEqual([none, none, none]);
        },
      };
    },
  },
  'bulk-create-links: without a key': importScenario({}, [update, get, batchGet, insert, insert, insert]),
  'bulk-create-links: with a key': importScenario({ 'Idempotency-Key': 'key' }, [
    update,
    get,
    get,
    batchGet,
    put,
    insert,
    insert,
    insert,
    update,
  ]),
  'sweep-tags: a page': {
    calls: [get, query, get, transact, remove],
    arrange: async () => {
      const { workspaceId, a, b, current } = await linkWithTags();
      await store.deleteTag(workspaceId, a);
      return {
        act: (budget) => sweep(a, budget),
        check: async () => {
          expect((await current())?.tagIds).toEqual([b]);
          expect(await Array.fromAsync(store.query({ pk: `TAG#${a}`, skPrefix: 'LINK#' }))).toEqual([]);
          expect(await store.getItem({ pk: `TAG#${a}`, sk: 'SWEEP' })).toBeUndefined();
        },
      };
    },
  },
  'count-clicks: a batch': {
    calls: [update],
    settles: true,
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      const records = ['9', '10'].map((SequenceNumber) => ({ NewImage: { linkId: { S: id } }, SequenceNumber }));
      return {
        act: (budget) => countClicks(records, budget),
        check: async () => expect((await store.getLink(workspaceId, id))?.clickCount).toBe(2),
      };
    },
  },
  'count-clicks: a click that cannot be read': {
    calls: [put],
    arrange: async () => {
      const { id } = await linkWithTags();
      const SequenceNumber = id.replace(/\D/g, '');
      const Keys = { pk: { S: `CLICK#${id}` }, sk: { S: 'CLICK' } };
      return {
        act: (budget) => countClicks([{ Keys, SequenceNumber }], budget),
        check: async () => {
          const failures = await store.getItems((await Array.fromAsync(store.query({ gsi1pk: 'FAILURES' }))) as never);
          expect(failures.filter((failure) => failure?.itemPk === Keys.pk.S)).toHaveLength(1);
        },
      };
    },
  },
  'restart-sweeps: one that stalled': {
    calls: [query, batchGet, update],
    settles: true,
    alone: true,
    arrange: async () => {
      const { workspaceId, a } = await linkWithTags();
      await store.deleteTag(workspaceId, a);
      const key = { pk: `TAG#${a}`, sk: 'SWEEP' };
      await store.updateItem(key, { text: 'SET #movedAt = :past', values: { ':past': '2020-01-01T00:00:00.000Z' } });
      const { handler } = await import('../../lambdas/events/restart-sweeps.ts');
      return {
        act: async (budget) => {
          try {
            await handler(undefined, contextWith(budget));
            return { status: 200 };
          } catch {
            // The schedule comes again.
            return { status: 503, headers: { 'Retry-After': '1' } };
          }
        },
        check: async () => {
          expect(String((await store.getItem(key))?.movedAt) > '2020-01-02').toBe(true);
        },
      };
    },
  },
};

const isWrite = (command: string) => ![get, batchGet, query].includes(command as never);

/** The faults that can befall a call: a read changes nothing, so that it does not matter when its answer was lost. */
const faultsOf = (command: string): Fault[] =>
  isWrite(command)
    ? ['throttle', 'lost-before', 'lost-after', ...(command === insert ? [] : (['conflict'] as const))]
    : ['throttle', 'lost-before'];

const plenty = 20_000;
const little = 1_200;

describe.for(Object.entries(scenarios))('%s', ([, scenario]) => {
  const { calls, arrange, repeated = [], succeeds = 200, settles, forgivenFrom = calls.length, alone } = scenario;
  test('makes the store calls that are listed, and no others', async () => {
    const { act, check } = await arrange();
    const { result, commands } = await underFaults(
      store.client,
      () => undefined,
      () => act(plenty),
    );
    expect(result.status).toBe(succeeds);
    expect(commands).toEqual(calls);
    await check();
  });

  const each = alone ? test : test.concurrent;
  const points = calls.flatMap((command, index) => faultsOf(command).map((fault) => ({ index, command, fault })));

  each.for(points)('is not disturbed by one $fault at call $index, $command', async ({ index, fault }) => {
    const { act, check } = await arrange();
    const once = (attempt: Attempt) => (attempt.index === index ? fault : undefined);
    expect((await underFaults(store.client, once, () => act(plenty))).result.status).toBe(succeeds);
    await check();
  });

  each.for(points)(
    'says 503, or does without, while every call from $index on, $command, meets $fault, and is right after a repetition',
    async ({ index, fault }) => {
      const { act, check } = await arrange();
      // A conflict befalls writes alone; what is read meanwhile comes through.
      const down = (attempt: Attempt) =>
        attempt.index < index || (fault === 'conflict' && !isWrite(attempt.command)) ? undefined : fault;
      const { result: during } = await underFaults(store.client, down, () => act(little));
      if ((settles && fault === 'lost-after') || index >= forgivenFrom) expect(during.status).toBe(succeeds);
      else expect(during).toMatchObject({ status: 503, headers: { 'Retry-After': expect.any(String) } });
      const after = await act(plenty);
      const isDone = fault === 'lost-after' || index > calls.findLastIndex(isWrite);
      expect([succeeds, ...(isDone ? repeated : [])]).toContain(after.status);
      await check();
    },
  );
});

/** What is done too seldom to be tried under every fault, and needs to be allowed all the same. */
const seldom: Record<string, Scenario['arrange']> = {
  'check-domains: one domain': async () => {
    await store.newWorkspace();
    const { handler } = await import('../../lambdas/events/check-domains.ts');
    return {
      act: async () => {
        await handler(undefined, contextWith(plenty));
        return { status: 200 };
      },
      check: async () => {},
    };
  },
  'sweep-tags: a page with another behind it': async () => {
    const workspace = await store.newWorkspace();
    const tag = await store.createTag(workspace.workspaceId, { name: 'Many', color });
    for (const found of await store.newLinks(workspace, 100)) await store.updateLink(found, { tagIds: [tag.id] });
    await store.deleteTag(workspace.workspaceId, tag.id);
    return {
      act: () => sweep(tag.id, plenty),
      check: async () => expect(await store.getItem({ pk: `TAG#${tag.id}`, sk: 'SWEEP' })).toHaveProperty('cursor'),
    };
  },
};

test('each function is allowed what it does on the partitions where it does it, and nothing more', async () => {
  const done: Access[] = [];
  const arranged = [
    ...Object.entries(scenarios).map(([name, { arrange }]) => [name, arrange] as const),
    ...Object.entries(seldom),
  ];
  for (const [name, arrange] of arranged) {
    const { act, check } = await arrange();
    const record = async () => {
      const { accesses } = await underFaults(
        store.client,
        () => undefined,
        () => act(plenty),
      );
      done.push(...accesses.map((access) => ({ ...access, action: `${name.split(':')[0]} ${access.action}` })));
    };
    await record();
    await check();
    // Again: what a repetition finds, as slugs that are taken, needs to be allowed too.
    await record();
  }
  expect(byAction(done)).toEqual(byAction(grants()));
});

/** The leading keys of each action, in order. */
const byAction = (accesses: readonly Access[]): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(accesses, ({ action }) => action)).map(([action, some = []]) => [
      action,
      [...new Set(some.map(({ leadingKey }) => leadingKey))].sort(),
    ]),
  );

/** What the synthesised policies allow each function to do with the table, the function's name before the action. */
function grants(): Access[] {
  const resources = readdirSync(inject('service').outdir)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => readTemplate(join(inject('service').outdir, file)));
  const names = [...new Set(Object.keys(scenarios).map((name) => name.split(':')[0] ?? ''))];
  // A logical id is the construct's id without its hyphens, and a hash.
  const nameOf = (id: string) => names.find((name) => id.replace(/[0-9A-F]{8}$/, '') === name.replaceAll('-', '')) ?? id;
  return resources
    .flatMap(functionsOf)
    .flatMap(({ id, statements }) =>
      tableStatements(statements).flatMap(({ actions, leadingKeys, index }) =>
        actions.flatMap((action) =>
          leadingKeys.map((leadingKey) => ({ action: `${nameOf(id)} ${action}${index ? ` on ${index}` : ''}`, leadingKey })),
        ),
      ),
    );
}
