import { BlockList, isIP } from 'node:net';

/**
 * Addresses that are not to be reached from the public internet
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry).
 */
const special = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  special.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  // Teredo and other protocol assignments, documentation, and 6to4, which carries any IPv4 address.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(network, prefix, 'ipv6');
}

/** Global unicast: everything else in IPv6 is local, mapped, translated or unassigned. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** The host as it is compared and stored: of a parsed URL's `hostname`, without the dot that ends a full name. */
export const canonicalHost = (hostname: string): string => hostname.replace(/\.$/, '');

/**
 * True where a host is a public address, or a name that may lead to one: not one under `localhost` (RFC 6761), `local` (RFC 6762),
 * `home.arpa` (RFC 8375) or `internal` (reserved by ICANN). Takes a canonical host; IPv6 in brackets.
 */
export function isPublicHost(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default:
      return !/(^|\.)(localhost|local|internal|home\.arpa)$/.test(host);
  }
}

/**
 * The canonical form of a domain name as a person may write it: lower case, in ASCII (IDNA), without a trailing dot.
 *
 * @returns undefined where the text is not a domain name of at least two labels.
 */
export function parseDomainName(text: string): string | undefined {
  if (text.length > 255 || /[^\p{L}\p{M}\p{N}.-]/u.test(text)) return undefined;
  const url = URL.parse(`http://${text}/`);
  if (!url) return undefined;
  const host = canonicalHost(url.hostname);
  const labels = host.split('.');
  const isName =
    host.length <= 253 &&
    labels.length >= 2 &&
    isIP(host) === 0 &&
    labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label));
  return isName ? host : undefined;
}
