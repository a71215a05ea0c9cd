import { orNotFound } from '../../core/errors.ts';
import { newRequestId } from '../../core/ids.ts';
import { newDelivery } from '../../core/webhook/delivery.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { tableTime } from '../../store/table/clock.ts';
import { sendNow } from '../../store/webhooks/deliveries.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';
import { deliveryView } from '../../views/webhook-delivery.ts';
import { webhookBody } from '../../views/webhook-payload.ts';

export const handler = endpoint({}, async ({ workspaceId, id }) => {
  const webhook = orNotFound(await getWebhook(workspaceId, id), 'webhook');
  const now = tableTime();
  const type = 'webhook.test';
  const body = webhookBody(type, new Date(now).toISOString(), {});
  const event = { workspaceId, linkId: null, type, key: newRequestId(), body } as const;
  const delivery = newDelivery(event, { webhookId: webhook.id, url: webhook.url }, now);
  await sendNow(delivery);
  return reply(202, deliveryView(delivery, undefined, setting('SHORT_URL_ORIGIN')));
});
