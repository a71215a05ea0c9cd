import { createHmac } from 'node:crypto';
import { pickUniformly } from '../base62.ts';

/** Lower-case letters and digits without look-alikes (0 o, 1 l i). */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const madeLength = 7;

/**
 * Generates a slug of 7 characters. It depends only on the arguments, so a function that takes over an import gets the
 * same slugs. Over random salts, all slugs are equally likely.
 */
export function makeSlug(salt: string, index: number, attempt: number): string {
  let block = 0;
  return pickUniformly(alphabet, madeLength, () =>
    createHmac('sha256', salt).update(`slug/${index}/${attempt}/${block++}`).digest(),
  );
}
