import { expect } from 'vitest';
import type { Answer } from '../service/service.ts';
import type { Asked } from './changes.ts';
import { type Client, type Doing, type Done, type Model, pick, tagOf, untilAnswered } from './client.ts';
import { externalIds, names } from './doings.ts';
import { linkView, type ModelLink, type State, type View } from './model.ts';

/**
 * Replaces the tags in listed links with their current versions, and drops deleted tags. A list may show names from a
 * few seconds ago, and tags that have been deleted since. It may not show the wrong tags.
 */
function withTagsOf(tags: State['tags'], links: readonly Link[]): Link[] {
  return links.map((link) => ({
    ...link,
    tags: link.tags.flatMap(({ id }) => {
      const tag = tags.find((one) => one.id === id);
      return tag ? { id, name: tag.name, color: tag.color } : [];
    }),
  }));
}

/** Reads all pages of a list, or returns the response that refused it. */
async function walk({ call }: Client, path: string, limit: number): Promise<{ links: Link[]; refused?: Answer }> {
  const links: Link[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null; pages++) {
    const more: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { answer } = await untilAnswered(() => call('GET', `${path}limit=${limit}${more}`));
    if (answer.status !== 200) return { links, refused: answer };
    expect(answer.body.links.length).toBeLessThanOrEqual(limit);
    expect(pages, 'a list ends').toBeLessThan(100);
    links.push(...answer.body.links);
    cursor = answer.body.nextCursor;
  }
  return { links };
}

type Link = { readonly id: string; readonly createdAt: string; readonly tags: readonly { readonly id: string }[] };
type Filter = {
  readonly tagId?: string | undefined;
  readonly domain?: string | undefined;
  readonly q?: string | undefined;
  readonly archived?: 'true' | 'any' | undefined;
};

/** Newest first; links with the same time by id. */
const index = ({ createdAt, id }: Link) => `${createdAt} ${id}`;
const inOrder = <T extends Link>(links: readonly T[]): T[] => links.toSorted((a, b) => (index(a) < index(b) ? 1 : -1));

function fits({ fields, tagIds }: ModelLink, { tagId, domain, q, archived }: Filter): boolean {
  const texts = [fields.shortCode, ...(fields.aliases as string[]), fields.url, fields.title ?? ''].map((text) =>
    String(text).toLowerCase(),
  );
  return (
    (archived === 'any' || fields.isArchived === (archived === 'true')) &&
    (tagId === undefined || tagIds.includes(tagId)) &&
    (domain === undefined || fields.domain === domain) &&
    (q === undefined || texts.some((text) => text.includes(q.toLowerCase())))
  );
}

export function listLinks(
  model: Model,
  client: Client,
  { limit, tag, domain, q, archived, isRanked = false }: Extract<Doing, { kind: 'list' }>,
) {
  const filter = {
    ...(tag !== undefined && { tagId: tagOf(model, tag) }),
    ...(domain !== undefined && { domain: pick(client.domains, domain) ?? '' }),
    ...(q !== undefined && { q }),
    ...(archived !== undefined && { archived }),
  };
  // No link has a click, so all come newest first.
  return list(model.state, client, filter, {
    path: `/links${isRanked ? '/ranked' : ''}?${new URLSearchParams(filter)}&`,
    limit,
    refusal: 422,
  });
}

export function listTagLinks(model: Model, client: Client, { tag, limit }: Extract<Doing, { kind: 'list-tag' }>) {
  const tagId = tagOf(model, tag);
  return list(model.state, client, { tagId }, { path: `/tags/${tagId}/links?`, limit, refusal: 404 });
}

/**
 * Walks the pages of a list. Links that match and are not changed meanwhile must be there exactly once. Links that were
 * deleted before must not be there. If nothing else is done meanwhile, each link must be correct in full.
 *
 * This holds because the embedded engine's index is as consistent as its table. On DynamoDB, the index follows the
 * table, so a list may lag.
 */
