import * as z from 'zod/mini';
import { askStatistics } from '../../click-log/statistics.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import {
  askInScope,
  countsUniques,
  filterIn,
  filterQuery,
  scopeQuery,
  statsQuery,
  statsRequest,
} from '../../http/stats-query.ts';
import { statisticsView } from '../../views/statistics.ts';

export const query = z.strictObject({ ...statsQuery(), ...scopeQuery, ...filterQuery() });

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const readAt = Date.now();
  const request = statsRequest(query, receivedAt(event));
  const statistics = await askInScope(
    workspaceId,
    query,
    (scope) => askStatistics(workspaceId, { ...request, ...scope, filter: filterIn(query) }, request),
    ({ total }) => total.clicks === 0,
  );
  return reply(200, statisticsView(statistics, request, { readAt, countsUniques: countsUniques() }));
});
