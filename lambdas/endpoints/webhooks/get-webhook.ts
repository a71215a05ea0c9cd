import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { showWebhook } from '../../http/shown/webhook.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const webhook = orNotFound(await getWebhook(workspaceId, id), 'webhook');
  return replyTagged(event, 200, await showWebhook(workspaceId)(webhook));
});
