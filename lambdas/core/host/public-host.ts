import { tlds } from '@hapi/tlds';
import { isIPv4, isIPv6, isWithin, type Network, networkNamed } from './ip-address.ts';

/**
 * Networks that are not reachable from the public internet
 * (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry).
 */
const special: readonly Network[] = /* @__PURE__ */ [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Teredo and other protocol assignments, documentation, and 6to4, which can embed any IPv4 address.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
].map(networkNamed);

/** Global unicast: everything else in IPv6 is local, mapped, translated or unassigned. */
const globalUnicast: Network = /* @__PURE__ */ networkNamed('2000::/3');

/**
 * Whether a host is this machine: a loopback address, `localhost`, or a name under it
 * (https://www.rfc-editor.org/rfc/rfc6761#section-6.3).
 *
 * @param host canonical; IPv6 in brackets.
 */
export const isLoopbackHost = (host: string): boolean => /^127(\.\d+){3}$|^\[::1\]$|(^|\.)localhost$/.test(host);

/**
 * Whether a host is a public IP address, or a name of at least two labels under a top-level domain of IANA's list
 * (https://data.iana.org/TLD/tlds-alpha-by-domain.txt, in the version of the package). Names of private networks are
 * not: `intranet`, `localhost6`, `nas.lan`, `x.internal` and `home.arpa` (RFC 8375).
 *
 * @param host canonical; IPv6 in brackets, IDN in ASCII.
 */
export function isPublicHost(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIPv4(address)) return !special.some((network) => isWithin(address, network));
  // No name has a colon.
  if (host.includes(':')) {
    return isIPv6(address) && isWithin(address, globalUnicast) && !special.some((network) => isWithin(address, network));
  }
  const dot = host.lastIndexOf('.');
  return dot > 0 && tlds.has(host.slice(dot + 1)) && !/(^|\.)home\.arpa$/.test(host);
}
