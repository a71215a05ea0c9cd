import { createHash } from 'node:crypto';
import { networkOfOne } from '../host/ip-address.ts';

/**
 * The name under which attempts to sign in from an address are counted: 24 bits of a hash, which 256 addresses of IPv4
 * share, so that it does not say which one it was. Of IPv6, the first 64 bits count, because one customer has all the rest.
 */
export function addressName(sourceIp: string): string {
  return createHash('sha256')
    .update(`sign-in/${networkOfOne(sourceIp)}`)
    .digest('hex')
    .slice(0, 6);
}
