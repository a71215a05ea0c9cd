import { RuleError } from '../errors.ts';
import { slugLength } from '../limits.ts';

/** First parts of paths that the service serves itself. */
const reserved: ReadonlySet<string> = new Set(['api', 'ping', 'sping', 'robots.txt', 'favicon.ico']);

/** The form in which slugs are compared, which ignores case. */
export const foldSlug = (slug: string): string => slug.toLowerCase();

/**
 * The shape of a slug, apart from its length: parts with a slash between them. openapi.json has it too, so it must mean
 * the same in RE2 and in Python. Some texts of this shape aren't slugs: see `isSlug`.
 */
export const slugPattern = '[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*';

const shape = /* @__PURE__ */ new RegExp(`^${slugPattern}$`);

/**
 * Parts with another meaning in a path: `.` and `..`, which browsers resolve; `.well-known`; and at the end, the
 * suffixes of a link's QR code and of its image.
 */
const otherMeaning = /(?:^|\/)(?:\.{1,2}(?:\/|$)|\.well-known)|\.(?:q|svg)$/i;

/** Whether the text is a slug. Check this before `foldSlug`, which maps some other letters to ASCII ones. */
export const isSlug = (text: string): boolean => text.length <= slugLength && shape.test(text) && !otherMeaning.test(text);

/**
 * Validates a custom slug and returns it unchanged: it is a slug, and its first part is not reserved.
 *
 * @throws RuleError `slug_invalid`, `slug_reserved`
 */
export function checkSlug(slug: string): string {
  if (slug.length > slugLength || !shape.test(slug)) {
    throw new RuleError(
      'slug_invalid',
      `must have 1 to ${slugLength} characters: only A-Z, a-z, 0-9, "-", "_" and ".", and single slashes between them`,
    );
  }
  if (otherMeaning.test(slug)) {
    throw new RuleError(
      'slug_invalid',
      'must not end in ".q" or ".svg", and have no part that is "." or ".." or begins with ".well-known"',
    );
  }
  if (reserved.has(foldSlug(slug).split('/')[0] ?? '')) throw new RuleError('slug_reserved', 'is reserved by the service');
  return slug;
}
