import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { requestLimits } from '../../../lambdas/store/limits/request-limits.ts';
import type { Answer } from '../service/service.ts';
import type { Change } from './changes.ts';
import {
  type Client,
  type Doing,
  type Done,
  type Entry,
  linkOf,
  type Model,
  pick,
  type SentImport,
  tagOf,
  untilAnswered,
} from './client.ts';
import { newLink, type State } from './model.ts';

/** The counts of a minute before anything is sent. */
export const newMinute = (): Model['minute'] => ({ bulk: { sent: 0, passed: [] }, 'bulk-changes': { sent: 0, passed: [] } });

/** A request that counts towards the limit on imports, or that on bulk updates and deletions. */
type Bulk = { readonly method: string; readonly body: object; readonly headers?: Record<string, string> };

/** Sends a bulk request. Undefined if its limit refused it. */
async function sendBulk(model: Model, client: Client, { method, ...request }: Bulk): Promise<Answer | undefined> {
  const name = method === 'POST' ? 'bulk' : 'bulk-changes';
  const { quota } = requestLimits[name];
  const { answer } = await untilAnswered(async () => {
    const key = await client.newBulkKey();
    const sentAt = Date.now();
    model.minute[name].sent++;
    const answer = await client.send(method, '/api/v1/links/bulk', { key, ...request });
    if (answer.status === 200) {
      model.minute[name].passed.push(sentAt);
      // A request takes one slot, even if its store calls were retried.
      const left = Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1]);
      expect(left).toBeGreaterThanOrEqual(quota - model.minute[name].sent);
      const last = model.minute[name].passed.slice(-quota - 1);
      if (last.length > quota) expect(Date.now() - Math.min(...last)).toBeGreaterThanOrEqual(60_000);
    }
    return answer;
  });
  if (answer.status !== 429) return answer;
  expect(answer.body.code).toBe('rate_limited');
  expect(model.minute[name].sent).toBeGreaterThan(quota);
  return undefined;
}

/** Sends bulk requests concurrently. Those that the limit refuses are sent again after a minute. */
async function sendAll(model: Model, client: Client, requests: readonly Bulk[]): Promise<Answer[]> {
  const answers = await Promise.all(requests.map((request) => sendBulk(model, client, request)));
  const refused = requests.filter((_, position) => !answers[position]);
  if (refused.length === 0) return answers as Answer[];
  await client.passMinute();
  model.minute = newMinute();
  const later = await sendAll(model, client, refused);
  return answers.map((answer) => answer ?? (later.shift() as Answer));
}

type BulkDoing = Extract<Doing, { kind: 'import' | 'repeat-import' | 'update-many' | 'delete-many' }>;
type Planned = { readonly requests: readonly Bulk[]; readonly done: (answers: readonly Answer[]) => Done };

const kinds: readonly string[] = ['import', 'repeat-import', 'update-many', 'delete-many'];
export const isBulk = (doing: Doing): doing is BulkDoing => kinds.includes(doing.kind);

/** Does everything that the bulk limit counts, concurrently. */
export async function doBulk(model: Model, client: Client, doings: readonly BulkDoing[]): Promise<Done[]> {
  const planned = doings.map((doing) => plan(model, client, doing));
  const answers = await sendAll(
    model,
    client,
    planned.flatMap(({ requests }) => requests),
  );
  let position = 0;
  return planned.map(({ requests, done }) => {
    position += requests.length;
    return done(answers.slice(position - requests.length, position));
  });
}

function plan(model: Model, { domain }: Client, doing: BulkDoing): Planned {
  const importing = (sent: SentImport) => ({
    method: 'POST',
    body: sent.body,
    headers: { 'Idempotency-Key': sent.key },
  });
  switch (doing.kind) {
    case 'import': {
      const { entries, copies } = doing;
      const sent: SentImport = { entries, body: { domain, links: entries }, key: randomUUID() };
      model.imports.push(sent);
      return {
        requests: Array.from({ length: copies }, () => importing(sent)),
        done: (answers) => imported(domain, sent, answers),
      };
    }
    case 'repeat-import': {
      const sent = pick(model.imports, doing.earlier) as SentImport;
      return { requests: [importing(sent)], done: (answers) => repeated(sent, answers) };
    }
    case 'update-many': {
      const ids = doing.links.map((link) => linkOf(model, link));
      const { fields } = doing;
      const tagIds = model.everyTag.length > 0 ? doing.tags?.map((tag) => tagOf(model, tag)) : undefined;
      const body = { ids, fields: { ...fields, ...(tagIds && { tagIds }) } };
      const change = (linkId: string) => ({ kind: 'update-link' as const, linkId, fields, tagIds });
      return {
        requests: [{ method: 'PATCH', body }],
        done: ([answer]) => each(model.state, ids, answer as Answer, 200, change, tagIds),
      };
    }
    case 'delete-many': {
      const ids = doing.links.map((link) => linkOf(model, link));
      const change = (linkId: string) => ({ kind: 'delete-link' as const, linkId });
      const requests = [{ method: 'DELETE', body: { ids } }];
      return { requests, done: ([answer]) => each(model.state, ids, answer as Answer, 204, change) };
    }
  }
}

