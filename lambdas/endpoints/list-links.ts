import * as z from 'zod/mini';
import { RequestError } from '../domain/errors.ts';
import { linksPerPage } from '../domain/limits.ts';
import { endpoint } from '../http/endpoint.ts';
import { domainName, searchText } from '../http/fields.ts';
import { pageQuery, positionOf } from '../http/link-page.ts';
import { reply } from '../http/reply.ts';
import { setting } from '../runtime/settings.ts';
import { detailsOf } from '../store/links/details.ts';
import { listLinks } from '../store/links/list.ts';
import { getTag } from '../store/tags.ts';
import { linkPageView } from '../views/link.ts';

export const query = z.strictObject({
  ...pageQuery,
  tagId: z.optional(z.string()),
  domain: z.optional(domainName),
  q: z.optional(searchText),
});

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { limit = linksPerPage.unlessAsked, cursor, ...filter } = query;
  const scope = [workspaceId, filter.tagId, filter.domain, filter.q];
  const before = positionOf(scope, cursor);
  if (filter.tagId !== undefined && !(await getTag(workspaceId, filter.tagId))) {
    throw new RequestError('tag_not_found', 'The tag does not exist in this workspace.');
  }
  const { links, next } = await listLinks(workspaceId, filter, { limit, before });
  return reply(200, linkPageView(scope, await detailsOf(links, 'lately'), next, setting('SHORT_URL_ORIGIN')));
});
