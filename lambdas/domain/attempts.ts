import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { toBase62 } from './base62.ts';
import type { Link } from './link.ts';

/** At most so many in any so many seconds. */
export type AttemptLimit = { readonly limit: number; readonly windowSeconds: number };

/** How many wrong passwords of one visitor are looked at on one link. */
export const visitorLimit: AttemptLimit = { limit: 10, windowSeconds: 15 * 60 };

/**
 * How many wrong passwords of all visitors together are looked at on one link that are a visitor's first, second, third … within 15
 * minutes. The more often somebody has guessed, the longer is the time for as many: guesses slow down. Those who have not guessed yet
 * have to do with each other alone, so that nobody who goes on guessing keeps them out. All of them together are at most 360 in any 15 minutes.
 *
 * @param guess from 1.
 */
export const sharedLimit = (guess: number): AttemptLimit => ({
  limit: 20,
  windowSeconds: Math.min(visitorLimit.windowSeconds, 3 * 60 * guess),
});

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
