import * as z from 'zod/mini';
import { RequestError } from '../../core/errors.ts';
import { linksPerPage, tagsPerLink } from '../../core/limits.ts';
import { linkStates } from '../../core/link/link-state.ts';
import { foldTagName } from '../../core/tag/tag.ts';
import { capitalised } from '../../core/text.ts';
import { endpoint } from '../../http/endpoint.ts';
import { domainName, managedBy, searchText, tagIdList, tagMatch, tagNameList, timestamp } from '../../http/fields.ts';
import { pageQuery, positionOf } from '../../http/link-page.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { detailsOf } from '../../store/links/details.ts';
import { listLinks } from '../../store/links/list.ts';
import { rarestFirst, tagIdsByName } from '../../store/tags/tags.ts';
import { linkPageView } from '../../views/link.ts';

export const query = z.strictObject({
  ...pageQuery,
  tagId: z.optional(z.string()),
  tagIds: z.optional(tagIdList),
  tagNames: z.optional(tagNameList),
  match: z.optional(tagMatch),
  domain: z.optional(domainName),
  managedBy: z.optional(managedBy),
  q: z.optional(searchText),
  state: z.optional(z.enum(linkStates)),
  createdAfter: z.optional(timestamp),
  createdBefore: z.optional(timestamp),
  order: z.optional(z.enum(['asc', 'desc'])),
});

const blockedNow = blockedHostsMemory();

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { limit = linksPerPage.unlessAsked, cursor, tagId, tagNames, order = 'desc', match = 'any', ...filter } = query;
  const { createdAfter, createdBefore, managedBy } = filter;
  if (tagId !== undefined && (filter.tagIds ?? tagNames) !== undefined)
    throw parameterRefused('tagId', 'not_together', 'must not be sent together with "tagIds" or "tagNames"');
  if (createdAfter !== undefined && createdBefore !== undefined && createdAfter >= createdBefore)
    throw parameterRefused('createdAfter', 'out_of_range', 'must be before "createdBefore"');
  const named = tagId === undefined ? await withNames(workspaceId, filter.tagIds, tagNames) : [tagId];
  // A cursor is valid however the same query is written.
  const tags = named && [...named.toSorted(), named.length > 1 ? match : ''];
  const scope = [workspaceId, tags, filter.domain, filter.q, filter.state, createdAfter, createdBefore, managedBy, order];
  const after = positionOf(scope, cursor);
  const tagIds = named && (await rarestFirst(workspaceId, named));
  const state = filter.state && { is: filter.state, blocked: await blockedNow() };
  const { links, next } = await listLinks(workspaceId, { ...filter, tagIds, match, state }, { limit, order, after });
  return reply(200, linkPageView(scope, await detailsOf(links, blockedNow, 'lately'), next, setting('SHORT_URL_ORIGIN')));
});

/**
 * The tags of a filter, by their ids. One batch read if some are named.
 *
 * @throws RequestError `tag_not_found` if a name is unknown; `validation_failed` if there are too many
 */
async function withNames(workspaceId: string, tagIds: string[] | undefined, tagNames: string[] | undefined) {
  if (tagNames === undefined) return tagIds;
  const idOf = await tagIdsByName(workspaceId, tagNames.map(foldTagName));
  const unknown = tagNames.find((name) => !idOf.has(foldTagName(name)));
  if (unknown !== undefined) {
    const message = `the query parameter "tagNames" names "${unknown}", which does not exist in this workspace`;
    throw new RequestError('tag_not_found', `${capitalised(message)}.`, {
      fieldErrors: [{ path: '', code: 'tag_not_found', message }],
    });
  }
  const all = [...new Set([...(tagIds ?? []), ...idOf.values()])];
  if (all.length > tagsPerLink)
    throw parameterRefused('tagNames', 'too_many', `must have at most ${tagsPerLink} tags with "tagIds"`);
  return all;
}
