import { createHmac } from 'node:crypto';
import { toBase62 } from '../base62.ts';
import { networkOfOne } from '../host/ip-address.ts';
import type { RateLimit } from '../limits.ts';
import type { Link } from '../link/link.ts';

/** How many wrong passwords one visitor may send to one link. */
export const visitorLimit: RateLimit = { quota: 10, windowSeconds: 15 * 60 };

/**
 * How many wrong passwords all visitors together may send to one link, counted separately for each visitor's first,
 * second, third, … guess within 15 minutes.
 *
 * The window grows with each guess, so repeated guesses slow down. Visitors who have not guessed yet share a limit only
 * with each other, so persistent guessers cannot lock them out. In total, at most 360 guesses fit into any 15 minutes.
 *
 * @param guess the number of the visitor's guess, from 1.
 */
export const sharedLimit = (guess: number): RateLimit => ({
  quota: 20,
  windowSeconds: Math.min(visitorLimit.windowSeconds, 3 * 60 * guess),
});

/**
 * The name under which a visitor's attempts on a link are counted, so that no IP address is stored. The hash is keyed
 * with that of the link's password, so the address cannot be found by trying all addresses.
 *
 * @param sourceIp as the gateway saw it. Only the first 64 bits of IPv6 are used: see `networkOfOne`.
 */
export const visitorName = (link: Link, sourceIp: string): string => guesserName(link, networkOfOne(sourceIp));

/** The same for other guessers. @param guesser not an IP address */
export function guesserName(link: Link, guesser: string): string {
  const hash = createHmac('sha256', link.passwordHash ?? '')
    .update(`visitor/${link.id}/${guesser}`)
    .digest('hex');
  return toBase62(hash.slice(0, 32), 22);
}
