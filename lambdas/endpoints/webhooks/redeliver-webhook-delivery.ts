import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { findLink } from '../../store/links/links.ts';
import { tableTime } from '../../store/table/clock.ts';
import { findDelivery, redeliver } from '../../store/webhooks/deliveries.ts';
import { deliveryView } from '../../views/webhook-delivery.ts';

export const handler = endpoint({}, async ({ workspaceId, id }) => {
  const found = orNotFound(await findDelivery(workspaceId, id), 'delivery');
  const link = await findLink(workspaceId, found.linkId ?? '');
  const delivery = orNotFound(await redeliver(found, tableTime()), 'delivery');
  return reply(202, deliveryView(delivery, link, setting('SHORT_URL_ORIGIN')));
});
