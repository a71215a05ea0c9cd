import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { showTag } from '../../http/shown/tag.ts';
import { getTag } from '../../store/tags/tags.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const tag = orNotFound(await getTag(workspaceId, id), 'tag');
  return replyTagged(event, 200, showTag(tag));
});
