import { webhookOrder } from '../../core/webhook/webhook.ts';
import { endpoint } from '../../http/endpoint.ts';
import { listPage, listQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { webhooksOf } from '../../store/webhooks/webhooks.ts';
import { webhookView } from '../../views/webhook.ts';

export const query = listQuery;

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { page, nextCursor } = await listPage([workspaceId, 'webhooks'], query, webhookOrder, () => webhooksOf(workspaceId));
  return reply(200, { webhooks: page.map(webhookView), nextCursor });
});
