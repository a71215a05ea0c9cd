import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { bulkResult, distinct, linkIds } from '../../http/link-ids.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { reply } from '../../http/reply.ts';
import { deleteLinks } from '../../store/links/bulk-changes.ts';
import { getLinks } from '../../store/links/links.ts';

export const body = z.strictObject({ ids: linkIds });

const before = [rateLimit('bulk-changes')];

export const handler = endpoint({ body, before }, async ({ workspaceId, body: { ids } }) => {
  const found = await getLinks(workspaceId, distinct(ids));
  const links = found.filter((link) => link !== undefined);
  const { done, failed } = bulkResult(ids, links, await deleteLinks(workspaceId, links));
  return reply(200, { deleted: done, failed });
});
