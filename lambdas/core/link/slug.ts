import { RuleError } from '../errors.ts';
import { slugLength } from '../limits.ts';

/** First path segments that the service uses itself. Names with a dot are not listed, because they cannot be slugs. */
const reserved: ReadonlySet<string> = new Set(['api', 'ping', 'sping']);

/** The form in which slugs are compared, which ignores case. */
export const foldSlug = (slug: string): string => slug.toLowerCase();

/**
 * The shape of a slug, as a part of regular expressions. openapi.json has it too, so it must mean the same in RE2 and in
 * Python.
 */
export const slugPattern = `[A-Za-z0-9_-]{1,${slugLength}}`;

const whole = (pattern: string) => new RegExp(`^${pattern}$`);
// The redirect's bundle has this module, but needs no whole slug.
const wholeSlug = /* @__PURE__ */ whole(slugPattern);

/**
 * Whether the text has the shape of a slug. Check this before `foldSlug`, which maps some other letters to ASCII ones.
 */
export const isSlug = (text: string): boolean => wholeSlug.test(text);

/**
 * Validates a custom slug and returns it unchanged: the shape of `slugPattern`, and not reserved.
 *
 * @throws RuleError `slug_invalid`, `slug_reserved`
 */
export function checkSlug(slug: string): string {
  if (!isSlug(slug)) {
    throw new RuleError('slug_invalid', `must have 1 to ${slugLength} characters: only A-Z, a-z, 0-9, "-" and "_"`);
  }
  if (reserved.has(foldSlug(slug))) throw new RuleError('slug_reserved', 'is reserved by the service');
  return slug;
}
