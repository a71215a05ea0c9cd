import { type Link, shortUrlOf } from '../core/link/link.ts';
import type { DeliveryType } from '../core/webhook/delivery.ts';
import type { RecordedClick } from '../store/clicks/clicks.ts';
import { clickInPayload } from './click.ts';

/**
 * A link as webhooks receive it, without fields that only its workspace needs, such as the URLs of other receivers.
 *
 * @param origin of its short URL, with `{domain}` for the link's domain.
 */
export const linkInPayload = (link: Link, origin: string) => ({
  id: link.id,
  shortCode: link.shortCode,
  domain: link.domain,
  shortUrl: shortUrlOf(link, origin),
  aliases: [...link.aliases],
  url: link.url,
  title: link.title,
  isActive: link.isActive,
  startsAt: link.startsAt,
  expiresAt: link.expiresAt,
  maxClicks: link.maxClicks,
  tagIds: [...link.tagIds],
  createdAt: link.createdAt,
  updatedAt: link.updatedAt,
});

/** Only the id if the link is gone by the time of the delivery. */
type LinkInPayload = ReturnType<typeof linkInPayload> | Pick<Link, 'id'>;

/**
 * The body of a delivery, as Standard Webhooks suggests.
 *
 * @param timestamp when it happened, in ISO 8601.
 */
export const webhookBody = (
  type: DeliveryType,
  timestamp: string,
  { link, click }: { readonly link?: LinkInPayload | undefined; readonly click?: RecordedClick | undefined },
): string => JSON.stringify({ type, timestamp, data: { ...(link && { link }), ...(click && { click: clickInPayload(click) }) } });
