import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { askedPage, pageQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { detailsOf } from '../../store/links/details.ts';
import { archivedFilters, listLinks } from '../../store/links/list.ts';
import { getTag } from '../../store/tags/tags.ts';
import { linkPageView } from '../../views/link.ts';

export const query = z.strictObject({ ...pageQuery(), archived: z.optional(z.enum(archivedFilters)) });

const blockedNow = blockedHostsMemory();

export const handler = endpoint({ query }, async ({ workspaceId, id: tagId, query }) => {
  const { archived = 'false', ...page } = query;
  const asked = askedPage([workspaceId, 'tag', tagId, archived], page);
  orNotFound(await getTag(workspaceId, tagId), 'tag');
  const { links, next } = await listLinks(workspaceId, { tagIds: [tagId], archived }, asked);
  const details = await detailsOf(links, blockedNow, 'lately');
  return reply(200, linkPageView(details, asked.nextCursor(next), setting('SHORT_URL_ORIGIN')));
});
