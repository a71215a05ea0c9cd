import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch } from '../../http/entity-tag.ts';
import { reply } from '../../http/reply.ts';
import { showLink } from '../../http/shown/link.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { deleteLink } from '../../store/links/deletion.ts';
import { getNamedLink } from '../../store/links/named-links.ts';

const show = showLink(blockedHostsMemory());

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const found = orNotFound(await getNamedLink(workspaceId, id), 'link');
  const asRead = await readIfMatch(event, async () => found, show);
  await deleteLink(found, { asRead: asRead !== undefined });
  return reply(204);
});
