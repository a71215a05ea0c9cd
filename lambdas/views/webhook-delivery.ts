import { type Address, shortUrlOf } from '../core/link/link.ts';
import type { ShownDelivery } from '../store/webhooks/deliveries.ts';

/**
 * A delivery as the API returns it in lists, without its body.
 *
 * @param link its link's current state; undefined if it is gone. The address then comes from the body.
 * @param origin of its short URL, with `{domain}` for the link's domain.
 */
export const deliveryView = (
  { id, type, url, webhookId, linkId, state, attempts, nextAttemptAt, createdAt, body }: ShownDelivery,
  link: Address | undefined,
  origin: string,
) => ({
  id,
  type,
  url,
  webhookId,
  linkId,
  shortUrl: link ? shortUrlOf(link, origin) : shortUrlIn(body),
  state,
  attempts: attempts.map(({ at, status, ms, error, response, redirectsTo = null }) => ({
    at,
    status,
    ms,
    error,
    response,
    redirectsTo,
  })),
  nextAttemptAt: state === 'paused' ? null : nextAttemptAt,
  createdAt,
});

/** A delivery with its body, as the text that is signed. */
export const deliveryDetailsView = (delivery: ShownDelivery, link: Address | undefined, origin: string) => ({
  ...deliveryView(delivery, link, origin),
  body: delivery.body,
});

/** The short URL in a body; null if it has none, because the link was already gone, or the delivery is a test. */
function shortUrlIn(body: string): string | null {
  const { data } = JSON.parse(body) as { data?: { link?: { shortUrl?: string } } };
  return data?.link?.shortUrl ?? null;
}
