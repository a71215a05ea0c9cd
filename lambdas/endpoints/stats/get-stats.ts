import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { statsQuery, statsRequest } from '../../http/stats-query.ts';
import { workspaceDimensions } from '../../store/clicks/day-items.ts';
import { daysOfWorkspace } from '../../store/stats/statistics.ts';
import { statisticsView } from '../../views/statistics.ts';

export const query = z.strictObject(statsQuery(workspaceDimensions));

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const now = Date.now();
  const request = statsRequest(query, now);
  return reply(200, statisticsView(await daysOfWorkspace(workspaceId, request), request, now));
});
