import * as z from 'zod/mini';
import { linkStates } from '../../core/link/link-state.ts';
import { endpoint } from '../../http/endpoint.ts';
import { domainName, managedBy, searchText, timestamp } from '../../http/fields.ts';
import { askedPage, pageQuery } from '../../http/list-pages.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { queriedTags, rarestFirst, tagFilter } from '../../http/queried-tags.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { detailsOf } from '../../store/links/details.ts';
import { archivedFilters, listLinks } from '../../store/links/list.ts';
import { linkPageView } from '../../views/link.ts';

export const query = z.strictObject({
  ...pageQuery(),
  tagId: z.optional(z.string()),
  ...tagFilter,
  domain: z.optional(domainName),
  managedBy: z.optional(managedBy),
  q: z.optional(searchText),
  archived: z.optional(z.enum(archivedFilters)),
  state: z.optional(z.enum(linkStates)),
  createdAfter: z.optional(timestamp),
  createdBefore: z.optional(timestamp),
  order: z.optional(z.enum(['asc', 'desc'])),
});

const blockedNow = blockedHostsMemory();

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { limit, cursor, tagId, tagNames, order = 'desc', match = 'any', ...filter } = query;
  const { createdAfter, createdBefore, managedBy } = filter;
  if (tagId !== undefined && (filter.tagIds ?? tagNames) !== undefined)
    throw parameterRefused('tagId', 'not_together', 'must not be sent together with "tagIds" or "tagNames"');
  if (createdAfter !== undefined && createdBefore !== undefined && createdAfter >= createdBefore)
    throw parameterRefused('createdAfter', 'out_of_range', 'must be before "createdBefore"');
  const queried = await queriedTags(workspaceId, { tagId, tagIds: filter.tagIds, tagNames });
  // A cursor is valid however the same query is written.
  const tags = queried && [...queried.map(({ id }) => id).toSorted(), queried.length > 1 ? match : ''];
  const { archived = 'false' } = filter;
  const scope = [
    workspaceId,
    tags,
    archived,
    filter.domain,
    filter.q,
    filter.state,
    createdAfter,
    createdBefore,
    managedBy,
    order,
  ];
  const asked = askedPage(scope, { limit, cursor });
  const tagIds = queried && (await rarestFirst(workspaceId, queried));
  const state = filter.state && { is: filter.state, blocked: await blockedNow() };
  const { links, next } = await listLinks(workspaceId, { ...filter, tagIds, match, state }, { ...asked, order });
  const details = await detailsOf(links, blockedNow, 'lately');
  return reply(200, linkPageView(details, asked.nextCursor(next), setting('SHORT_URL_ORIGIN')));
});
