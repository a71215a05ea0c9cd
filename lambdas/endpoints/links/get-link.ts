import { orNotFound } from '../../core/errors.ts';
import { replyTagged } from '../../http/conditional.ts';
import { endpoint } from '../../http/endpoint.ts';
import { setting } from '../../runtime/settings.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { detailsOfOne } from '../../store/links/details.ts';
import { getLink } from '../../store/links/links.ts';
import { linkView } from '../../views/link.ts';

const blockedNow = blockedHostsMemory();

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const found = orNotFound(await getLink(workspaceId, id), 'link');
  return replyTagged(event, 200, { link: linkView(await detailsOfOne(found, blockedNow), setting('SHORT_URL_ORIGIN')) });
});
