import { createHmac } from 'node:crypto';
import { pickUniformly } from './base62.ts';
import { RuleError } from './errors.ts';

/** Lower-case letters and digits without those that are easily taken for another (0 o, 1 l i). */
const alphabet = '23456789abcdefghjkmnpqrstuvwxyz';
const madeLength = 7;

/** First segments of paths that the service serves itself. Names with a dot cannot be slugs, so they are safe as they are. */
const reserved: ReadonlySet<string> = new Set(['api', 'ping', 'sping']);

/** Slugs are matched without regard to case: the form in which they are compared. */
export const foldSlug = (slug: string): string => slug.toLowerCase();

/** Whether a link can have that slug. Asked before a slug is folded: folding could make a letter of another script look like one of ours. */
export const isSlug = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/**
 * Checks a custom slug and gives it back as it is: 1 to 64 of `A-Z a-z 0-9 - _`, not reserved.
 *
 * @throws RuleError `slug_invalid`, `slug_reserved`
 */
export function checkSlug(slug: string): string {
  if (!isSlug(slug)) {
    throw new RuleError('slug_invalid', 'must have 1 to 64 characters: only A-Z, a-z, 0-9, "-" and "_"');
  }
  if (reserved.has(foldSlug(slug))) throw new RuleError('slug_reserved', 'is reserved by the service');
  return slug;
}

/**
 * A slug of 7 characters that follows from its arguments alone, each slug equally likely over random salts: who takes an
 * import over finds the slugs that it was given before.
 */
export function makeSlug(salt: string, index: number, attempt: number): string {
  let block = 0;
  return pickUniformly(alphabet, madeLength, () =>
    createHmac('sha256', salt).update(`slug/${index}/${attempt}/${block++}`).digest(),
  );
}
