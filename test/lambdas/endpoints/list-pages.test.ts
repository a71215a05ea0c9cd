import { beforeAll, describe, expect, test } from 'vitest';
import { makeCursor } from '../../../lambdas/core/cursor.ts';
import { entriesPerPage, tagsPerWorkspace } from '../../../lambdas/core/limits.ts';
import { callEndpoint } from '../../support/http/invoke.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { newHookedWorkspace } from '../../support/things/webhooks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.DOMAIN_TARGET = 'links.localhost';
  process.env.SERVED_NAMES = '*';
});

/** The lists that are read as a whole: their fields, and a workspace with five entries. */
const lists: Readonly<Record<string, { readonly field: string; readonly make: () => Promise<string> }>> = {
  'list-tags': {
    field: 'tags',
    make: async () => {
      const { workspaceId } = await store.newWorkspace();
      for (const name of ['b', 'Item 10', 'ä', 'Item 2', 'C']) await store.createTag(workspaceId, { name, color: '#123456' });
      return workspaceId;
    },
  },
  'list-templates': {
    field: 'templates',
    make: async () => {
      const { workspaceId } = await store.newWorkspace();
      for (const name of ['b', 'Item 10', 'ä', 'Item 2', 'C']) await store.createTemplate(workspaceId, { name });
      return workspaceId;
    },
  },
  'list-domains': {
    field: 'domains',
    make: async () => {
      const { workspaceId } = await store.newWorkspace();
      for (const name of 'dacb') await store.claimDomain(workspaceId, `${name}.acme.example`);
      return workspaceId;
    },
  },
  'list-webhooks': {
    field: 'webhooks',
    make: async () => {
      const { workspaceId, newWebhook } = await newHookedWorkspace(store);
      for (const _ of 'abcde') await newWebhook();
      return workspaceId;
    },
  },
  'list-webhook-secrets': {
    field: 'secrets',
    make: async () => {
      const { workspaceId, newWebhook, rotate } = await newHookedWorkspace(store);
      const { webhook } = await newWebhook();
      for (const webhookId of [webhook.id, null, null, webhook.id]) await rotate({ body: { webhookId } });
      return workspaceId;
    },
  },
};

describe.for(Object.entries(lists))('%s', ([name, { field, make }]) => {
  test('Without a limit, the response has all entries; with one, the pages have the same entries in the same order.', async () => {
    const workspaceId = await make();
    const all = (await callEndpoint(name, { workspaceId })).body;
    expect(all[field]).toHaveLength(5);
    expect(all.nextCursor).toBeNull();
    for (const limit of [1, 2, 4, 5, entriesPerPage]) {
      const pages: unknown[][] = [];
      let cursor: string | null = null;
      do {
        const query: Record<string, string> = { limit: String(limit), ...(cursor !== null && { cursor }) };
        const { status, body } = await callEndpoint(name, { workspaceId, query });
        expect(status).toBe(200);
        pages.push(body[field]);
        cursor = body.nextCursor;
      } while (cursor !== null);
      expect(pages.flat()).toEqual(all[field]);
      expect(pages).toHaveLength(Math.ceil(5 / limit));
    }
  });

  test.for([
    ['limit=0', { limit: '0' }, 'out_of_range'],
    ['a limit above the largest', { limit: String(entriesPerPage + 1) }, 'out_of_range'],
    ["a limit that isn't a number", { limit: 'all' }, 'out_of_range'],
    ['a made-up cursor', { cursor: 'abc' }, 'invalid_cursor'],
    ['a cursor of another list', { cursor: makeCursor(['ws_other', field], 'a') }, 'invalid_cursor'],
    ['a filter that the list does not have', { domain: 'go.example.com' }, 'unknown_parameter'],
  ] as const)('A request with %s is refused.', async ([, query, code]) => {
    const { workspaceId } = await store.newWorkspace();
    const { status, body } = await callEndpoint(name, { workspaceId, query });
    expect([status, body.errors?.[0]?.code]).toEqual([422, code]);
  });

  test.for(['', ' ', '#', '\u0000', '\ud800', 'zzz', 'x'.repeat(5_000)])(
    "A cursor that is forged for one's own list, with the position %j, leads somewhere into the list.",
    async (position) => {
      const workspaceId = await make();
      const query = { cursor: makeCursor([workspaceId, field], position) };
      const { status, body } = await callEndpoint(name, { workspaceId, query });
      // A lone surrogate does not survive the encoding, so its cursor is invalid.
      expect(status).toBe(position === '\ud800' ? 422 : 200);
      if (status === 200) expect(body[field].length).toBeLessThanOrEqual(5);
    },
  );
});

test('The list of 5,000 tags has 1,000 in a response without a limit, and the pages have each tag once.', async () => {
  const { workspaceId } = await store.newWorkspace();
  const tags = Array.from({ length: tagsPerWorkspace }, (_, index) => ({ name: `Tag ${index}`, color: '#123456' }));
  for (let start = 0; start < tags.length; start += 25)
    await Promise.all(tags.slice(start, start + 25).map((tag) => store.createTag(workspaceId, tag)));
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = cursor === null ? {} : { cursor };
    const { body } = await callEndpoint('list-tags', { workspaceId, query });
    expect(body.tags).toHaveLength(entriesPerPage);
    names.push(...body.tags.map(({ name }: { name: string }) => name));
    cursor = body.nextCursor;
  } while (cursor !== null);
  expect(names).toEqual(tags.map(({ name }) => name));
});
