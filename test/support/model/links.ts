import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer } from '../service/service.ts';
import type { Known } from './changes.ts';
import { type Client, type Doing, type Done, linkOf, type Model, pick, type Sent, tagOf, untilAnswered } from './client.ts';
import { type Fields, linkView, newLink } from './model.ts';

type Of<K extends Doing['kind']> = Extract<Doing, { kind: K }>;

/**
 * Creates a link. With a key, it is created once, however often it is sent. Without one, links whose responses were
 * lost are found by their unique destination.
 */
export async function createLink(
  model: Model,
  client: Client,
  { domain, entry, tags, copies }: Of<'create-link'>,
): Promise<Done> {
  const tagIds = model.everyTag.length > 0 ? tags.map((tag) => tagOf(model, tag)) : [];
  const url = `${entry.url}/${randomUUID().slice(0, 8)}`;
  const body = { ...entry, domain: pick(client.domains, domain), url, ...(tagIds.length > 0 && { tagIds }) };
  const key = copies > 0 ? randomUUID() : undefined;
  const headers = key && { 'Idempotency-Key': key };
  const send = () => untilAnswered(() => client.call('POST', '/links', body, headers));
  const sent = await Promise.all(Array.from({ length: Math.max(1, copies) }, send));
  const made = sent.filter(({ answer }) => answer.status === 201).map(({ answer }) => answer);
  expect(new Set(made.map(({ text }) => text)).size, 'the same answer under the same key').toBeLessThanOrEqual(1);
  if (key && made[0]) model.creations.push({ body, key, text: made[0].text });

  const links = new Map(made.map(({ body: { link } }) => [link.id, link]));
  if (sent.some(({ repeated }) => repeated)) for (const link of await linksTo(client, url)) links.set(link.id, link);
  if (key) expect(links.size, 'one link under one key').toBeLessThanOrEqual(1);
  const asked = [...links.values()].map((link) => created(body, link));
  for (const { body } of made) expect(body.link.tags.length).toBeLessThanOrEqual(tagIds.length);
  const refused = sent.filter(({ answer }) => answer.status !== 201).map(({ answer }) => created(body, {}, answer.status));
  return { answer: made[0] ?? sent[0]?.answer, asked: [...asked, ...refused] };
}

function created({ domain, ...body }: Fields, link: Fields, status = 201) {
  return { change: { kind: 'create-link' as const, link: newLink(String(domain), body, link) }, statuses: [status] };
}

/** The links to a destination. */
async function linksTo({ call }: Client, url: string): Promise<Fields[]> {
  const { answer } = await untilAnswered(() => call('GET', `/links?limit=100&q=${encodeURIComponent(url)}`));
  return answer.body.links;
}

/** Creates or replaces a link by its external id. If the last answer is a refusal, an earlier attempt may have done it. */
export async function putLink(
  model: Model,
  client: Client,
  { domain: index, externalId, entry, tags }: Of<'put-link'>,
): Promise<Done> {
  const tagIds = model.everyTag.length > 0 ? tags.map((tag) => tagOf(model, tag)) : [];
  const domain = pick(client.domains, index) ?? '';
  const url = `${entry.url}/${randomUUID().slice(0, 8)}`;
  const body = { ...entry, domain, url, ...(tagIds.length > 0 && { tagIds }) };
  const { answer, repeated } = await untilAnswered(() => client.call('PUT', `/links/by-external-id/${externalId}`, body));
  const unheard = repeated && answer.status >= 300 ? (await linksTo(client, url))[0] : undefined;
  const { domain: _, ...settings } = body;
  const link = newLink(domain, { ...settings, externalId }, answer.body.link ?? unheard);
  return {
    answer,
    asked: [{ change: { kind: 'put-link', link, customSlug: entry.customSlug }, statuses: [answer.status], repeated }],
    check: shows(answer),
  };
}

/** Repeats an earlier creation: it gets the same response, or 422 with another body. Neither changes anything. */
export async function repeatLink(model: Model, { call }: Client, { earlier, isAltered }: Of<'repeat-link'>): Promise<Done> {
  const { key, body, text } = pick(model.creations, earlier) as Sent;
  const sent = isAltered ? { ...body, title: 'Another' } : body;
  const { answer } = await untilAnswered(() => call('POST', '/links', sent, { 'Idempotency-Key': key }));
  if (isAltered) expect([answer.status, answer.body.code]).toEqual([422, 'idempotency_key_reused']);
  else expect([answer.status, answer.text]).toEqual([201, text]);
  return { asked: [] };
}

/** The ETag of a conditional change. Must be read while nothing else is done. */
export type Condition = { readonly etag: string; readonly known: Known };

