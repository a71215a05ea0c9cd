import { RuleError } from './errors.ts';
import { tagNameLength } from './limits.ts';

/** A tag as the table has it. */
export type Tag = {
  readonly id: string;
  readonly name: string;
  /** `#rrggbb`, lower case. */
  readonly color: string;
  readonly createdAt: string;
  /** How many links carry it, exactly. */
  readonly linkCount: number;
  /** How often its name and colour were changed: says whether they still are as they were read. */
  readonly revision: number;
};

const tooLong = () => new RuleError('too_long', `must have at most ${tagNameLength} characters`);

/**
 * Checks a tag's name and gives it trimmed and in NFC: 1 to 64 letters, numbers, spaces, hyphens and underscores of any
 * script, combining marks included.
 *
 * @throws RuleError `invalid_tag_name`, `too_long`
 */
export function parseTagName(text: string): string {
  // Far more than 64 characters need in any normal form.
  if (text.length > 1024) throw tooLong();
  const name = text.normalize('NFC').trim();
  if (!/^[\p{L}\p{M}\p{N} _-]+$/u.test(name)) {
    throw new RuleError(
      'invalid_tag_name',
      'must not be empty, and must contain only letters, numbers, spaces, hyphens and underscores',
    );
  }
  // A few letters fold to many: the folded name has to fit into a sort key, which has at most 1,024 bytes.
  if ([...name].length > tagNameLength || Buffer.byteLength(foldTagName(name)) > 768) {
    throw tooLong();
  }
  return name;
}

/**
 * The form in which tag names are compared: NFKC without case. By way of upper case, for letters such as ß and ς, whose lower
 * case alone would not make them equal to SS and Σ; and of lower case before it, since ẞ has no other upper case.
 */
export const foldTagName = (name: string): string =>
  name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');

/** @throws RuleError `invalid_color` */
export function parseColor(text: string): string {
  if (!/^#[0-9A-Fa-f]{6}$/.test(text))
    throw new RuleError('invalid_color', 'must be # followed by 6 hexadecimal digits, such as #1a2b3c');
  return text.toLowerCase();
}

/** The tags by name as people sort, `a` beside `Ä`, 2 before 10; by id where names sort alike. */
export function sortByName(tags: readonly Tag[]): Tag[] {
  // Made here rather than once for all: it takes 2 ms of a function's start, of which only a list of tags has a use for it.
  const collator = new Intl.Collator('en', { numeric: true });
  return tags.toSorted((a, b) => collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
}
