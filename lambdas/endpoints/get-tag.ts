import { notFound } from '../domain/errors.ts';
import { tagView } from '../domain/tag.ts';
import { endpoint } from '../http/endpoint.ts';
import { reply } from '../http/reply.ts';
import { getTag } from '../store/tags.ts';

export const handler = endpoint({}, async ({ workspaceId, id }) => {
  const tag = await getTag(workspaceId, id);
  if (!tag) throw notFound('tag');
  return reply(200, tagView(tag));
});
