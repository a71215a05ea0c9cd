import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch } from '../../http/entity-tag.ts';
import { reply } from '../../http/reply.ts';
import { showWebhook } from '../../http/shown/webhook.ts';
import { changeWebhooks } from '../../store/webhooks/interest.ts';
import { deleteWebhook, getWebhook } from '../../store/webhooks/webhooks.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  await changeWebhooks(workspaceId, async () => {
    const read = async () => orNotFound(await getWebhook(workspaceId, id), 'webhook');
    await deleteWebhook(workspaceId, id, await readIfMatch(event, read, showWebhook(workspaceId)));
  });
  return reply(204);
});
