import { callEndpoint } from '../invoke.ts';
import { type Store, useStore } from '../store.ts';

/** What a function's caller gets: of an event, whether it comes again. */
export type Answer = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, unknown> };

/** Something that a function does: its store calls in order, and what has to be true once it was done. */
export type Scenario = {
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
  /** A write that was done unheard is found to be done by the function itself: each, or each from that call on. */
  readonly settles?: true | number;
  /** From this call on a visitor is none the worse for what fails for good. */
  readonly forgivenFrom?: number;
  /** What it does befalls what others have made, so that it cannot be tried beside itself. */
  readonly alone?: true;
};

export const [get, batchGet, put, update, remove, transact, query, insert] = [
  'GetItemCommand',
  'BatchGetItemCommand',
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'TransactWriteItemsCommand',
  'QueryCommand',
  'BatchExecuteStatementCommand',
] as const;

/** The store, once it is open. */
export let store: Store;
export async function openStore(): Promise<void> {
  store = await useStore();
}

export const color = '#123456';

/** What a tag is counted for, the pairs that it has, and the links that say that they carry it. */
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

/** The header that names a thing as it is now. */
export async function ifMatch(reader: string, workspaceId: string, id: string): Promise<Record<string, string>> {
  const { headers } = await callEndpoint(reader, { workspaceId, id });
  return { 'If-Match': String((headers as Record<string, unknown>).ETag) };
}

/** Time enough for a function, in milliseconds. */
export const plenty = 20_000;
