import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch } from '../../http/entity-tag.ts';
import { reply } from '../../http/reply.ts';
import { showTag } from '../../http/shown/tag.ts';
import { deleteTag, getTag } from '../../store/tags/tags.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const asRead = await readIfMatch(event, async () => orNotFound(await getTag(workspaceId, id), 'tag'), showTag);
  await deleteTag(workspaceId, id, asRead);
  return reply(204);
});
