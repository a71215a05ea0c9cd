import { RuleError } from './errors.ts';
import { canonicalHost, isPublicHost } from './host.ts';
import { parseHttpUrl } from './http-url.ts';

/**
 * Checks where a link shall lead and gives the form that is stored: the parsed URL's `href`.
 *
 * That it is not a short domain of the service is checked apart, since it needs a look-up: `shortDomainError`.
 *
 * @throws RuleError `destination_invalid`, `destination_scheme`, `destination_credentials`, `destination_too_long`,
 *   `destination_private`
 */
export function parseDestination(text: string): string {
  const url = parseHttpUrl(text, 'destination');
  if (!isPublicHost(canonicalHost(url.hostname))) {
    throw new RuleError('destination_private', 'must not lead to a private, loopback or reserved address');
  }
  return url.href;
}

/** The host of a stored destination, as domains are looked up. */
export const destinationHost = (href: string): string => canonicalHost(new URL(href).hostname);

/** Links to links could go round in circles, and would hide a destination from its checks. */
export const shortDomainError = () => new RuleError('destination_short_domain', 'must not lead to a short domain of the service');
