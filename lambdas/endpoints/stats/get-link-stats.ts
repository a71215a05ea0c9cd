import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import {
  checkRecords,
  countsUniques,
  filterIn,
  filterQuery,
  recordsAt,
  statsQuery,
  statsRequest,
} from '../../http/stats-query.ts';
import { findNamedLink } from '../../store/links/named-links.ts';
import { filteredDaysOfLink } from '../../store/stats/filtered-clicks.ts';
import { daysOfLink } from '../../store/stats/statistics.ts';
import { statisticsView } from '../../views/statistics.ts';

export const query = z.strictObject({ ...statsQuery(), ...filterQuery() });

export const handler = endpoint({ query }, async ({ workspaceId, id, query, event }) => {
  const now = Date.now();
  const filter = filterIn(query);
  const request = statsRequest(query, now, filter && recordsAt(receivedAt(event)));
  const link = orNotFound(await findNamedLink(workspaceId, id), 'link');
  const all = await daysOfLink(link, request);
  if (!filter) return reply(200, statisticsView(all, request, now, countsUniques()));
  checkRecords(all.days, request, receivedAt(event));
  // Records of clicks don't say which of them were unique.
  return reply(200, statisticsView(await filteredDaysOfLink(link, request, filter), request, now, false));
});
