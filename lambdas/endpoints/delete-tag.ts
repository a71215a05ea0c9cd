import { endpoint } from '../http/endpoint.ts';
import { reply } from '../http/reply.ts';
import { deleteTag } from '../store/tags.ts';

export const handler = endpoint({}, async ({ workspaceId, id }) => {
  await deleteTag(workspaceId, id);
  return reply(204);
});
