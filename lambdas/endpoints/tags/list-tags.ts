import { nameOrder } from '../../core/list-order.ts';
import { endpoint } from '../../http/endpoint.ts';
import { listPage, listQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { listTags } from '../../store/tags/tags.ts';
import { tagView } from '../../views/tag.ts';

export const query = listQuery;

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { page, nextCursor } = await listPage([workspaceId, 'tags'], query, nameOrder(), () => listTags(workspaceId));
  return reply(200, { tags: page.map(tagView), nextCursor });
});
