import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { linkIds, namedLinks } from '../../http/link-ids.ts';
import { rateLimit } from '../../http/rate-limit.ts';
import { reply } from '../../http/reply.ts';
import { deleteLinks } from '../../store/links/bulk-changes.ts';

export const body = z.strictObject({ ids: linkIds });

const before = [rateLimit('bulk-changes')];

export const handler = endpoint({ body, before }, async ({ workspaceId, body: { ids } }) => {
  const { links, report } = await namedLinks(workspaceId, ids);
  const { done, failed } = report(await deleteLinks(workspaceId, links));
  return reply(200, { deleted: done, failed });
});
