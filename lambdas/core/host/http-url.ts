import { RuleError } from '../errors.ts';
import { urlLength } from '../limits.ts';

/**
 * Parses an absolute URL by the rules of the web platform (https://url.spec.whatwg.org), but rejects what they would
 * repair: spaces and control characters. Credentials are rejected too, and more than 2,048 characters before or after
 * parsing.
 *
 * @param prefix the prefix of the error codes, such as `destination`.
 * @throws RuleError `<prefix>_invalid`, `<prefix>_scheme`, `<prefix>_credentials`, `<prefix>_too_long`
 */
export function parseHttpUrl(text: string, prefix: string, schemes: readonly string[] = ['http:', 'https:']): URL {
  const tooLong = () => new RuleError(`${prefix}_too_long`, `must have at most ${urlLength} characters`);
  if (text.length > urlLength) throw tooLong();
  // \s matches the spaces of all scripts, \p{Cc} control characters, \p{Cs} lone surrogates.
  if (/[\s\p{Cc}\p{Cs}]/u.test(text)) {
    throw new RuleError(`${prefix}_invalid`, 'must be a URL without spaces or control characters');
  }
  const url = URL.parse(text);
  if (!url) throw new RuleError(`${prefix}_invalid`, `must be an absolute URL, such as ${schemes.at(-1)}//example.com/page`);
  if (!schemes.includes(url.protocol)) {
    throw new RuleError(`${prefix}_scheme`, `must start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
  }
  // The standard accepts more than names may contain, such as empty labels, or a comma between two URLs.
  if (!/^([\w-]+(\.[\w-]+)*\.?|\[[\da-f:.]+\])$/.test(url.hostname)) {
    throw new RuleError(`${prefix}_invalid`, 'must have a domain name or an IP address as its host');
  }
  if (url.username || url.password) throw new RuleError(`${prefix}_credentials`, 'must not contain a user name or password');
  if (url.href.length > urlLength) throw tooLong();
  return url;
}
