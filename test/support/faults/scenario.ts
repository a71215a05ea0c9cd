import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { RequestError } from '../../../lambdas/core/errors.ts';
import type { Link } from '../../../lambdas/core/link/link.ts';
import { problems } from '../../../lambdas/http/problems.ts';
import { withDeadline } from '../../../lambdas/runtime/deadline.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { callEndpoint } from '../http/invoke.ts';
import { type Store, useStore } from '../store/store.ts';

/** The response to a function's caller. For an event, 503 means that it is delivered again. */
export type Answer = { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, unknown> };

const readCommands = ['GetItem', 'BatchGetItem', 'Query'] as const;
const writeCommands = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchExecuteStatement'] as const;
export const [get, batchGet, query] = readCommands;
export const [put, update, remove, transact, insert] = writeCommands;

export type ReadCommand = (typeof readCommands)[number];
export type Command = ReadCommand | (typeof writeCommands)[number];

export const isWrite = (command: Command): boolean => !readCommands.includes(command as ReadCommand);

/** The request, and a check of the data after it. */
type Arranged = { readonly act: (budget: number) => Promise<Answer>; readonly check: () => Promise<void> };

/** Somebody else, who acts between an attempt of a write and its retry. */
type Other = {
  /** The other client's work. It may find the write executed or not, and the data accordingly. */
  readonly meanwhile: () => Promise<unknown>;
  /** Checks the data after both. The response is the function's. */
  readonly checkBoth: (answer: Answer) => Promise<void>;
};

type Traits = {
  /** Further statuses that a client's retry may get if the first attempt succeeded, but its response was lost. */
  readonly repeated?: readonly number[];
  /** The write from which on the first attempt may have succeeded; the default is the last one. */
  readonly decisive?: number;
  /** The status of a success; the default is 200. */
  readonly succeeds?: number;
  /**
   * The function itself notices that a write was executed although its response was lost: each write, or those from
   * that call on.
   */
  readonly settles?: true | number;
  /** From this call on, a permanent failure does not affect the caller. */
  readonly forgivenFrom?: number;
  /** It affects the data of other runs, so no other run may overlap with one of this scenario. */
  readonly alone?: true;
};

/**
 * The work of a function: its store calls in order, and a check of the data afterwards. `arrange` prepares the
 * data. A test records the commands of the calls, and fails if they differ from the list.
 *
 * A scenario with a write must also say what somebody else does between two attempts, and what must be true then.
 */
export type Scenario = Traits &
  (
    | {
        readonly calls: readonly ReadCommand[];
        readonly arrange: () => Promise<Arranged & { readonly [name in keyof Other]?: never }>;
      }
    | { readonly calls: readonly Command[]; readonly arrange: () => Promise<Arranged & Other> }
  );

/** Scenarios by name: the function's name, and after a colon the special case. */
export type Scenarios = Readonly<Record<string, Scenario>>;

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
  const { workspaceId, domain } = workspace;
  const tags = await Promise.all(['A', 'B', 'C'].map((name) => store.createTag(workspaceId, { name, color })));
  const [a, b, c] = tags.map(({ id }) => id) as [string, string, string];
  const { link } = await store.createLink(domain, { url: 'https://example.org/0', tagIds: [a, b] }, store.newLease());
  const counts = () => store.countsOf(workspaceId, [a, b, c], [link.id]);
  const current = async () => (await store.getLink(workspaceId, link.id))?.link;
  return { workspace, workspaceId, id: link.id, shortCode: link.shortCode, a, b, c, counts, current };
}

/** The response of a request that only does this work. */
export async function answerOf(budget: number, work: () => Promise<unknown>): Promise<Answer> {
  try {
    await withDeadline(budget, work);
    return { status: 200 };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return { status: problems[error.code].status, headers: { 'Retry-After': String(error.retryAfter) } };
  }
}

/** The code of the error with which something is refused; undefined if it isn't. @throws other errors unchanged */
export async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.code;
  }
}

/**
 * Changes a link as somebody else, however often others change it first.
 *
 * @returns the link as it was directly before; undefined if it is gone.
 */
export async function changeAsOther(workspaceId: string, id: string, changes: LinkChanges): Promise<Link | undefined> {
  for (;;) {
    const found = await store.getLink(workspaceId, id);
    if (!found) return undefined;
    const refusal = await refusalOf(store.updateLink(found, changes, { asRead: true }));
    if (refusal === undefined) return found.link;
    expect(refusal).toBe('precondition_failed');
  }
}

/**
 * Somebody else changes the same fields of links. Whoever is later wins: a retry must not undo what came after the
 * attempt that it repeats.
 */
export function rivalOf(workspaceId: string, ids: readonly string[], ours: LinkChanges, theirs: LinkChanges) {
  const found: (Link | undefined)[] = [];
  /** Whether the rival's change came after ours. */
  const isLater = (place: number) => {
    const before = found[place] as LinkChanges | undefined;
    return (Object.keys(ours) as (keyof LinkChanges)[]).every((field) => isDeepStrictEqual(before?.[field], ours[field]));
  };
  return {
    meanwhile: async () => {
      for (const id of ids) found.push(await changeAsOther(workspaceId, id, theirs));
    },
    isLater,
    /** Expects that each link has the later of the two changes. */
    checkLast: async () => {
      const links = await store.getLinks(workspaceId, ids);
      for (const [place, one] of links.entries()) expect(one?.link).toMatchObject(isLater(place) ? theirs : ours);
    },
  };
}

type Count = Awaited<ReturnType<Store['countsOf']>>[number];

/** Expects that each tag's count and its pairs agree with the links that list it. */
export function expectAgreement(counts: readonly Count[]): void {
  for (const { count, pairs, links } of counts) expect([count, pairs]).toEqual([links, links]);
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

/** How many entries of a tag's or domain's history say that it was deleted. @param id of the tag, or the `domainId` */
export async function deletionsOf(id: string): Promise<number> {
  const entries = await Array.fromAsync(store.query({ pk: `HISTORY#${id}`, between: ['D', 'Z'] }));
  return entries.filter(({ action }) => String(action).endsWith('.deleted')).length;
}

/** Enough time for a function, in milliseconds. */
export const plenty = 20_000;
