import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { showLink } from '../../http/shown/link.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { getNamedLink } from '../../store/links/named-links.ts';

const show = showLink(blockedHostsMemory());

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const found = orNotFound(await getNamedLink(workspaceId, id), 'link');
  return replyTagged(event, 200, await show(found));
});
