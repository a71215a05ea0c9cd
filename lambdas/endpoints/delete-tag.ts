import { notFound } from '../domain/errors.ts';
import type { Tag } from '../domain/tag.ts';
import { checkIfMatch, isConditional } from '../http/conditional.ts';
import { endpoint } from '../http/endpoint.ts';
import { reply } from '../http/reply.ts';
import { deleteTag, getTag } from '../store/tags.ts';
import { tagView } from '../views/tag.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  let asRead: Tag | undefined;
  if (isConditional(event)) {
    asRead = await getTag(workspaceId, id);
    if (!asRead) throw notFound('tag');
    checkIfMatch(event, tagView(asRead));
  }
  await deleteTag(workspaceId, id, asRead);
  return reply(204);
});
