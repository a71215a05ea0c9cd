import type { ShownDelivery } from '../store/webhooks/deliveries.ts';

/** A delivery as the API returns it in lists, without its body. */
export const deliveryView = ({ id, type, url, webhookId, linkId, state, attempts, nextAttemptAt, createdAt }: ShownDelivery) => ({
  id,
  type,
  url,
  webhookId,
  linkId,
  state,
  attempts: attempts.map(({ at, status, ms, error, response }) => ({ at, status, ms, error, response })),
  nextAttemptAt: state === 'paused' ? null : nextAttemptAt,
  createdAt,
});

/** A delivery with its body, as the text that is signed. */
export const deliveryDetailsView = (delivery: ShownDelivery) => ({ ...deliveryView(delivery), body: delivery.body });
