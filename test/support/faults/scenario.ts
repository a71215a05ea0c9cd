import { callEndpoint } from '../invoke.ts';
import { type Store, useStore } from '../store.ts';

/** What a function's caller gets. For an event, 503 means that it is delivered again. */
export type Answer = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, unknown> };

/** Something that a function does: its store calls in order, and what must be true afterwards. */
export type Scenario = {
  /** The commands of the store calls. A test records them, and fails if they differ from this list. */
  readonly calls: readonly string[];
  /** Prepares the data. Returns the request, and a check of the data after it. */
  readonly arrange: () => Promise<{
    readonly act: (budget: number) => Promise<Answer>;
    readonly check: () => Promise<void>;
  }>;
  /** Further statuses that a client's retry may get if the first attempt succeeded, but its response was lost. */
  readonly repeated?: readonly number[];
  /** The status of a success; the default is 200. */
  readonly succeeds?: number;
  /**
   * The function itself notices that a write was executed although its response was lost: each write, or those from
   * that call on.
   */
  readonly settles?: true | number;
  /** From this call on, a permanent failure does not affect the caller. */
  readonly forgivenFrom?: number;
  /** It affects the data of other runs, so runs of this scenario must not overlap. */
  readonly alone?: true;
};

export const [get, batchGet, put, update, remove, transact, query, insert] = [
  'GetItem',
  'BatchGetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'TransactWriteItems',
  'Query',
  'BatchExecuteStatement',
] as const;

/** The store; defined after `openStore`. */
export let store: Store;
export async function openStore(): Promise<void> {
  store = await useStore();
}

export const color = '#123456';

/** A tag's count, its pairs with links, and the links that list it, as `countsOf` returns them. */
export const one = { count: 1, pairs: 1, links: 1 };
export const two = { count: 2, pairs: 2, links: 2 };
export const none = { count: 0, pairs: 0, links: 0 };

/** A link with the first two of three tags. */
export async function linkWithTags() {
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

/** Sets these caps of the links, one after another. */
export async function setCaps(workspaceId: string, ids: readonly string[], caps: readonly (number | null)[]): Promise<void> {
  for (const maxClicks of caps) {
    for (const found of await store.getLinks(workspaceId, ids)) if (found) await store.updateLink(found, { maxClicks });
  }
}

/** The `If-Match` header with the current ETag. */
export async function ifMatch(reader: string, workspaceId: string, id: string): Promise<Record<string, string>> {
  const { headers } = await callEndpoint(reader, { workspaceId, id });
  return { 'If-Match': String((headers as Record<string, unknown>).ETag) };
}

/** Enough time for a function, in milliseconds. */
export const plenty = 20_000;
