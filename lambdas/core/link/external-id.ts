import { RuleError } from '../errors.ts';
import { externalIdLength } from '../limits.ts';

/** The shape of an external id, for openapi.json too. */
export const externalIdPattern = `^[A-Za-z0-9._~:-]{1,${externalIdLength}}$`;

const externalId = new RegExp(externalIdPattern);

/** Whether the text can be an external id. */
export const isExternalId = (text: string): boolean => text !== '.' && text !== '..' && externalId.test(text);

/**
 * The id that a client's own system gives to a link. Its characters need no escape in a path, except the colon, which
 * needs none either (RFC 3986, section 3.3). A path cannot end with `.` or `..`: clients remove those (section 5.2.4).
 *
 * @throws RuleError
 */
export function parseExternalId(text: string): string {
  if (text === '.' || text === '..') throw new RuleError('invalid_external_id', 'must not be "." or ".."');
  if (isExternalId(text)) return text;
  const message = `must be 1 to ${externalIdLength} letters, digits and characters of "._~:-"`;
  throw new RuleError('invalid_external_id', message);
}
