import { aliasLocations } from '../../core/link/aliases.ts';
import type { Link } from '../../core/link/link.ts';
import { closedCounter } from '../clicks/counts.ts';
import { commit } from '../table/commit.ts';
import { all } from '../table/expressions.ts';
import { capKey } from '../table/keys.ts';
import { overtaken } from '../table/retrying.ts';
import { deleting, putting } from '../table/writes.ts';
import { freeing, tombstone } from './addresses.ts';
import { withCurrentLink } from './changes.ts';
import { hasClickEpoch, hasGeneration, hasSlugs, hasTags, isAsRead, isUnchanged } from './conditions.ts';
import { freeingExternalId } from './external-ids.ts';
import type { FoundLink } from './links.ts';
import { asTransaction, changeTo, liveTags, type TaggedChange } from './tagging.ts';

/**
 * Deletes a link with its click count, its cap and its aliases, removes it from its tags, and frees its addresses and
 * its external id. From then on its id finds nothing, and clicks that have not been counted yet are dropped.
 *
 * @param options.asRead deletes the link only if its settings are still as they were read.
 * @throws RequestError `not_found`, `precondition_failed`; `temporarily_unavailable` if time ran out
 */
export const deleteLink = (found: FoundLink, { asRead = false }: { readonly asRead?: boolean } = {}): Promise<void> =>
  withCurrentLink(found, asRead, async ({ link }) => {
    const live = await liveTags(link.workspaceId, link.tagIds);
    const { failed } = await commit(asTransaction(link.workspaceId, [deletion(link, asRead)], live));
    return failed ? overtaken : undefined;
  });

/**
 * A link's deletion as part of a transaction, on the condition that its tags, slugs, external id and epoch are as they
 * were read. The closed counter keeps the epoch, by which late clicks are recognised as erased. A link that ever had a
 * cap has an item for it. No late visit can recreate it, because a claim creates nothing.
 */
export function deletion(link: Link, asRead = false): TaggedChange {
  const condition = all(
    isUnchanged(link, asRead),
    hasTags(link.tagIds),
    hasGeneration(link.capGeneration),
    hasClickEpoch(link.clickEpoch),
    hasSlugs(link),
    isAsRead('externalId', link.externalId),
  );
  return changeTo(link, [], {
    link: putting(tombstone(link), condition),
    counter: putting(closedCounter(link)),
    cap: link.capGeneration > 0 ? deleting(capKey(link.id)) : undefined,
    ...Object.fromEntries(aliasLocations(link).map((location) => [location, freeing(location, link.id)])),
    externalId: freeingExternalId(link, link.externalId),
  });
}
