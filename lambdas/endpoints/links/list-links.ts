import * as z from 'zod/mini';
import { RequestError, RuleError } from '../../core/errors.ts';
import { linksPerPage, tagsPerLink } from '../../core/limits.ts';
import { linkStates } from '../../core/link/link-state.ts';
import { endpoint } from '../../http/endpoint.ts';
import { domainName, managedBy, searchText, timestamp } from '../../http/fields.ts';
import { pageQuery, positionOf } from '../../http/link-page.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { reply } from '../../http/reply.ts';
import { ruled } from '../../http/validation.ts';
import { setting } from '../../runtime/settings.ts';
import { blockedHostsMemory } from '../../store/hosts/destinations.ts';
import { detailsOf } from '../../store/links/details.ts';
import { listLinks } from '../../store/links/list.ts';
import { getTags } from '../../store/tags/tags.ts';
import { linkPageView } from '../../views/link.ts';

/** Some tags, separated by commas. Duplicates are dropped. */
const tagIds = ruled((text) => {
  const ids = [...new Set(text.split(','))];
  if (ids.length > tagsPerLink) throw new RuleError('too_many', `must have at most ${tagsPerLink} tags`);
  return ids;
});

export const query = z.strictObject({
  ...pageQuery,
  tagId: z.optional(z.string()),
  tagIds: z.optional(tagIds),
  match: z.optional(z.enum(['any', 'all'])),
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
  const { limit = linksPerPage.unlessAsked, cursor, tagId, order = 'desc', match = 'any', ...filter } = query;
  const { createdAfter, createdBefore, managedBy } = filter;
  if (tagId !== undefined && filter.tagIds !== undefined)
    throw parameterRefused('tagId', 'not_together', 'must not be sent together with "tagIds"');
  if (createdAfter !== undefined && createdBefore !== undefined && createdAfter >= createdBefore)
    throw parameterRefused('createdAfter', 'out_of_range', 'must be before "createdBefore"');
  const named = tagId === undefined ? filter.tagIds : [tagId];
  // A cursor is valid however the same query is written.
  const tags = named && [...named.toSorted(), named.length > 1 ? match : ''];
  const scope = [workspaceId, tags, filter.domain, filter.q, filter.state, createdAfter, createdBefore, managedBy, order];
  const after = positionOf(scope, cursor);
  const tagIds = named && (await rarestFirst(workspaceId, named));
  const state = filter.state && { is: filter.state, blocked: await blockedNow() };
  const { links, next } = await listLinks(workspaceId, { ...filter, tagIds, match, state }, { limit, order, after });
  return reply(200, linkPageView(scope, await detailsOf(links, blockedNow, 'lately'), next, setting('SHORT_URL_ORIGIN')));
});

/** These tags, by how many links carry them. @throws RequestError `tag_not_found` if one isn't the workspace's */
async function rarestFirst(workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const tags = await getTags(workspaceId, ids);
  if (tags.length < ids.length) {
    throw new RequestError(
      'tag_not_found',
      ids.length > 1 ? 'One of the tags does not exist in this workspace.' : 'The tag does not exist in this workspace.',
    );
  }
  return tags.toSorted((one, other) => one.linkCount - other.linkCount).map(({ id }) => id);
}
