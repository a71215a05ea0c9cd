import { hash } from 'node:crypto';
import type { Agent } from '../visitor/user-agent.ts';

/** One of several destinations among which a link's visitors are divided. */
export type Variant = {
  readonly id: string;
  readonly url: string;
  /** A whole number. A variant gets its share of the sum of all weights, and no visitors if it is 0. */
  readonly weight: number;
};

/** The parts of a link that decide on variants. */
type VariedLink = { readonly id: string; readonly creationMark: string; readonly variants: readonly Variant[] };

/** What identifies a visitor. */
export type VariedVisit = { readonly sourceIp: string; readonly agent: Pick<Agent, 'userAgent'> };

/**
 * The variant of a visitor; undefined if the link has none. The same visitor always gets the same one, and nothing is
 * stored. If weights change, as few visitors as possible move.
 *
 * Each variant draws a number for the visitor, weighted so that its chance of drawing the highest is its share of the
 * weights (weighted rendezvous hashing: Schindelhauer and Schomaker, "Weighted Distributed Hash Tables", 2005,
 * https://doi.org/10.1145/1073970.1074008). The numbers follow from a hash of the link's id, the visitor's address and
 * the user agent, and of a secret: the link's creation mark, which is random, and which only the link's workspace can
 * see. So nobody else can tell who gets which variant.
 */
export function variantFor(
  { id: linkId, creationMark, variants }: VariedLink,
  { sourceIp, agent: { userAgent } }: VariedVisit,
): Variant | undefined {
  if (variants.length === 0) return undefined;
  const visitor = sha256(JSON.stringify([creationMark, linkId, sourceIp, userAgent]));
  const drawn = variants.map((variant) => variant.weight / -Math.log(uniform(sha256(`${visitor}/${variant.id}`))));
  return variants[drawn.indexOf(Math.max(...drawn))];
}

/** A plain hash, not an HMAC: nobody sees the digests, so nobody can extend them. */
const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** A number above 0 and below 1. */
const uniform = (hex: string): number => (Number.parseInt(hex.slice(0, 12), 16) + 0.5) / 2 ** 48;
