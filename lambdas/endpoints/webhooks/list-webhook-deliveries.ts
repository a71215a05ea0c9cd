import * as z from 'zod/mini';
import { shownStates } from '../../core/webhook/delivery.ts';
import { endpoint } from '../../http/endpoint.ts';
import { askedPage, pageQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { findLinksById } from '../../store/links/links.ts';
import { listDeliveries } from '../../store/webhooks/deliveries.ts';
import { deliveryView } from '../../views/webhook-delivery.ts';

export const query = z.strictObject({
  ...pageQuery(),
  linkId: z.optional(z.string()),
  webhookId: z.optional(z.string()),
  state: z.optional(z.enum(shownStates)),
});

const isDeliveryPosition = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#dlv_[0-9A-Za-z]{22}$/.test(text);

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { linkId, webhookId, state } = query;
  const asked = askedPage([workspaceId, 'deliveries', linkId, webhookId, state], query, isDeliveryPosition);
  const { deliveries, next } = await listDeliveries(workspaceId, { linkId, webhookId, state }, asked);
  const links = await findLinksById(
    workspaceId,
    deliveries.flatMap(({ linkId }) => linkId ?? []),
  );
  const origin = setting('SHORT_URL_ORIGIN');
  return reply(200, {
    deliveries: deliveries.map((one) => deliveryView(one, links.get(one.linkId ?? ''), origin)),
    nextCursor: asked.nextCursor(next),
  });
});
