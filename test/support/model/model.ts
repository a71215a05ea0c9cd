/**
 * A simple model of what the API promises: tags with their folded names, and links with their fields and tags. It uses
 * none of the product's code, and is immutable.
 */
export type State = { readonly tags: readonly ModelTag[]; readonly links: Readonly<Record<string, ModelLink>> };

type Tag = { readonly id: string; readonly name: string; readonly color: string; readonly createdAt: string };
/** `folded` is the same for names that differ only in case. */
export type ModelTag = Tag & { readonly folded: string };

export type Fields = Readonly<Record<string, unknown>>;
/** A link. Its fields are those of a response, but without its tags, and without `updatedAt` if that is not known. */
export type ModelLink = {
  readonly fields: Fields;
  /** The domain and first slug, the same for slugs that differ only in case. It stays reserved. */
  readonly address: string;
  readonly tagIds: readonly string[];
  /** How many updates have changed it. */
  readonly revision: number;
};

export const emptyState: State = { tags: [], links: {} };

export const addressOf = (domain: unknown, slug: unknown): string => `${domain}/${slug}`.toLowerCase();

/** A new link: its id, slug and time from the creation's response, all else from the request or by default. */
// biome-ignore lint/suspicious/noExplicitAny: the response is not checked yet.
export function newLink(domain: string, asked: Fields & { customSlug?: string | undefined }, answered: any): ModelLink {
  const { customSlug, tagIds = [], ...settings } = asked;
  const { id, shortCode, createdAt } = answered ?? {};
  const slug = customSlug ?? shortCode;
  const named = { shortCode: slug, domain, shortUrl: shortUrlOf(domain, slug) };
  return {
    fields: { ...unsaid, ...named, id, ...settings, createdAt, updatedAt: createdAt },
    address: addressOf(domain, slug),
    tagIds: [...new Set(tagIds as string[])],
    revision: 0,
  };
}

const shortUrlOf = (domain: unknown, slug: string): string => `http://${domain}:3000/${slug}`;

const slugsOf = ({ fields }: ModelLink): string[] => [fields.shortCode as string, ...(fields.aliases as string[])];

/** The addresses that lead to a link. */
export const addressesOf = (link: ModelLink): string[] => slugsOf(link).map((slug) => addressOf(link.fields.domain, slug));

/** The addresses that no other link can have. */
export const reservedBy = (link: ModelLink): string[] => [link.address, ...addressesOf(link)];

const without = (slugs: readonly string[], slug: string) => slugs.filter((one) => one.toLowerCase() !== slug.toLowerCase());

/** The fields of a link that shows another slug. Undefined if it has too many aliases then. */
export function renamed({ fields }: ModelLink, slug: string): Fields | undefined {
  const shown = fields.shortCode as string;
  const isSame = shown.toLowerCase() === slug.toLowerCase();
  const aliases = isSame ? (fields.aliases as string[]) : [...without(fields.aliases as string[], slug), shown];
  return aliases.length > 10 ? undefined : { ...fields, shortCode: slug, aliases, shortUrl: shortUrlOf(fields.domain, slug) };
}

/** The fields of a link without an alias. Undefined if it has no such alias. */
export function unaliased({ fields }: ModelLink, slug: string): Fields | undefined {
  const aliases = without(fields.aliases as string[], slug);
  return aliases.length === (fields.aliases as string[]).length ? undefined : { ...fields, aliases };
}

/** The default settings of a link. */
const unsaid: Fields = {
  aliases: [],
  title: null,
  description: null,
  image: null,
  notes: null,
  redirectType: 'TEMPORARY_302',
  isActive: true,
  isArchived: false,
  state: 'active',
  pendingVerification: false,
  cloaked: false,
  hasPassword: false,
  startsAt: null,
  expiresAt: null,
  expiredUrl: null,
  maxClicks: null,
  clickCount: 0,
  lastClickedAt: null,
  externalId: null,
  managedBy: null,
  forwardParameters: false,
  forwardPath: false,
  hideReferrer: false,
  blockBots: false,
  confirmVisit: false,
  rules: [],
  variants: [],
  metaPixelId: null,
  googleTagId: null,
  webhookUrls: null,
};

/** A link as the API shows it; `updatedAt` only if it is known. */
export function linkView({ tags }: State, link: ModelLink): Fields {
  const carried = link.tagIds.map((tagId) => tags.find(({ id }) => id === tagId));
  return { ...link.fields, tags: carried.map((tag) => tag && { id: tag.id, name: tag.name, color: tag.color }) };
}

/** A workspace as the API shows it: its tags as a list, and its links by id. */
export type View = { readonly tags: readonly unknown[]; readonly links: Readonly<Record<string, Fields>> };

/** A tag as the API shows it, with the number of links that have it. */
function tagView({ links }: State, { folded: _, ...tag }: ModelTag) {
  const carrying = Object.values(links).filter(({ tagIds }) => tagIds.includes(tag.id));
  return { ...tag, _count: { links: carrying.length } };
}

/** The workspace that the API must show for a state. An unknown `updatedAt` is taken from `shown`. */
export const viewOf = (state: State, shown: View): View => ({
  tags: state.tags.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })).map((tag) => tagView(state, tag)),
  links: Object.fromEntries(
    Object.entries(state.links).map(([id, link]) => [id, { updatedAt: shown.links[id]?.updatedAt, ...linkView(state, link) }]),
  ),
});

/** The state with each link's `updatedAt`, which only responses tell. */
export const withTimes = ({ tags, links }: State, shown: View): State => ({
  tags,
  links: Object.fromEntries(
    Object.entries(links).map(([id, link]) => [
      id,
      { ...link, fields: { ...link.fields, updatedAt: shown.links[id]?.updatedAt } },
    ]),
  ),
});
