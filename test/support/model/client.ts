import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer, Service, Workspace } from '../service/service.ts';
import type { Asked } from './changes.ts';
import type { Fields, ModelLink, ModelTag, State } from './model.ts';

/** A client of a workspace, with what it needs from the operator. */
export type Client = Workspace & {
  readonly send: Service['send'];
  /** Its domains. Each has its own slugs. */
  readonly domains: readonly string[];
  /** Makes a key that the gateway's usage plan has not counted yet, so that only the table's limit refuses requests. */
  readonly newBulkKey: () => Promise<string>;
  /** Puts the limits on bulk requests in the state that they have a minute later. */
  readonly passMinute: () => Promise<void>;
};

type Name = { readonly name: string; readonly folded: string };
export type Entry = {
  readonly url: string;
  readonly customSlug?: string | undefined;
  readonly title?: string | undefined;
  readonly externalId?: string | null | undefined;
};
/** Whether a change has `If-Match` with the current ETag, with an older one, or no `If-Match`. */
type Condition = 'current' | 'stale' | undefined;

/** Something that changes or reads tags or links. A number picks one of the things that exist at that time. */
export type Doing =
  | { readonly kind: 'create-tag'; readonly name: Name }
  | { readonly kind: 'rename-tag'; readonly tag: number; readonly name: Name }
  | { readonly kind: 'delete-tag'; readonly tag: number }
  | {
      readonly kind: 'create-link';
      readonly domain: number;
      readonly entry: Entry;
      readonly tags: readonly number[];
      /** How many copies are sent concurrently with the same key; 0 means one request without a key. */
      readonly copies: number;
    }
  | {
      readonly kind: 'put-link';
      readonly domain: number;
      readonly externalId: string;
      readonly entry: Entry;
      readonly tags: readonly number[];
    }
  | { readonly kind: 'repeat-link'; readonly earlier: number; readonly isAltered: boolean }
  | {
      readonly kind: 'update-link';
      readonly link: number;
      readonly fields: Fields;
      readonly tags?: readonly number[] | undefined;
      readonly condition?: Condition;
    }
  | { readonly kind: 'remove-alias'; readonly link: number; readonly slug: string }
  | { readonly kind: 'delete-link'; readonly link: number; readonly condition?: Condition }
  | { readonly kind: 'get-link'; readonly link: number }
  | { readonly kind: 'look-up'; readonly domain: number; readonly slug: string }
  | {
      readonly kind: 'list';
      readonly limit: number;
      readonly tag?: number | undefined;
      readonly domain?: number | undefined;
      readonly q?: string | undefined;
      readonly archived?: 'true' | 'any' | undefined;
      readonly isRanked?: boolean | undefined;
    }
  | { readonly kind: 'list-tag'; readonly tag: number; readonly limit: number }
  | { readonly kind: 'import'; readonly entries: readonly Entry[]; readonly copies: number }
  | { readonly kind: 'repeat-import'; readonly earlier: number }
  | {
      readonly kind: 'update-many';
      readonly links: readonly number[];
      readonly fields: Fields;
      readonly tags?: readonly number[];
    }
  | { readonly kind: 'delete-many'; readonly links: readonly number[] };

/** A request with an `Idempotency-Key`, and its response. */
export type Sent = { readonly body: Fields; readonly key: string; text?: string };
export type SentImport = Sent & { readonly entries: readonly Entry[] };
/** An ETag of a link, and the link that it came with. */
type Seen = { readonly etag: string; readonly view: string };

/** The knowledge about a workspace: the state that it must have, and the requests that were sent to it. */
export type Model = {
  state: State;
  readonly everyTag: string[];
  /** Each link that there ever was, as it was created; undefined if that is not known. */
  readonly born: Map<string, ModelLink | undefined>;
  /** The ids of links that were deleted. */
  readonly dead: string[];
  readonly seen: Map<string, Seen[]>;
  readonly imports: SentImport[];
  readonly creations: Sent[];
  /** For each limit the number of bulk requests since the last `passMinute`, and when those that passed were sent. */
  minute: Record<'bulk' | 'bulk-changes', { sent: number; passed: number[] }>;
};

