import * as z from 'zod/mini';
import { dimensions } from '../../core/click/click.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { statsQuery, statsRequest } from '../../http/stats-query.ts';
import { daysOfWorkspace } from '../../store/stats/statistics.ts';
import { statisticsView } from '../../views/statistics.ts';

export const query = z.strictObject(statsQuery(dimensions));

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const now = Date.now();
  const request = statsRequest(query, now);
  return reply(200, statisticsView(await daysOfWorkspace(workspaceId, request), request, now));
});
