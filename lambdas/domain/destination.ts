import { isIP } from 'node:net';
import { RuleError } from './errors.ts';
import { canonicalHost } from './host.ts';
import { parseHttpUrl } from './http-url.ts';
import { isPublicHost } from './public-host.ts';

/**
 * Checks where a link shall lead and gives the form that is stored: the parsed URL's `href`.
 *
 * That it is not a short domain of the service, and not blocked, is checked apart, since it needs a look-up: `shortDomainError`,
 * `blockedError`.
 *
 * @throws RuleError `destination_invalid`, `destination_scheme`, `destination_credentials`, `destination_too_long`,
 *   `destination_private`
 */
export function parseDestination(text: string): string {
  const url = parseHttpUrl(text, 'destination');
  if (!isPublicHost(canonicalHost(url.hostname))) {
    throw new RuleError('destination_private', 'must point to a public address or a name under a top-level domain such as .com');
  }
  return url.href;
}

/** The host of a stored destination, as domains are looked up and hosts are blocked. */
export const destinationHost = (href: string): string => canonicalHost(new URL(href).hostname);

/** Links to links could go round in circles, and would hide a destination from its checks. */
export const shortDomainError = () =>
  new RuleError('destination_short_domain', 'must not point to a short domain of this service');

/** What the operator has blocked: each host with when it was, in ISO 8601. */
export type BlockedHosts = ReadonlyMap<string, string>;

export const blockedError = () =>
  new RuleError('destination_blocked', 'must not point to a host that is blocked on this service');

/** The blocked host that keeps a host from being led to: itself, or a domain that it is under. Takes a canonical host. */
export function blockedBy(host: string, blocked: BlockedHosts): string | undefined {
  let name = host;
  while (!blocked.has(name)) {
    const dot = name.indexOf('.');
    if (dot < 0) return undefined;
    name = name.slice(dot + 1);
  }
  return name;
}

/**
 * A host as a person may write it, in the form in which destinations have it: a domain name of at least two labels, since one
 * label is all of a top-level domain, or an address, of IPv6 with or without brackets.
 *
 * @returns undefined where the text is no such host, or is more than a host.
 */
export function parseHostToBlock(text: string): string | undefined {
  const written = isIP(text) === 6 ? `[${text}]` : text;
  // A scheme, a port or a path would be passed over, as if all of it were blocked.
  if (!/^(\[[\da-f:.]+\]|[^:/\\?#@]+)$/i.test(written)) return undefined;
  try {
    const host = destinationHost(parseHttpUrl(`http://${written}/`, 'destination').href);
    return host.length <= 253 && /[.:]/.test(host) ? host : undefined;
  } catch (error) {
    if (error instanceof RuleError) return undefined;
    throw error;
  }
}
