import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { linksPerPage } from '../../core/limits.ts';
import { endpoint } from '../../http/endpoint.ts';
import { pageQuery, positionOf } from '../../http/link-page.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { detailsOf } from '../../store/links/details.ts';
import { listLinks } from '../../store/links/list.ts';
import { getTag } from '../../store/tags/tags.ts';
import { linkPageView } from '../../views/link.ts';

export const query = z.strictObject(pageQuery);

const blockedNow = blockedHostsMemory();

export const handler = endpoint({ query }, async ({ workspaceId, id: tagId, query }) => {
  const { limit = linksPerPage.unlessAsked, cursor } = query;
  const scope = [workspaceId, 'tag', tagId];
  const after = positionOf(scope, cursor);
  orNotFound(await getTag(workspaceId, tagId), 'tag');
  const { links, next } = await listLinks(workspaceId, { tagIds: [tagId] }, { limit, after });
  return reply(200, linkPageView(scope, await detailsOf(links, blockedNow, 'lately'), next, setting('SHORT_URL_ORIGIN')));
});
