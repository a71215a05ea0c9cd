import { RuleError } from './errors.ts';

/**
 * Validates a text of at most `max` code points: well-formed Unicode without NUL.
 *
 * @throws RuleError `invalid_text`, `too_long`
 */
export function checkText(text: string, max: number): string {
  if (!text.isWellFormed() || text.includes('\0')) {
    throw new RuleError('invalid_text', 'must be valid Unicode without NUL characters');
  }
  // A code point has at most two units, so very long texts are refused without counting.
  if (text.length > 2 * max || [...text].length > max) throw new RuleError('too_long', `must have at most ${max} characters`);
  return text;
}

/** The form in which texts are searched: NFKC in lower case. */
export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The text with its first letter in upper case. */
export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
