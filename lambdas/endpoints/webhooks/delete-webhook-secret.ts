import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { endSecret } from '../../store/webhooks/secrets.ts';

export const handler = endpoint({}, async ({ workspaceId, id }) => {
  await endSecret(workspaceId, id);
  return reply(204);
});