async function list(
  before: State,
  client: Client,
  filter: Filter,
  { path, limit, refusal }: { path: string; limit: number; refusal: number },
): Promise<Done> {
  const { links, refused } = await walk(client, path, limit);
  const check = (after: State, alone: boolean, all: readonly Asked[]) => {
    const isThere = ({ tags }: State) => filter.tagId === undefined || tags.some(({ id }) => id === filter.tagId);
    if (refused || !isThere(before)) {
      expect([refused?.status, refused?.body.code]).toEqual([refusal, refusal === 404 ? 'not_found' : 'tag_not_found']);
      return expect(isThere(after), 'only the list of no tag is refused').toBe(false);
    }
    const shown = links.map(({ id }) => id);
    expect(links, 'each once, newest first').toEqual(inOrder(links));
    expect(new Set(shown).size).toBe(shown.length);
    const updated = all.flatMap(({ change }) =>
      change.kind === 'update-link' || change.kind === 'remove-alias' ? change.linkId : [],
    );
    // A change may archive a link, which most lists leave out.
    const isFiltered = Object.keys(filter).some((name) => name !== 'archived') || filter.archived !== 'any';
    for (const id of new Set([...Object.keys(before.links), ...Object.keys(after.links), ...shown])) {
      const [was, is] = [before.links[id], after.links[id]];
      expect(was ?? is, `${id} never was there, or was gone`).toBeDefined();
      if (isFiltered && updated.includes(id)) continue;
      const fitted = [was, is].filter((link) => link !== undefined).map((link) => fits(link, filter));
      if (was && is && fitted.every(Boolean)) expect(shown, `${id} was there throughout`).toContain(id);
      if (!fitted.some(Boolean)) expect(shown, `${id} does not fit`).not.toContain(id);
    }
    if (alone)
      expect(withTagsOf(after.tags, links)).toEqual(
        inOrder(shown.map((id) => linkView(after, after.links[id] as ModelLink) as Link)),
      );
  };
  return { asked: [], check };
}

/** The state that the API shows. Must be called without faults. */
export async function look(client: Client, model: Model): Promise<View> {
  const [{ status, text, body }, { links }, ...gone] = await Promise.all([
    client.call('GET', '/tags'),
    walk(client, '/links?archived=any&', 4),
    // By id, since their slugs may have been reused by now.
    ...model.dead.slice(-3).map((id) => client.call('GET', `/links/${id}`)),
  ]);
  expect(status, text).toBe(200);
  expect(gone.map((answer) => answer.status)).toEqual(gone.map(() => 404));
  return { tags: body.tags, links: Object.fromEntries(withTagsOf(body.tags, links).map((link) => [link.id, link])) };
}

/**
 * Expects that every link is found in every way (by id, by external id, by domain and slug, in lists), and that unused tag
 * names and external ids are available.
 */
export async function lookAround(client: Client, { state, dead }: Model): Promise<void> {
  const { call } = client;
  for (const q of ['example.org', 'sale']) {
    const found = Object.values(state.links).filter((link) => fits(link, { q }));
    const { links } = await walk(client, `/links?q=${q}&`, 1);
    expect(withTagsOf(state.tags, links)).toEqual(inOrder(found.map((link) => linkView(state, link) as Link)));
  }
  const gone = await Promise.all(dead.map((id) => call('GET', `/links/${id}`)));
  for (const { status } of gone) expect(status).toBe(404);
  for (const [id, link] of Object.entries(state.links)) {
    const { domain, shortCode, aliases } = link.fields;
    const byId = await call('GET', `/links/${id}`);
    expect(byId.body).toEqual({ link: linkView(state, link) });
    if (link.fields.externalId !== null) {
      const byExternalId = await call('GET', `/links/lookup?externalId=${link.fields.externalId}`);
      expect(byExternalId.text).toBe(byId.text);
    }
    for (const slug of [shortCode, ...(aliases as string[])]) {
      const byAddress = await call('GET', `/links/lookup?domain=${domain}&slug=${String(slug).toUpperCase()}`);
      expect(byAddress.text).toBe(byId.text);
    }
  }
  for (const { id: tagId } of state.tags) {
    const carrying = Object.values(state.links).filter((link) => fits(link, { tagId }));
    const { links } = await walk(client, `/tags/${tagId}/links?`, 2);
    expect(withTagsOf(state.tags, links)).toEqual(inOrder(carrying.map((link) => linkView(state, link) as Link)));
  }
  for (const externalId of externalIds) {
    const isHeld = Object.values(state.links).some(({ fields }) => fields.externalId === externalId);
    const body = { domain: client.domain, url: 'https://example.org/' };
    const { status } = await call('PUT', `/links/by-external-id/${externalId}`, body, { 'If-None-Match': '*' });
    expect([externalId, status]).toEqual([externalId, isHeld ? 412 : 201]);
  }
  for (const { name, folded } of names.filter((one) => one.name === one.folded)) {
    const { status } = await call('POST', '/tags', { name, color: '#123456' });
    expect([name, status]).toEqual([name, state.tags.some((tag) => tag.folded === folded) ? 409 : 201]);
  }
}
