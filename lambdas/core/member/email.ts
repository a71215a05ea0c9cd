import { RuleError } from '../errors.ts';
import { emailLength } from '../limits.ts';

/**
 * An email address, trimmed. Only its shape is checked, because only its owner can prove that it works.
 *
 * @throws RuleError `invalid_email`, `too_long`
 */
export function parseEmail(text: string): string {
  const email = text.trim();
  if (email.length > emailLength) throw new RuleError('too_long', `must have at most ${emailLength} characters`);
  if (!/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email) || !email.isWellFormed()) {
    throw new RuleError('invalid_email', 'must be an email address, such as ada@example.com');
  }
  return email;
}

/**
 * Whether two addresses are the same. Providers treat the case of A to Z as the same, although the standard does not.
 * Other letters are not folded: the Kelvin sign would become a k.
 */
export const isSameEmail = (one: string, other: string): boolean => folded(one) === folded(other);

const folded = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
