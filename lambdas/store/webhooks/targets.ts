import type { Link } from '../../core/link/link.ts';
import type { DeliveryType, Target } from '../../core/webhook/delivery.ts';
import { urlsOf, type Webhook, wasThere } from '../../core/webhook/webhook.ts';
import { tableTime } from '../table/clock.ts';
import { validSecrets } from './secrets.ts';
import { webhooksOf } from './webhooks.ts';

/** The events that are sent to a link's own URLs. */
const forLinkUrls: ReadonlySet<DeliveryType> = new Set(['link.clicked', 'link.cap_reached']);

/** The targets for an event: those of these webhooks that are active and subscribe to it. */
export const subscribersOf = (webhooks: readonly Webhook[], type: DeliveryType): Target[] =>
  webhooks
    .filter(({ active, events }) => active && (events as readonly string[]).includes(type))
    .map(({ id, url }) => ({ webhookId: id, url }));

/**
 * Where a workspace's events go by its current settings: to its active webhooks that subscribe to them and existed when
 * the event happened, and to the link's own URLs if the workspace has a secret for those. One query and one read.
 *
 * @returns a function that returns the targets of an event about a link; the link is undefined if it is gone.
 */
export async function targetsOf(
  workspaceId: string,
): Promise<(type: DeliveryType, link: Link | undefined, at: string) => Target[]> {
  const [webhooks, secrets] = await Promise.all([webhooksOf(workspaceId), validSecrets(workspaceId, null, tableTime())]);
  return (type, link, at) => [
    ...subscribersOf(
      webhooks.filter((webhook) => wasThere(webhook, at)),
      type,
    ),
    ...(forLinkUrls.has(type) && secrets.length > 0 ? urlsOf(link?.webhookUrls) : []).map((url) => ({
      webhookId: null,
      url,
    })),
  ];
}
