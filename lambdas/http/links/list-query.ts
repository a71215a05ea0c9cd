import * as z from 'zod/mini';
import { linkStates } from '../../core/link/state.ts';
import type { BlockedNow } from '../../store/links/details.ts';
import { archivedFilters, type LinkFilter } from '../../store/links/list.ts';
import { domainName, managedBy, searchText, timestamp } from '../fields.ts';
import { pageQuery } from '../list-pages.ts';
import { parameterRefused } from '../parse-query.ts';
import { queriedTags, rarestFirst, tagFilter } from '../queried-tags.ts';

/** The query parameters of all lists of a workspace's links. */
export const linkListQuery = {
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
  expiresBefore: z.optional(timestamp),
  notClickedSince: z.optional(timestamp),
  order: z.optional(z.enum(['asc', 'desc'])),
};
type LinkListQuery = z.output<z.ZodMiniObject<typeof linkListQuery>>;

/** A requested list. */
type LinkList = {
  /** For `askedPage`. Equivalent queries have the same scope. */
  readonly scope: readonly unknown[];
  readonly order: 'asc' | 'desc';
  /** Reads what the filter needs. @throws RequestError `tag_not_found` */
  readonly filter: (blockedNow: BlockedNow) => Promise<LinkFilter>;
};

/**
 * Adds a query's defaults, and validates it.
 *
 * @throws RequestError `validation_failed`; `tag_not_found` for a tag's name
 */
export async function linkListOf(workspaceId: string, query: LinkListQuery): Promise<LinkList> {
  const { tagId, tagIds, tagNames, domain, q, managedBy, createdAfter, createdBefore, expiresBefore, notClickedSince } = query;
  const { order = 'desc', match = 'any', archived = 'false' } = query;
  if (tagId !== undefined && (tagIds ?? tagNames) !== undefined)
    throw parameterRefused('tagId', 'not_together', 'must not be sent together with "tagIds" or "tagNames"');
  if (createdAfter !== undefined && createdBefore !== undefined && createdAfter >= createdBefore)
    throw parameterRefused('createdAfter', 'out_of_range', 'must be before "createdBefore"');
  const queried = await queriedTags(workspaceId, { tagId, tagIds, tagNames });
  const tags = queried && [...queried.map(({ id }) => id).toSorted(), queried.length > 1 ? match : ''];
  return {
    scope: [
      workspaceId,
      tags,
      archived,
      domain,
      q,
      query.state,
      createdAfter,
      createdBefore,
      managedBy,
      expiresBefore,
      notClickedSince,
      order,
    ],
    order,
    filter: async (blockedNow) => ({
      tagIds: queried && (await rarestFirst(workspaceId, queried)),
      match,
      archived,
      domain,
      managedBy,
      q,
      state: query.state && { is: query.state, blocked: await blockedNow() },
      createdAfter,
      createdBefore,
      expiresBefore,
      notClickedSince,
    }),
  };
}
