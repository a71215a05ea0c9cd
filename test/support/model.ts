import { expect } from 'vitest';

/**
 * A plain model of what the API promises: tags by the names that are the same to it, links with their fields and tags. It knows
 * nothing of the product's code, and nothing in it is ever changed in place.
 */
export type State = { readonly tags: readonly ModelTag[]; readonly links: Readonly<Record<string, ModelLink>> };

type Tag = { readonly id: string; readonly name: string; readonly color: string; readonly createdAt: string };
/** `folded` is the same for names that differ in case alone. */
export type ModelTag = Tag & { readonly folded: string };

export type Fields = Readonly<Record<string, unknown>>;
/** A link's answer without its tags, and their ids. Without `updatedAt` where its last change was not answered for certain. */
type ModelLink = { readonly fields: Fields; readonly folded: string; readonly tagIds: readonly string[] };

export const emptyState: State = { tags: [], links: {} };

/** A change that is done as a whole or not at all. */
type Change =
  | { readonly kind: 'create'; readonly tag: ModelTag }
  | { readonly kind: 'delete'; readonly tagId: string }
  | {
      readonly kind: 'update';
      readonly linkId: string;
      readonly fields: Fields;
      readonly tagIds?: readonly string[] | undefined;
    };

/** A change that was asked for, and what it may have been answered. */
export type Asked = {
  readonly change: Change;
  readonly statuses: readonly number[];
  /** It may have been done unheard before it was done, or refused, for good. */
  readonly unheard: boolean;
};

/** What a change comes to, alone. */
function apply({ tags, links }: State, change: Change): { readonly state: State; readonly status: number } {
  const as = (status: number, changed: Partial<State> = {}) => ({ status, state: { tags, links, ...changed } });
  switch (change.kind) {
    case 'create':
      if (tags.some(({ folded }) => folded === change.tag.folded)) return as(409);
      return as(201, { tags: [...tags, change.tag] });
    case 'delete': {
      if (!tags.some(({ id }) => id === change.tagId)) return as(404);
      const without = ([id, link]: [string, ModelLink]) => [
        id,
        { ...link, tagIds: link.tagIds.filter((tagId) => tagId !== change.tagId) },
      ];
      return as(204, {
        tags: tags.filter(({ id }) => id !== change.tagId),
        links: Object.fromEntries(Object.entries(links).map(without)),
      });
    }
    case 'update': {
      const link = links[change.linkId];
      if (!link) return as(404);
      const { updatedAt: _, ...fields } = link.fields;
      const tagIds = [...new Set(change.tagIds ?? link.tagIds)];
      if (!tagIds.every((tagId) => tags.some(({ id }) => id === tagId))) return as(422);
      const updated = { ...link, tagIds, fields: { ...fields, ...change.fields } };
      return as(200, { links: { ...links, [change.linkId]: updated } });
    }
  }
}

/** Every state that changes which were asked for at once can have come to, in an order that fits their answers. */
export function outcomesOf(state: State, asked: readonly Asked[]): State[] {
  if (asked.length === 0) return [state];
  return asked.flatMap((one, place) => {
    const others = asked.filter((_, other) => other !== place);
    const applied = apply(state, one.change);
    const answered = one.statuses.includes(applied.status) ? outcomesOf(applied.state, others) : [];
    const done = one.unheard && applied.status < 300;
    return done ? [...answered, ...outcomesOf(applied.state, [...others, { ...one, unheard: false }])] : answered;
  });
}

export type Entry = {
  readonly url: string;
  readonly customSlug?: string | undefined;
  readonly title?: string | undefined;
};
// biome-ignore lint/suspicious/noExplicitAny: what was answered is what is to be found out.
export type Import = { readonly domain: string; readonly entries: readonly Entry[]; readonly body: any };

/**
 * What imports that were sent at once come to. Each one's answer has to be right by itself; of those that want the same slug
 * exactly one has it, whichever that is.
 */
