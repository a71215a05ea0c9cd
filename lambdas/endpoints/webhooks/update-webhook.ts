import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch, replyTagged } from '../../http/entity-tag.ts';
import * as field from '../../http/fields.ts';
import { showWebhook } from '../../http/shown/webhook.ts';
import { changeWebhooks } from '../../store/webhooks/interest.ts';
import { getWebhook, updateWebhook } from '../../store/webhooks/webhooks.ts';

export const body = z.strictObject({
  url: z.optional(field.webhookUrl),
  events: z.optional(field.webhookEvents),
  active: z.optional(z.boolean()),
});

export const handler = endpoint({ body }, async ({ workspaceId, id, body, event }) => {
  const webhook = await changeWebhooks(workspaceId, async () => {
    const read = async () => orNotFound(await getWebhook(workspaceId, id), 'webhook');
    return updateWebhook(workspaceId, id, body, await readIfMatch(event, read, showWebhook(workspaceId)));
  });
  return replyTagged(event, 200, await showWebhook(workspaceId)(webhook));
});
