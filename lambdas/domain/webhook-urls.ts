import { RuleError } from './errors.ts';
import { canonicalHost } from './host.ts';
import { parseHttpUrl } from './http-url.ts';
import { webhooksPerLink } from './limits.ts';
import { isPublicHost } from './public-host.ts';

/**
 * Validates a comma-separated list of 1 to 5 https URLs. Returns them in parsed form, separated by commas without
 * spaces.
 *
 * @throws RuleError `webhook_invalid`, `webhook_scheme`, `webhook_credentials`, `webhook_too_long`, `webhook_private`,
 *   `too_many`
 */
export function parseWebhookUrls(text: string): string {
  const parts = text.split(',', webhooksPerLink + 1);
  if (parts.length > webhooksPerLink) throw new RuleError('too_many', `must have at most ${webhooksPerLink} URLs`);
  return parts
    .map((part) => {
      const url = parseHttpUrl(part.trim(), 'webhook', ['https:']);
      if (!isPublicHost(canonicalHost(url.hostname))) {
        throw new RuleError('webhook_private', 'must point to a public address or a name under a top-level domain such as .com');
      }
      // Parsing may unescape a comma, which would then split the list differently.
      if (url.href.includes(',')) throw new RuleError('webhook_invalid', 'must not have a comma inside a URL');
      return url.href;
    })
    .join(',');
}
