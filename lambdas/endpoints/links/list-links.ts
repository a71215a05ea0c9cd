import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { linkListOf, linkListQuery } from '../../http/links/list-query.ts';
import { askedPage } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { detailsOf } from '../../store/links/details.ts';
import { listLinks } from '../../store/links/list.ts';
import { linkPageView } from '../../views/link.ts';

export const query = z.strictObject(linkListQuery);

const blockedNow = blockedHostsMemory();

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { scope, order, filter } = await linkListOf(workspaceId, query);
  const asked = askedPage(scope, query);
  const { links, next } = await listLinks(workspaceId, await filter(blockedNow), { ...asked, order });
  const details = await detailsOf(links, blockedNow, 'lately');
  return reply(200, linkPageView(details, asked.nextCursor(next), setting('SHORT_URL_ORIGIN')));
});