/** The result of a `Doing`: the changes that it consists of, and a check for after the whole step. */
export type Done = {
  readonly answer?: Answer | undefined;
  readonly asked: readonly Omit<Asked, 'unheard'>[];
  /** @param alone whether nothing else was done meanwhile. */
  readonly check?: (after: State, alone: boolean, all: readonly Asked[]) => void;
};

const maxLinks = 8;
export const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length];

/** The id of a tag: mostly of one that exists, sometimes of a deleted one. */
export const tagOf = ({ state, everyTag }: Model, number: number): string =>
  (number < 40 ? pick(state.tags, number)?.id : undefined) ?? pick(everyTag, number) ?? '';

/** The id of a link, likewise. */
export function linkOf({ state, dead }: Model, number: number): string {
  const live = pick(Object.keys(state.links), number);
  const gone = pick(dead, number);
  return (number < 40 ? (live ?? gone) : (gone ?? live)) ?? '';
}

/** Whether there is something that the `Doing` can be done to. */
export function isPossible({ state, everyTag, imports, creations, dead }: Model, doing: Doing): boolean {
  const count = Object.keys(state.links).length;
  switch (doing.kind) {
    case 'rename-tag':
    case 'delete-tag':
    case 'list-tag':
      return everyTag.length > 0;
    case 'create-link':
    case 'put-link':
    case 'import':
      return count < maxLinks;
    case 'repeat-link':
      return creations.length > 0;
    case 'repeat-import':
      return imports.length > 0;
    case 'create-tag':
    case 'look-up':
      return true;
    case 'list':
      return doing.tag === undefined || everyTag.length > 0;
    default:
      return count + dead.length > 0;
  }
}

/** Sends a request until it has a final response: retries 503, `idempotency_in_progress` and lost connections. */
export async function untilAnswered(send: () => Promise<Answer>): Promise<{ answer: Answer; repeated: boolean }> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const answer = await send().catch((error) => {
      // fetch throws a TypeError if the connection breaks.
      if (!(error instanceof TypeError)) throw error;
    });
    if (answer && answer.status !== 503 && answer.body?.code !== 'idempotency_in_progress')
      return { answer, repeated: attempt > 0 };
  }
  throw new Error('no final response after 20 attempts, although no fault is left');
}

export async function createTag({ call }: Client, { name, folded }: Name): Promise<Done> {
  // A unique colour, so that the client recognizes its own tag.
  const color = `#${randomUUID().slice(0, 6)}`;
  const { answer, repeated } = await untilAnswered(() => call('POST', '/tags', { name, color }));
  if (answer.status === 201) expect(answer.body).toMatchObject({ name, color, _count: { links: 0 } });
  const listed = answer.status === 409 && repeated ? await untilAnswered(() => call('GET', '/tags')) : undefined;
  const own = listed?.answer.body.tags.find((tag: ModelTag) => tag.color === color);
  const { _count, ...tag } = own ?? (answer.status === 201 ? answer.body : {});
  return { answer, asked: [{ change: { kind: 'create-tag', tag: { ...tag, folded } }, statuses: [own ? 201 : answer.status] }] };
}

export async function renameTag({ call }: Client, tagId: string, { name, folded }: Name): Promise<Done> {
  const { answer } = await untilAnswered(() => call('PATCH', `/tags/${tagId}`, { name }));
  if (answer.status === 200) expect(answer.body).toMatchObject({ id: tagId, name });
  return { answer, asked: [{ change: { kind: 'rename-tag', tagId, name, folded }, statuses: [answer.status] }] };
}

export async function deleteTag({ call }: Client, tagId: string): Promise<Done> {
  const { answer, repeated } = await untilAnswered(() => call('DELETE', `/tags/${tagId}`));
  // An earlier attempt of this request may have deleted it.
  const statuses = answer.status === 404 && repeated ? [204, 404] : [answer.status];
  return { answer, asked: [{ change: { kind: 'delete-tag', tagId }, statuses }] };
}
