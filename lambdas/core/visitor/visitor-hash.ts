import { createHmac } from 'node:crypto';
import { toBase62 } from '../base62.ts';
import type { Agent } from './user-agent.ts';

/** The parts of a visit that identify its visitor. */
type Visit = { readonly sourceIp: string; readonly agent: Pick<Agent, 'userAgent'> };

/**
 * Identifies a visitor of a link on a day: 128 bits of an HMAC of the address, the user agent and the link. Without the
 * secret, nobody can find the address by trying all addresses, or connect the visitors of two links or two days.
 *
 * Of a hundred million visitors of a link on a day, two share a hash with a probability of 1 in 10^22.
 *
 * @param secret of the day.
 */
export function visitorHash(secret: string, linkId: string, { sourceIp, agent: { userAgent } }: Visit): string {
  const hash = createHmac('sha256', secret)
    .update(JSON.stringify([linkId, sourceIp, userAgent]))
    .digest('hex');
  return toBase62(hash.slice(0, 32), 22);
}
