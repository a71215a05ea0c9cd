import { sortByName } from '../../core/tag/tag.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { listTags } from '../../store/tags/tags.ts';
import { tagView } from '../../views/tag.ts';

export const handler = endpoint({}, async ({ workspaceId }) => {
  const tags = await listTags(workspaceId);
  return reply(200, { tags: sortByName(tags).map(tagView) });
});
