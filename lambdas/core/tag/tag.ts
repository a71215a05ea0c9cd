import { RuleError } from '../errors.ts';
import { tagNameLength } from '../limits.ts';

/** A tag as stored in the table. */
export type Tag = {
  readonly id: string;
  readonly name: string;
  /** `#rrggbb`, lower case. */
  readonly color: string;
  readonly createdAt: string;
  /** The exact number of links that have it. */
  readonly linkCount: number;
  /** How often its name or colour was changed, to detect concurrent changes. */
  readonly revision: number;
};

const tooLong = () => new RuleError('too_long', `must have at most ${tagNameLength} characters`);

/**
 * Validates a tag's name and returns it trimmed and in NFC: 1 to `tagNameLength` letters, numbers, spaces, hyphens and
 * underscores of any script, including combining marks.
 *
 * @throws RuleError `invalid_tag_name`, `too_long`
 */
export function parseTagName(text: string): string {
  // Far more than `tagNameLength` characters in any normal form. Longer texts are not worth normalising.
  if (text.length > 1024) throw tooLong();
  const name = text.normalize('NFC').trim();
  if (!/^[\p{L}\p{M}\p{N} _-]+$/u.test(name)) {
    throw new RuleError(
      'invalid_tag_name',
      'must not be empty, and must contain only letters, numbers, spaces, hyphens and underscores',
    );
  }
  if ([...name].length > tagNameLength || !fitsIntoKey(name)) throw tooLong();
  return name;
}

/** Whether a folded name fits into a sort key, which has at most 1,024 bytes. Some letters fold to several. */
export const fitsIntoKey = (name: string): boolean => new TextEncoder().encode(foldTagName(name)).length <= 768;

/**
 * The form in which tag names are compared: NFKC without case. The detour through upper case makes ß equal to SS and ς
 * equal to Σ, which lower case alone does not. Lower case comes first because ẞ has no other upper case.
 */
export const foldTagName = (name: string): string =>
  name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');

/** @throws RuleError `invalid_color` */
export function parseColor(text: string): string {
  if (!/^#[0-9A-Fa-f]{6}$/.test(text))
    throw new RuleError('invalid_color', 'must be # followed by 6 hexadecimal digits, such as #1a2b3c');
  return text.toLowerCase();
}
