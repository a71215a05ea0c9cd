import * as z from 'zod/mini';
import { listClicks } from '../../click-log/listing.ts';
import { clickPageOf, clickPageQuery } from '../../http/clicks/click-page.ts';
import { endpoint } from '../../http/endpoint.ts';
import { askInScope, scopeQuery } from '../../http/stats-query.ts';

export const query = z.strictObject({ ...scopeQuery, ...clickPageQuery() });

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const { domain, tagIds, tagNames, match } = query;
  const { asked, reply, ...page } = clickPageOf([workspaceId, domain, tagIds, tagNames, match], query, event);
  const listed = await askInScope(
    workspaceId,
    query,
    (scope) => listClicks(workspaceId, { ...asked, ...scope }, page),
    ({ clicks }) => clicks.length === 0 && !page.after,
  );
  return reply(listed);
});
