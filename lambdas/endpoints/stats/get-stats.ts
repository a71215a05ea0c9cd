import * as z from 'zod/mini';
import type { Collected } from '../../core/click/statistics.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { domainName } from '../../http/fields.ts';
import { queriedTags, rarestFirst, tagFilter } from '../../http/given-tags.ts';
import { parameterNotFound } from '../../http/parse-query.ts';
import { reply } from '../../http/reply.ts';
import { countsUniques, type StatsRequest, statsQuery, statsRequest } from '../../http/stats-query.ts';
import { getDomain } from '../../store/domains/domains.ts';
import { daysOfDomain, daysOfTags, daysOfWorkspace } from '../../store/stats/statistics.ts';
import { statisticsView } from '../../views/statistics.ts';

export const query = z.strictObject({
  ...statsQuery(),
  domain: z.optional(domainName),
  ...tagFilter,
});
type Query = z.output<typeof query>;

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const readAt = Date.now();
  const request = statsRequest(query, receivedAt(event));
  return reply(200, statisticsView(await collect(workspaceId, query, request), request, readAt, countsUniques()));
});

/** The days of what was asked for. @throws RequestError `not_found`, `tag_not_found`, `too_much_to_read` */
async function collect(workspaceId: string, { domain, match, ...named }: Query, range: StatsRequest): Promise<Collected> {
  const tags = await queriedTags(workspaceId, named);
  if (!tags && domain === undefined) return daysOfWorkspace(workspaceId, range);
  if (!tags) {
    const collected = await daysOfDomain(workspaceId, domain ?? '', range);
    if (!collected) throw noSuchDomain();
    return collected;
  }
  if (domain !== undefined && (await getDomain(domain))?.workspaceId !== workspaceId) throw noSuchDomain();
  return daysOfTags(workspaceId, { tagIds: await rarestFirst(workspaceId, tags), match, domain }, range);
}

const noSuchDomain = () => parameterNotFound('domain', 'domain', 'must be a domain of the workspace, or one that it had');
