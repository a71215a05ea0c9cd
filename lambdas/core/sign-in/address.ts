import { createHash } from 'node:crypto';
import { networkOfOne } from '../host/ip-address.ts';

/**
 * The name under which attempts to sign in from an IP address are counted: 24 bits of a hash, which about 256 IPv4
 * addresses share, so that it doesn't identify one. Only the first 64 bits of an IPv6 address are used, because a
 * customer has all addresses that share them.
 */
export function addressName(sourceIp: string): string {
  return createHash('sha256')
    .update(`sign-in/${networkOfOne(sourceIp)}`)
    .digest('hex')
    .slice(0, 6);
}
