import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { tagIdList, tagMatch } from '../../http/fields.ts';
import { reply } from '../../http/reply.ts';
import { checkDimensions, statsQuery, statsRequest } from '../../http/stats-query.ts';
import { workspaceDimensions } from '../../store/clicks/day-items.ts';
import { daysOfTags, daysOfWorkspace } from '../../store/stats/statistics.ts';
import { rarestFirst } from '../../store/tags/tags.ts';
import { statisticsView } from '../../views/statistics.ts';

export const query = z.strictObject({
  ...statsQuery(),
  tagIds: z.optional(tagIdList),
  match: z.optional(tagMatch),
});

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const now = Date.now();
  const request = statsRequest(query, now);
  const { tagIds, match } = query;
  // A link's days have all dimensions, the workspace's days have some.
  if (tagIds === undefined) checkDimensions(request.groupBy, workspaceDimensions);
  const collected =
    tagIds === undefined
      ? await daysOfWorkspace(workspaceId, request)
      : await daysOfTags(workspaceId, { tagIds: await rarestFirst(workspaceId, tagIds), match }, request);
  return reply(200, statisticsView(collected, request, now));
});
