import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { webhooksOf } from '../../store/webhooks/webhooks.ts';
import { webhookView } from '../../views/webhook.ts';

export const handler = endpoint({}, async ({ workspaceId }) => {
  const webhooks = await webhooksOf(workspaceId);
  return reply(200, { webhooks: webhooks.map(webhookView) });
});
