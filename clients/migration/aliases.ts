import { foldSlug } from '../../lambdas/core/link/slug.ts';
import { type LinksClient, ProblemError } from '../typescript/client.ts';
import { type Link, updateLink } from './api.ts';
import type { PlannedLink } from './planned.ts';

// A bulk request takes everything but aliases: the service has no request that sets them. A renamed link keeps its
// former slug as an alias. So a link is renamed to each alias that it lacks, and then back. All its slugs work all the
// time.

/**
 * The slugs to which a link has to be renamed, in order, so that it has all its aliases; none if it has them.
 *
 * If an earlier run died half-way, the link is named like one of its aliases, and gets the slug of its row back. A slug
 * that somebody else has chosen since stays.
 */
export function renamesOf(link: Pick<Link, 'shortCode' | 'aliases'>, { slug, aliases = [] }: PlannedLink): string[] {
  const has = new Set([link.shortCode, ...link.aliases].map(foldSlug));
  const missing = aliases.filter((alias) => !has.has(foldSlug(alias)));
  const isOnTheWay = aliases.some((alias) => foldSlug(alias) === foldSlug(link.shortCode));
  if (missing.length === 0 && !isOnTheWay) return [];
  return [...missing, isOnTheWay && slug !== undefined ? slug : link.shortCode];
}

/**
 * Gives a link the aliases that it lacks.
 *
 * @returns which of them it cannot have, and why.
 * @throws ProblemError for errors that are not about an alias.
 */
export async function addAliases(client: LinksClient, link: Link, wanted: PlannedLink): Promise<string[]> {
  const leftOut: string[] = [];
  let current = link.shortCode;
  for (const customSlug of renamesOf(link, wanted)) {
    if (foldSlug(customSlug) === foldSlug(current)) continue;
    try {
      current = (await updateLink(client, link.id, { customSlug })).shortCode;
    } catch (error) {
      // 404: somebody has deleted the link meanwhile.
      if (!(error instanceof ProblemError) || ![404, 409, 422].includes(error.status)) throw error;
      leftOut.push(`its address /${customSlug} was left out: ${error.message}`);
    }
  }
  return leftOut;
}
