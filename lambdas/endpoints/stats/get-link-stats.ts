import * as z from 'zod/mini';
import { askStatistics } from '../../click-log/statistics.ts';
import { orNotFound } from '../../core/errors.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { countsUniques, filterIn, filterQuery, statsQuery, statsRequest } from '../../http/stats-query.ts';
import { findNamedLink } from '../../store/links/named-links.ts';
import { statisticsView } from '../../views/statistics.ts';

export const query = z.strictObject({ ...statsQuery(), ...filterQuery() });

export const handler = endpoint({ query }, async ({ workspaceId, id, query, event }) => {
  const readAt = Date.now();
  const request = statsRequest(query, receivedAt(event));
  const link = orNotFound(await findNamedLink(workspaceId, id), 'link');
  const statistics = await askStatistics(workspaceId, { ...request, linkIds: [link.id], filter: filterIn(query) }, request);
  return reply(200, statisticsView(statistics, request, { readAt, countsUniques: countsUniques() }));
});
