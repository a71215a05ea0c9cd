import * as z from 'zod/mini';
import { RequestError } from '../domain/errors.ts';
import { setting } from '../env.ts';
import { endpoint } from '../http/endpoint.ts';
import { domainName, searchText } from '../http/fields.ts';
import { defaultLimit, pageQuery, pageView, positionOf } from '../http/link-page.ts';
import { reply } from '../http/reply.ts';
import { listLinks } from '../store/link-list.ts';
import { linkViews } from '../store/link-views.ts';
import { getTag } from '../store/tags.ts';

export const query = z.strictObject({
  ...pageQuery,
  tagId: z.optional(z.string()),
  domain: z.optional(domainName),
  q: z.optional(searchText),
});

export const handler = endpoint({ query }, async ({ workspaceId, query: { limit = defaultLimit, cursor, ...filter } }) => {
  const scope = [workspaceId, filter.tagId, filter.domain, filter.q];
  const before = positionOf(scope, cursor);
  if (filter.tagId !== undefined && !(await getTag(workspaceId, filter.tagId))) {
    throw new RequestError('tag_not_found', 'The workspace has no tag of that id.');
  }
  const { links, next } = await listLinks(workspaceId, filter, { limit, before });
  return reply(200, pageView(scope, await linkViews(links, setting('SHORT_URL_ORIGIN'), 'lately'), next));
});
