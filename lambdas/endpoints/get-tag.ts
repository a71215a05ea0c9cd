import { notFound } from '../domain/errors.ts';
import { replyTagged } from '../http/conditional.ts';
import { endpoint } from '../http/endpoint.ts';
import { getTag } from '../store/tags.ts';
import { tagView } from '../views/tag.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const tag = await getTag(workspaceId, id);
  if (!tag) throw notFound('tag');
  return replyTagged(event, 200, tagView(tag));
});
