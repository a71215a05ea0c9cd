import { RuleError } from '../errors.ts';
import { keyNameLength } from '../limits.ts';
import { checkText } from '../text.ts';

/**
 * The name of an API key or a workspace, trimmed.
 *
 * @throws RuleError `too_short`, `invalid_text`, `too_long`
 */
export function parseKeyName(text: string): string {
  const name = text.trim();
  if (name === '') throw new RuleError('too_short', 'must not be empty');
  if (/\p{Cc}/u.test(name)) throw new RuleError('invalid_text', 'must not have control characters');
  return checkText(name, keyNameLength);
}
