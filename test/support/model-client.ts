import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Asked, Entry, Fields, ModelTag, State, View } from './model.ts';
import type { Answer, Service, Workspace } from './service.ts';

/** A client of a workspace, and what it needs of the operator. */
export type Client = Workspace & {
  readonly send: Service['send'];
  /** A key that the gateway's own plan has not counted yet: it is the table's limit alone that refuses. */
  readonly newImportKey: () => Promise<string>;
  /** Makes the limit on imports as it is a minute later. */
  readonly passMinute: () => Promise<void>;
};

/** Something that a client does. Numbers stand for one of what there is by then. */
export type Doing =
  | { readonly kind: 'create'; readonly name: { readonly name: string; readonly folded: string } }
  | { readonly kind: 'delete'; readonly tag: number }
  | { readonly kind: 'update'; readonly link: number; readonly fields: Fields; readonly tags?: readonly number[] | undefined }
  | { readonly kind: 'import'; readonly entries: readonly Entry[]; readonly copies: number }
  | { readonly kind: 'repeat'; readonly earlier: number };

export type SentImport = { readonly entries: readonly Entry[]; readonly key: string; text?: string };

/** What is known of a workspace: what it has to be like, and what was sent to it. */
export type Model = {
  state: State;
  readonly everyTag: string[];
  readonly imports: SentImport[];
  /** Import requests since the limit was last at rest, and when those that passed were sent. */
  minute: { sent: number; passed: number[] };
};

const maxLinks = 8;
export const pick = <T>(list: readonly T[], number: number): T | undefined => list[number % list.length];

/** The id of a tag: mostly of one that exists, now and then of one that did. */
const tagOf = ({ state, everyTag }: Model, number: number): string =>
  (number < 40 ? pick(state.tags, number)?.id : undefined) ?? pick(everyTag, number) ?? '';

/** Whether there is something that it can be done to. */
export function isPossible({ state, everyTag, imports }: Model, doing: Doing): boolean {
  if (doing.kind === 'delete') return everyTag.length > 0;
  if (doing.kind === 'update') return Object.keys(state.links).length > 0;
  if (doing.kind === 'repeat') return imports.length > 0;
  return doing.kind !== 'import' || Object.keys(state.links).length < maxLinks;
}

/** Sends a request until it is answered: what is unavailable is to be sent again. */
async function untilAnswered(send: () => Promise<Answer>): Promise<{ answer: Answer; repeated: boolean }> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const answer = await send().catch((error) => {
      // What fetch throws where the connection breaks.
      if (!(error instanceof TypeError)) throw error;
    });
    if (answer && answer.status !== 503) return { answer, repeated: attempt > 0 };
  }
  throw new Error('no answer but 503, although no fault is left');
}

type Change = Exclude<Doing, { kind: 'import' | 'repeat' }>;
type Answered = Omit<Asked, 'unheard'> & { readonly answer: Answer };

/** Does what changes tags or links, and gives what it came to as far as its client can tell. */
export async function change(model: Model, { call }: Client, doing: Change): Promise<Answered> {
  switch (doing.kind) {
    case 'create': {
      const { name, folded } = doing.name;
      // Nobody else's, so that the client recognises its own tag.
      const color = `#${randomUUID().slice(0, 6)}`;
      const { answer, repeated } = await untilAnswered(() => call('POST', '/tags', { name, color }));
      if (answer.status === 201) expect(answer.body).toMatchObject({ name, color, _count: { links: 0 } });
      const listed = answer.status === 409 && repeated ? await untilAnswered(() => call('GET', '/tags')) : undefined;
      const own = listed?.answer.body.tags.find((tag: ModelTag) => tag.color === color);
      const { _count, ...tag } = own ?? (answer.status === 201 ? answer.body : {});
      return {
        answer,
        change: { kind: 'create', tag: { ...tag, folded } },
        statuses: [own ? 201 : answer.status],
      };
    }
    case 'delete': {
      const tagId = tagOf(model, doing.tag);
      const { answer, repeated } = await untilAnswered(() => call('DELETE', `/tags/${tagId}`));
      // That it is gone may be its own doing.
      const statuses = answer.status === 404 && repeated ? [204, 404] : [answer.status];
      return { answer, change: { kind: 'delete', tagId }, statuses };
    }
    case 'update': {
      const linkId = pick(Object.keys(model.state.links), doing.link) ?? '';
      const { fields } = doing;
      const tagIds = model.everyTag.length > 0 ? doing.tags?.map((tag) => tagOf(model, tag)) : doing.tags && [];
      const body = { ...fields, ...(tagIds && { tagIds }) };
      const { answer } = await untilAnswered(() => call('PATCH', `/links/${linkId}`, body));
      return { answer, change: { kind: 'update', linkId, fields, tagIds }, statuses: [answer.status] };
    }
  }
}

/** Sends an import. Undefined where the limit has refused it. */
async function sendImport(model: Model, workspace: Client, sent: SentImport): Promise<Answer | undefined> {
  const body = { domain: workspace.domain, links: sent.entries };
  const { answer } = await untilAnswered(async () => {
    const key = await workspace.newImportKey();
    const sentAt = Date.now();
    model.minute.sent++;
    const answer = await workspace.send('POST', '/api/v1/links/bulk', { key, body, headers: { 'Idempotency-Key': sent.key } });
    if (answer.status === 200) {
      model.minute.passed.push(sentAt);
      // A slot is taken once, even by a request whose store calls were repeated.
      const left = Number(/r=(\d)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
      expect(left).toBeGreaterThanOrEqual(3 - model.minute.sent);
      const four = model.minute.passed.slice(-4);
      if (four.length === 4) expect(Date.now() - Math.min(...four)).toBeGreaterThanOrEqual(60_000);
    }
    return answer;
  });
  if (answer.status === 200) {
    sent.text ??= answer.text;
    expect(answer.text).toBe(sent.text);
    return answer;
  }
  expect([answer.status, answer.body.code]).toEqual([429, 'rate_limited']);
  expect(model.minute.sent).toBeGreaterThan(3);
  return undefined;
}

/** Sends imports, all at once, and those that the limit refuses once more when it lets them. */
export async function sendImports(model: Model, workspace: Client, imports: readonly SentImport[]): Promise<void> {
  const answers = await Promise.all(imports.map((sent) => sendImport(model, workspace, sent)));
  const refused = imports.filter((_, place) => !answers[place]);
  if (refused.length === 0) return;
  await workspace.passMinute();
  model.minute = { sent: 0, passed: [] };
  await sendImports(model, workspace, refused);
}

/** What the API shows, without faults. */
export async function look({ call }: Client, linkIds: readonly string[]): Promise<View> {
  const [list, ...links] = await Promise.all([call('GET', '/tags'), ...linkIds.map((id) => call('PATCH', `/links/${id}`, {}))]);
  for (const { status, text } of [list, ...links]) expect(status, text).toBe(200);
  return { tags: list.body.tags, links: Object.fromEntries(links.map(({ body }) => [body.link.id, body.link])) };
}
