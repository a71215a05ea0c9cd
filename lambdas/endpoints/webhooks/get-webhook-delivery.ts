import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { findDelivery, withShownState } from '../../store/webhooks/deliveries.ts';
import { deliveryDetailsView } from '../../views/webhook-delivery.ts';

export const handler = endpoint({}, async ({ workspaceId, id }) => {
  const delivery = orNotFound(await findDelivery(workspaceId, id), 'delivery');
  return reply(200, deliveryDetailsView(await withShownState(delivery)));
});