export function imported(state: State, imports: readonly Import[]): State {
  const taken = new Set(Object.values(state.links).map(({ folded }) => folded));
  const links = imports.flatMap((one) => linksOf(one, taken, imports.length > 1));
  const had = links.map(({ folded }) => folded);
  expect(new Set([...taken, ...had]).size, 'no slug twice').toBe(taken.size + had.length);
  const wanted = imports.flatMap(({ entries }) => entries.filter(isGood).flatMap(({ customSlug }) => customSlug ?? []));
  for (const slug of wanted) expect([...taken, ...had]).toContain(slug.toLowerCase());
  return { ...state, links: { ...state.links, ...Object.fromEntries(links.map((link) => [link.fields.id, link])) } };
}

const isGood = ({ url }: Entry) => url.startsWith('http');

/** The links that an import has made, which its answer has to show and nothing else. */
function linksOf({ domain, entries, body }: Import, taken: ReadonlySet<string>, contested: boolean): ModelLink[] {
  const codes = new Map(body.failed.map(({ index, code }: { index: number; code: string }) => [index, code]));
  const seen = new Set<string>();
  const links: ModelLink[] = [];
  const failed: object[] = [];
  for (const [index, entry] of entries.entries()) {
    const { url, customSlug, title = null } = entry;
    const slug = customSlug?.toLowerCase();
    const isTaken = slug !== undefined && (taken.has(slug) || seen.has(slug) || (contested && codes.get(index) === 'slug_taken'));
    if (isGood(entry) && slug !== undefined) seen.add(slug);
    if (isTaken || !isGood(entry)) {
      failed.push({ index, url, customSlug: customSlug ?? null, code: isGood(entry) ? 'slug_taken' : 'destination_scheme' });
      continue;
    }
    const { id, shortCode, createdAt } = body.links[links.length] ?? {};
    if (slug === undefined) expect(shortCode).toMatch(/^[2-9a-hjkmnp-z]{7}$/);
    const fields = { ...newLink(domain, customSlug ?? shortCode), id, url, title, createdAt, updatedAt: createdAt };
    links.push({ fields, folded: slug ?? shortCode, tagIds: [] });
  }
  expect({
    ...body,
    // A message is for people: any will do.
    failed: body.failed.map(({ message: _, ...rest }: { message: string }) => rest),
  }).toEqual({
    created: links.length,
    activeCount: links.length,
    pendingCount: 0,
    failed,
    links: links.map(({ fields }) => ({ ...fields, tags: [] })),
  });
  return links;
}

/** A link as it is when nothing was said of it. */
const newLink = (domain: string, shortCode: string): Fields => ({
  shortCode,
  domain,
  shortUrl: `http://${domain}:3000/${shortCode}`,
  description: null,
  image: null,
  redirectType: 'TEMPORARY_302',
  isActive: true,
  pendingVerification: false,
  cloaked: false,
  hasPassword: false,
  expiresAt: null,
  maxClicks: null,
  clickCount: 0,
  forwardParameters: false,
  blockBots: false,
  metaPixelId: null,
  googleTagId: null,
  webhookUrls: null,
});

function linkView({ tags }: State, link: ModelLink | undefined): Fields {
  const carried = link?.tagIds.map((tagId) => tags.find(({ id }) => id === tagId));
  return { ...link?.fields, tags: carried?.map((tag) => tag && { id: tag.id, name: tag.name, color: tag.color }) };
}

/** What the API shows of a workspace: the list of its tags, and each of its links. */
export type View = { readonly tags: readonly unknown[]; readonly links: Readonly<Record<string, Fields>> };

/** What the API has to show of a state; `updatedAt` as it is shown, where it cannot be known. */
export function viewOf(state: State, shown: View): View {
  const carried = Object.values(state.links).flatMap(({ tagIds }) => tagIds);
  return {
    tags: state.tags
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
      .map(({ folded: _, ...tag }) => ({ ...tag, _count: { links: carried.filter((id) => id === tag.id).length } })),
    links: Object.fromEntries(
      Object.entries(state.links).map(([id, link]) => [id, { updatedAt: shown.links[id]?.updatedAt, ...linkView(state, link) }]),
    ),
  };
}

/** The state with what only the answers say: when its links were changed last. */
export const withTimes = ({ tags, links }: State, shown: View): State => ({
  tags,
  links: Object.fromEntries(
    Object.entries(links).map(([id, link]) => [
      id,
      { ...link, fields: { ...link.fields, updatedAt: shown.links[id]?.updatedAt } },
    ]),
  ),
});
