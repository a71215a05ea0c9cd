import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { listSecrets } from '../../store/webhooks/secrets.ts';
import { secretView } from '../../views/webhook.ts';

export const handler = endpoint({}, async ({ workspaceId }) => {
  const secrets = await listSecrets(workspaceId);
  return reply(200, { secrets: secrets.map(secretView) });
});
