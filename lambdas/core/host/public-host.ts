import { BlockList, isIP } from 'node:net';
import { tlds } from '@hapi/tlds';

/**
 * Addresses that are not reachable from the public internet
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
  // Teredo and other protocol assignments, documentation, and 6to4, which can embed any IPv4 address.
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
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4');
    case 6:
      return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
    default: {
      const dot = host.lastIndexOf('.');
      return dot > 0 && tlds.has(host.slice(dot + 1)) && !/(^|\.)home\.arpa$/.test(host);
    }
  }
}
