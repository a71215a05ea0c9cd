import { RuleError } from '../errors.ts';
import { canonicalHost } from '../host/host.ts';
import { parseHttpUrl } from '../host/http-url.ts';
import { isLoopbackHost, isPublicHost } from '../host/public-host.ts';
import { webhooksPerLink } from '../limits.ts';

/** Where webhooks may go: to public addresses, and on a laptop also to the laptop itself, over http and at any port. */
export type WebhookReach = 'public' | 'public and loopback';

/**
 * Validates an https URL that events are sent to, and returns it in parsed form.
 *
 * @throws RuleError `webhook_invalid`, `webhook_scheme`, `webhook_credentials`, `webhook_too_long`, `webhook_private`
 */
export function parseWebhookUrl(text: string, reach: WebhookReach = 'public'): string {
  const withLoopback = reach === 'public and loopback';
  const url = parseHttpUrl(text, 'webhook', { schemes: withLoopback ? ['https:', 'http:'] : ['https:'] });
  if (withLoopback && isLoopbackHost(canonicalHost(url.hostname))) return url.href;
  if (url.protocol !== 'https:') throw new RuleError('webhook_scheme', 'must start with https://, except to this machine');
  if (!isPublicHost(canonicalHost(url.hostname))) {
    throw new RuleError('webhook_private', 'must point to a public address or a name under a top-level domain such as .com');
  }
  return url.href;
}

/**
 * Validates a comma-separated list of 1 to `webhooksPerLink` https URLs. Returns them in parsed form, separated by
 * commas without spaces.
 *
 * @throws RuleError `webhook_invalid`, `webhook_scheme`, `webhook_credentials`, `webhook_too_long`, `webhook_private`,
 *   `too_many`
 */
export function parseWebhookUrls(text: string, reach: WebhookReach = 'public'): string {
  const parts = text.split(',', webhooksPerLink + 1);
  if (parts.length > webhooksPerLink) throw new RuleError('too_many', `must have at most ${webhooksPerLink} URLs`);
  return parts
    .map((part) => {
      const url = parseWebhookUrl(part.trim(), reach);
      // Parsing may unescape a comma, which would then split the list differently.
      if (url.includes(',')) throw new RuleError('webhook_invalid', 'must not have a comma inside a URL');
      return url;
    })
    .join(',');
}
