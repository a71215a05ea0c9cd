import { RuleError } from '../errors.ts';
import { canonicalHost } from '../host/host.ts';
import { parseHttpUrl } from '../host/http-url.ts';
import { isIPv6 } from '../host/ip-address.ts';
import { isPublicHost } from '../host/public-host.ts';
import { urlLength } from '../limits.ts';

/**
 * Validates a URL to which visitors are sent, and returns the form that is stored: the parsed URL's `href`.
 *
 * Short domains of the service, blocked and listed hosts are checked separately, because that needs a lookup: see
 * `lambdas/store/hosts/destinations.ts`.
 *
 * @param most the most characters: `destinationLength` for a link's own destination.
 * @throws RuleError `destination_invalid`, `destination_scheme`, `destination_credentials`, `destination_too_long`,
 *   `destination_private`
 */
export function parseDestination(text: string, most: number = urlLength): string {
  const url = parseHttpUrl(text, 'destination', { most });
  if (!isPublicHost(canonicalHost(url.hostname))) {
    throw new RuleError('destination_private', 'must point to a public address or a name under a top-level domain such as .com');
  }
  return url.href;
}

/** The host of a stored destination, in the form in which domains are looked up and hosts are blocked. */
export const destinationHost = (href: string): string => canonicalHost(new URL(href).hostname);

/** Links to short links could form loops, and would hide the destination from its checks. */
export const shortDomainError = () =>
  new RuleError('destination_short_domain', 'must not point to a short domain of this service');

/** The hosts that the operator has blocked. */
export type BlockedHosts = ReadonlySet<string>;

export const blockedError = () =>
  new RuleError('destination_blocked', 'must not point to a host that is blocked on this service');

/** The blocked host that applies to a canonical host: the host itself, or a parent domain. */
export function blockedBy(host: string, blocked: BlockedHosts): string | undefined {
  let name = host;
  while (!blocked.has(name)) {
    const dot = name.indexOf('.');
    if (dot < 0) return undefined;
    name = name.slice(dot + 1);
  }
  return name;
}

/** Whether a stored destination is at a blocked host. */
export const isBlocked = (href: string, blocked: BlockedHosts): boolean =>
  blockedBy(destinationHost(href), blocked) !== undefined;

/**
 * Converts a host as a person may write it to the form that destinations have. It is a domain name of at least two
 * labels, because a single label would block a whole top-level domain, or an IP address, IPv6 with or without brackets.
 * A public suffix of two labels, such as `co.uk`, can be blocked: only the list of public suffixes could tell it from
 * `evil.example`.
 *
 * @returns undefined if the text isn't such a host, or contains more than a host.
 */
export function parseHostToBlock(text: string): string | undefined {
  const written = isIPv6(text) ? `[${text}]` : text;
  // Otherwise a scheme, a port or a path would be dropped silently, and the whole host would be blocked.
  if (!/^(\[[\da-f:.]+\]|[^:/\\?#@]+)$/i.test(written)) return undefined;
  try {
    const host = destinationHost(parseHttpUrl(`http://${written}/`, 'destination').href);
    return host.length <= 253 && /[.:]/.test(host) ? host : undefined;
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}
