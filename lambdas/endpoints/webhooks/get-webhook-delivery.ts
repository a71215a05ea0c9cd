import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { findLink } from '../../store/links/links.ts';
import { findDelivery, withShownState } from '../../store/webhooks/deliveries.ts';
import { deliveryDetailsView } from '../../views/webhook-delivery.ts';

export const handler = endpoint({}, async ({ workspaceId, id }) => {
  const delivery = orNotFound(await findDelivery(workspaceId, id), 'delivery');
  const link = await findLink(workspaceId, delivery.linkId ?? '');
  return reply(200, deliveryDetailsView(await withShownState(delivery), link, setting('SHORT_URL_ORIGIN')));
});
