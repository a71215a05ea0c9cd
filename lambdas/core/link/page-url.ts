import { canonicalHost } from '../host/host.ts';
import { parseHttpUrl } from '../host/http-url.ts';
import { isLoopbackHost } from '../host/public-host.ts';
import { destinationLength } from '../limits.ts';
import type { WebhookReach } from '../webhook/webhook-urls.ts';
import { parseDestination } from './destination.ts';

/**
 * Validates the URL of a page that the service is to read, like a link's destination. On a laptop, it may also be on a
 * loopback host.
 *
 * @throws RuleError `destination_…`
 */
export function parsePageUrl(text: string, reach: WebhookReach = 'public'): string {
  const { href, hostname } = parseHttpUrl(text, 'destination', { most: destinationLength });
  return reach === 'public and loopback' && isLoopbackHost(canonicalHost(hostname))
    ? href
    : parseDestination(text, destinationLength);
}
