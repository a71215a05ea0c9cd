import * as z from 'zod/mini';
import { dayOfTime } from '../../core/click/day.ts';
import { RuleError } from '../../core/errors.ts';
import { linksPerPage } from '../../core/limits.ts';
import { parseTimestamp } from '../../core/timestamp.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { domainName } from '../../http/fields.ts';
import { queriedTags, rarestFirst, tagFilter } from '../../http/given-tags.ts';
import { pageLimit } from '../../http/link-page.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { reply } from '../../http/reply.ts';
import { countsUniques, latest, rangeQuery, rankedRange } from '../../http/stats-query.ts';
import { ruled } from '../../http/validation.ts';
import { setting } from '../../runtime/settings.ts';
import { getDomain } from '../../store/domains/domains.ts';
import { topLinks } from '../../store/stats/top-links.ts';
import { topLinksView } from '../../views/statistics.ts';

/** A day in UTC. */
const day = ruled((text) => {
  try {
    const start = /^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(`${text}T00:00Z`) : undefined;
    if (start !== undefined && Date.parse(start) < latest) return dayOfTime(start);
  } catch {
    // The error below says more.
  }
  throw new RuleError('invalid_day', 'must be a day such as 2030-01-31');
});

export const query = z.strictObject({
  ...rangeQuery,
  day: z.optional(day),
  domain: z.optional(domainName),
  ...tagFilter,
  limit: z.optional(pageLimit),
});

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const { domain, tagIds, tagNames, match, limit = linksPerPage.unlessAsked } = query;
  const readAt = Date.now();
  const range = rankedRange(query, receivedAt(event));
  if (domain !== undefined && (await getDomain(domain))?.workspaceId !== workspaceId)
    throw parameterRefused('domain', 'domain_not_verified', 'must be a domain that the workspace has proven to own');
  const queried = await queriedTags(workspaceId, { tagIds, tagNames });
  const tags = queried && { tagIds: await rarestFirst(workspaceId, queried), match };
  const ranking = await topLinks(workspaceId, range, limit, { domain, tags });
  return reply(200, topLinksView(range, ranking, readAt, setting('SHORT_URL_ORIGIN'), countsUniques()));
});