/** Reads a link's ETag, and returns it or an earlier one. */
export async function conditionOf(model: Model, { call }: Client, doing: Doing): Promise<Condition | undefined> {
  if ((doing.kind !== 'update-link' && doing.kind !== 'delete-link') || !doing.condition) return undefined;
  const linkId = linkOf(model, doing.link);
  const link = model.state.links[linkId];
  if (!link) return { etag: '"none"', known: 'stale' };
  const view = linkView(model.state, link);
  const { status, body, headers } = await call('GET', `/links/${linkId}`);
  expect([status, body]).toEqual([200, { link: view }]);
  const etag = headers.get('etag') ?? '';
  const again = await call('GET', `/links/${linkId}`, undefined, { 'If-None-Match': etag });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  const seen = { etag, view: JSON.stringify(body) };
  const earlier = model.seen.get(linkId) ?? [];
  model.seen.set(linkId, [...earlier, seen]);
  const stale = earlier.find((one) => one.view !== seen.view);
  for (const one of earlier) expect(one.etag === etag).toBe(one.view === seen.view);
  if (doing.condition === 'stale') return { etag: stale?.etag ?? '"none"', known: 'stale' };
  return { etag, known: { revision: link.revision, tags: view.tags } };
}

const ifMatch = (condition: Condition | undefined) => condition && { 'If-Match': condition.etag };

export async function updateLink(
  model: Model,
  { call }: Client,
  doing: Of<'update-link'>,
  condition: Condition | undefined,
): Promise<Done> {
  const linkId = linkOf(model, doing.link);
  const { fields } = doing;
  const tagIds = model.everyTag.length > 0 ? doing.tags?.map((tag) => tagOf(model, tag)) : doing.tags && [];
  const body = { ...fields, ...(tagIds && { tagIds }) };
  const { answer, repeated } = await untilAnswered(() => call('PATCH', `/links/${linkId}`, body, ifMatch(condition)));
  const change = { kind: 'update-link' as const, linkId, fields, tagIds, known: condition?.known };
  return {
    answer,
    asked: [{ change, statuses: [answer.status], repeated }],
    check: (after, alone) => {
      const link = after.links[linkId];
      if (alone && answer.status === 200) expect(answer.body.link).toEqual(link && linkView(after, link));
    },
  };
}

/** Removes an alias: if possible one that the link has, for which the slug stands. */
export async function removeAlias(model: Model, { call }: Client, doing: Of<'remove-alias'>): Promise<Done> {
  const linkId = linkOf(model, doing.link);
  const aliases = (model.state.links[linkId]?.fields.aliases ?? []) as string[];
  const slug = pick(aliases, doing.slug.length) ?? doing.slug;
  const { answer } = await untilAnswered(() => call('DELETE', `/links/${linkId}/aliases/${slug.toUpperCase()}`));
  return { answer, asked: [{ change: { kind: 'remove-alias', linkId, slug }, statuses: [answer.status] }] };
}

export async function deleteLink({ call }: Client, linkId: string, condition?: Condition): Promise<Done> {
  const { answer } = await untilAnswered(() => call('DELETE', `/links/${linkId}`, undefined, ifMatch(condition)));
  return { answer, asked: [{ change: { kind: 'delete-link', linkId, known: condition?.known }, statuses: [answer.status] }] };
}

/** The link can be compared in full only if nothing else was done meanwhile. */
const shows = (answer: Answer): Done['check'] => {
  return (after, alone) => {
    const link = answer.status === 200 ? after.links[answer.body.link.id] : undefined;
    if (alone && answer.status === 200) expect(answer.body.link).toEqual(link && linkView(after, link));
  };
};

export async function getLink({ call }: Client, linkId: string): Promise<Done> {
  const { answer } = await untilAnswered(() => call('GET', `/links/${linkId}`));
  if (answer.status === 200) expect(answer.body.link.id).toBe(linkId);
  return { answer, asked: [{ change: { kind: 'get-link', linkId }, statuses: [answer.status] }], check: shows(answer) };
}

export async function lookUp({ call, domains }: Client, { domain: index, slug }: Of<'look-up'>): Promise<Done> {
  const domain = pick(domains, index) ?? '';
  const { answer } = await untilAnswered(() => call('GET', `/links/lookup?domain=${domain}&slug=${slug}`));
  expect([200, 404]).toContain(answer.status);
  const found = answer.status === 200 ? answer.body.link.id : undefined;
  return { answer, asked: [{ change: { kind: 'look-up', domain, slug, found }, statuses: [200] }], check: shows(answer) };
}
