import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { toBase62 } from './base62.ts';
import type { Link } from './link.ts';

/** How many wrong passwords are taken in any 15 minutes: of one visitor on one link, and of all visitors on one link. */
export const attemptLimits = { ofVisitor: 10, ofAll: 100, windowSeconds: 15 * 60 } as const;

/**
 * The name under which a visitor's attempts on a link are counted: no address is kept. Keyed with the hash of the link's password, so that
 * nobody can find the address by trying them all.
 *
 * @param sourceIp as the gateway saw it. Of IPv6, the first 64 bits: one customer has all the rest.
 */
export function visitorName(link: Link, sourceIp: string): string {
  const network = isIPv6(sourceIp) ? firstHalf(sourceIp) : sourceIp;
  const hash = createHmac('sha256', link.passwordHash ?? '')
    .update(`visitor/${link.id}/${network}`)
    .digest();
  return toBase62(hash.subarray(0, 16), 22);
}

/** The first four groups of an IPv6 address in its canonical form. */
function firstHalf(address: string): string {
  const host = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  return [...groups, ...Array<string>(missing).fill('0'), ...(tail ? tail.split(':') : [])].slice(0, 4).join(':');
}
