import { dimensions } from '../../core/click/click.ts';
import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { statsQuery, statsRequest } from '../../http/stats-query.ts';
import { findLink } from '../../store/links/links.ts';
import { daysOfLink } from '../../store/stats/statistics.ts';
import { statisticsView } from '../../views/statistics.ts';

export const query = statsQuery(dimensions);

export const handler = endpoint({ query }, async ({ workspaceId, id, query }) => {
  const now = Date.now();
  const request = statsRequest(query, now);
  const link = orNotFound(await findLink(workspaceId, id), 'link');
  return reply(200, statisticsView(await daysOfLink(link, request), request, now));
});
