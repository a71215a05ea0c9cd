import { notFound, orNotFound } from '../../core/errors.ts';
import { isSlug } from '../../core/link/slug.ts';
import { readIfMatch } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { updateLink } from '../../store/links/changes.ts';
import { detailsOfOne } from '../../store/links/details.ts';
import { getLink } from '../../store/links/links.ts';
import { linkView } from '../../views/link.ts';

const blockedNow = blockedHostsMemory();

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const found = orNotFound(await getLink(workspaceId, id), 'link');
  const show = async () => ({ link: linkView(await detailsOfOne(found, blockedNow), setting('SHORT_URL_ORIGIN')) });
  const asRead = await readIfMatch(event, async () => found, show);
  const removedAlias = event.pathParameters?.slug ?? '';
  if (!isSlug(removedAlias)) throw notFound('alias');
  await updateLink(found, { removedAlias }, { asRead: asRead !== undefined });
  return reply(204);
});
