import type { APIGatewayProxyResult } from 'aws-lambda';
import { notFound, orNotFound } from '../../core/errors.ts';
import { isSlug } from '../../core/link/slug.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { updateLink } from '../../store/links/changes.ts';
import { getNamedLink } from '../../store/links/named-links.ts';
import type { Call } from '../endpoint.ts';
import { readIfMatch } from '../entity-tag.ts';
import { reply } from '../reply.ts';
import { showLink } from '../shown/link.ts';

/**
 * Removes an alias of the link that a request names.
 *
 * @throws RequestError `not_found` if the link has no such alias, `slug_in_use`, `precondition_failed`
 */
export function aliasRemoval(): (
  call: Pick<Call<unknown, unknown>, 'workspaceId' | 'id' | 'event'>,
  removedAlias: string,
) => Promise<APIGatewayProxyResult> {
  const show = showLink(blockedHostsMemory());
  return async ({ workspaceId, id, event }, removedAlias) => {
    const found = orNotFound(await getNamedLink(workspaceId, id), 'link');
    const asRead = await readIfMatch(event, async () => found, show);
    if (!isSlug(removedAlias)) throw notFound('alias');
    await updateLink(found, { removedAlias }, { asRead: asRead !== undefined });
    return reply(204);
  };
}