/** Turns a bulk request into one change for each link. Each is done or not, independently of the others. */
function each(
  { links }: State,
  ids: readonly string[],
  answer: Answer,
  success: number,
  change: (id: string) => Change,
  tagIds: readonly string[] = [],
): Done {
  const distinct = [...new Set(ids)];
  if (answer.status === 422) {
    expect(answer.body.code).toBe('tag_not_found');
    const asked = distinct.filter((id) => links[id]).map((id) => ({ change: change(id), statuses: [404, 422] }));
    // Even if none of the links exists: a deleted tag never comes back.
    const check = ({ tags }: State) => expect(tags.map(({ id }) => id)).not.toEqual(expect.arrayContaining([...tagIds]));
    return { answer, asked, check };
  }
  expect(answer.status, answer.text).toBe(200);
  const { updated, deleted, failed } = answer.body;
  expect((updated ?? deleted) + failed.length).toBe(distinct.length);
  for (const { index, id } of failed) expect(ids.indexOf(id)).toBe(index);
  const statuses: Record<string, number> = { not_found: 404, tag_not_found: 422 };
  const codes = new Map<string, string>(failed.map(({ id, code }: { id: string; code: string }) => [id, code]));
  const asked = distinct.map((id) => {
    const code = codes.get(id);
    if (code !== undefined) expect([...Object.keys(statuses), 'temporarily_unavailable']).toContain(code);
    const status = code === undefined ? success : (statuses[code] ?? 503);
    return { change: change(id), statuses: [status], lost: status === 503 };
  });
  return { answer, asked };
}

function repeated(sent: SentImport, answers: readonly Answer[]): Done {
  sameAs(sent, answers);
  return { asked: [] };
}

function sameAs(sent: SentImport, answers: readonly Answer[]): void {
  for (const { status, text } of answers) {
    expect(status, text).toBe(200);
    sent.text ??= text;
    expect(text).toBe(sent.text);
  }
}

const isGood = ({ url }: Entry) => url.startsWith('http');

/**
 * Turns an import into one change for each link. Whether a slug was taken depends on what else was done, so the
 * outcomes decide that. Everything else in the response is checked here.
 */
function imported(domain: string, sent: SentImport, answers: readonly Answer[]): Done {
  sameAs(sent, answers);
  const { body } = answers[0] as Answer;
  const codes = new Map(body.failed.map(({ index, code }: { index: number; code: string }) => [index, code]));
  const seen = new Set<string>();
  const asked: Done['asked'][number][] = [];
  const links: object[] = [];
  const failed: object[] = [];
  for (const [index, entry] of sent.entries.entries()) {
    const slug = entry.customSlug?.toLowerCase();
    const isSecond = slug !== undefined && seen.has(slug);
    const isTaken = isSecond || (slug !== undefined && codes.get(index) === 'slug_taken');
    if (isGood(entry) && slug !== undefined) seen.add(slug);
    const answered = isTaken || !isGood(entry) ? {} : body.links[links.length];
    const link = newLink(domain, entry, answered);
    if (isGood(entry) && !isSecond) asked.push({ change: { kind: 'create-link', link }, statuses: [isTaken ? 409 : 201] });
    if (isTaken || !isGood(entry)) {
      const code = isGood(entry) ? 'slug_taken' : 'destination_scheme';
      failed.push({ index, url: entry.url, customSlug: entry.customSlug ?? null, code });
      continue;
    }
    if (slug === undefined) expect(link.fields.shortCode).toMatch(/^[2-9a-hjkmnp-z]{7}$/);
    links.push({ ...link.fields, tags: [] });
  }
  expect({
    ...body,
    // Messages are for people, so any text is fine.
    failed: body.failed.map(({ message: _, ...rest }: { message: string }) => rest),
  }).toEqual({ created: links.length, activeCount: links.length, pendingCount: 0, failed, links });
  return { answer: answers[0], asked };
}
