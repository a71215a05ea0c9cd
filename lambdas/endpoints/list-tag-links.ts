import * as z from 'zod/mini';
import { notFound } from '../domain/errors.ts';
import { setting } from '../env.ts';
import { endpoint } from '../http/endpoint.ts';
import { defaultLimit, pageQuery, pageView, positionOf } from '../http/link-page.ts';
import { reply } from '../http/reply.ts';
import { listLinks } from '../store/link-list.ts';
import { linkViews } from '../store/link-views.ts';
import { getTag } from '../store/tags.ts';

export const query = z.strictObject(pageQuery);

export const handler = endpoint({ query }, async ({ workspaceId, id: tagId, query: { limit = defaultLimit, cursor } }) => {
  const scope = [workspaceId, 'tag', tagId];
  const before = positionOf(scope, cursor);
  if (!(await getTag(workspaceId, tagId))) throw notFound('tag');
  const { links, next } = await listLinks(workspaceId, { tagId }, { limit, before });
  return reply(200, pageView(scope, await linkViews(links, setting('SHORT_URL_ORIGIN'), 'lately'), next));
});
