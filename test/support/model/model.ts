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
export type ModelLink = {
  readonly fields: Fields;
  /** The same for addresses that differ in case alone. */
  readonly address: string;
  readonly tagIds: readonly string[];
  /** How often its settings were changed. */
  readonly revision: number;
};

export const emptyState: State = { tags: [], links: {} };

export const addressOf = (domain: unknown, slug: unknown): string => `${domain}/${slug}`.toLowerCase();

/** A new link as its creation's answer says that it is called; the rest is as it was asked for, or as nothing was said of it. */
// biome-ignore lint/suspicious/noExplicitAny: what was answered is what is to be found out.
export function newLink(domain: string, asked: Fields & { customSlug?: string | undefined }, answered: any): ModelLink {
  const { customSlug, tagIds = [], ...settings } = asked;
  const { id, shortCode, createdAt } = answered ?? {};
  const slug = customSlug ?? shortCode;
  const named = { shortCode: slug, domain, shortUrl: `http://${domain}:3000/${slug}` };
  return {
    fields: { ...unsaid, ...named, id, ...settings, createdAt, updatedAt: createdAt },
    address: addressOf(domain, slug),
    tagIds: [...new Set(tagIds as string[])],
    revision: 0,
  };
}

/** A link as it is when nothing was said of it. */
const unsaid: Fields = {
  title: null,
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
};

/** What the API shows of a link; `updatedAt` only where it is known. */
export function linkView({ tags }: State, link: ModelLink): Fields {
  const carried = link.tagIds.map((tagId) => tags.find(({ id }) => id === tagId));
  return { ...link.fields, tags: carried.map((tag) => tag && { id: tag.id, name: tag.name, color: tag.color }) };
}

/** What the API shows of a workspace: the list of its tags, and each of its links. */
export type View = { readonly tags: readonly unknown[]; readonly links: Readonly<Record<string, Fields>> };

/** A tag as it is shown, with the number of links that carry it. */
function tagView({ links }: State, { folded: _, ...tag }: ModelTag) {
  const carrying = Object.values(links).filter(({ tagIds }) => tagIds.includes(tag.id));
  return { ...tag, _count: { links: carrying.length } };
}

/** What the API has to show of a state; `updatedAt` as it is shown, where it cannot be known. */
export const viewOf = (state: State, shown: View): View => ({
  tags: state.tags.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })).map((tag) => tagView(state, tag)),
  links: Object.fromEntries(
    Object.entries(state.links).map(([id, link]) => [id, { updatedAt: shown.links[id]?.updatedAt, ...linkView(state, link) }]),
  ),
});

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
