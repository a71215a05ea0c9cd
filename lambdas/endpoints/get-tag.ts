import { notFound } from '../domain/errors.ts';
import { tagView } from '../domain/tag.ts';
import { replyTagged } from '../http/conditional.ts';
import { endpoint } from '../http/endpoint.ts';
import { getTag } from '../store/tags.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const tag = await getTag(workspaceId, id);
  if (!tag) throw notFound('tag');
  return replyTagged(event, 200, tagView(tag));
});
