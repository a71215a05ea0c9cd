import { notFound, RequestError } from '../errors.ts';
import { aliasesPerLink } from '../limits.ts';
import type { Link } from './link.ts';
import { locationInId, locationOf } from './location.ts';
import { foldSlug } from './slug.ts';

/**
 * A link's slugs: the one that is shown, and its aliases, which lead to it too. The link stays at the address of its
 * first slug, which its id names. Each other slug has an item of its own, so that no other link gets it. The first slug
 * stays reserved even if it is removed, because the link is stored there.
 */
type Named = Pick<Link, 'id' | 'domainId' | 'shortCode' | 'aliases'>;

/** A change of a link's slugs. */
export type SlugChange = Pick<Link, 'shortCode' | 'aliases'> & {
  /** The slug that needs an item of its own from now on. */
  readonly taken?: string;
  /** The slug whose item is no longer needed. */
  readonly freed?: string;
};

const isSame = (one: string, other: string): boolean => foldSlug(one) === foldSlug(other);

/** Whether a slug leads to the link. The first slug doesn't if it was removed. */
export const leadsTo = ({ shortCode, aliases }: Pick<Link, 'shortCode' | 'aliases'>, slug: string): boolean =>
  isSame(shortCode, slug) || aliases.some((alias) => isSame(alias, slug));

/** The locations of the items that a link's slugs have besides the link itself. */
export const aliasLocations = (link: Named): string[] =>
  [link.shortCode, ...link.aliases].filter((slug) => !isFirst(link, slug)).map((slug) => locationOf(link.domainId, slug));

const isFirst = ({ id, domainId }: Named, slug: string): boolean => locationOf(domainId, slug) === locationInId(id);

/**
 * Shows another slug of a link. The former one becomes an alias. If the slug is an alias, the two are swapped.
 *
 * @returns undefined if that slug is shown already.
 * @throws RequestError `alias_limit_reached`
 */
export function withSlug(link: Named, slug: string): SlugChange | undefined {
  const { shortCode } = link;
  if (slug === shortCode) return undefined;
  if (isSame(slug, shortCode)) return { shortCode: slug, aliases: link.aliases };
  const others = link.aliases.filter((alias) => !isSame(alias, slug));
  const aliases = [...others, shortCode];
  if (aliases.length > aliasesPerLink)
    throw new RequestError('alias_limit_reached', `The link has ${aliasesPerLink} aliases: remove one first.`);
  const isNew = others.length === link.aliases.length && !isFirst(link, slug);
  return { shortCode: slug, aliases, ...(isNew && { taken: slug }) };
}

/**
 * Removes an alias of a link.
 *
 * @throws RequestError `not_found`; `slug_in_use` if the slug is the one that is shown
 */
export function withoutAlias(link: Named, slug: string): SlugChange {
  const { shortCode } = link;
  if (isSame(slug, shortCode))
    throw new RequestError('slug_in_use', 'The link shows this slug. Give the link another customSlug first.');
  const aliases = link.aliases.filter((alias) => !isSame(alias, slug));
  if (aliases.length === link.aliases.length) throw notFound('alias');
  return { shortCode, aliases, ...(!isFirst(link, slug) && { freed: slug }) };
}
