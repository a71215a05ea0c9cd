import { secretOrder } from '../../core/webhook/webhook-secret.ts';
import { endpoint } from '../../http/endpoint.ts';
import { listPage, listQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { listSecrets } from '../../store/webhooks/secrets.ts';
import { secretView } from '../../views/webhook.ts';

export const query = listQuery;

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { page, nextCursor } = await listPage([workspaceId, 'secrets'], query, secretOrder, () => listSecrets(workspaceId));
  return reply(200, { secrets: page.map(secretView), nextCursor });
});
