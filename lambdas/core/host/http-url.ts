import { RuleError } from '../errors.ts';
import { invisibleIn } from '../invisible.ts';
import { urlLength } from '../limits.ts';

type Allowed = {
  readonly schemes?: readonly string[];
  /** The most characters, before and after parsing. */
  readonly most?: number;
};

/**
 * Parses an absolute URL by the rules of the web platform (https://url.spec.whatwg.org), but rejects what they would
 * repair or escape, so that the URL would lead nowhere: spaces, control characters and invisible ones, and U+FFFD,
 * which stands for a character that was lost (RFC 3987, section 2.2, `ucschar`, and section 4.1). Existing escapes
 * stay. Credentials are rejected too.
 *
 * @param prefix the prefix of the error codes, such as `destination`.
 * @throws RuleError `<prefix>_invalid`, `<prefix>_scheme`, `<prefix>_credentials`, `<prefix>_too_long`
 */
export function parseHttpUrl(
  text: string,
  prefix: string,
  { schemes = ['http:', 'https:'], most = urlLength }: Allowed = {},
): URL {
  const tooLong = () => new RuleError(`${prefix}_too_long`, `must have at most ${most} characters`);
  if (text.length > most) throw tooLong();
  const invalid = (rule: string) => new RuleError(`${prefix}_invalid`, rule);
  const hidden = invisibleIn(text);
  if (hidden) throw invalid(`must not have the invisible character ${hidden}`);
  // \s matches the spaces of all scripts, \p{Cc} control characters, \p{Cs} lone surrogates.
  if (/[\s\p{Cc}\p{Cs}]/u.test(text)) throw invalid('must be a URL without spaces or control characters');
  if (text.includes('\ufffd')) throw invalid('must be a URL without U+FFFD, which stands for a character that was lost');
  const url = URL.parse(text);
  if (!url) throw invalid(`must be an absolute URL, such as ${schemes.at(-1)}//example.com/page`);
  if (!schemes.includes(url.protocol)) {
    throw new RuleError(`${prefix}_scheme`, `must start with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`);
  }
  // The standard accepts more than names may contain, such as empty labels, or a comma between two URLs.
  if (!/^([\w-]+(\.[\w-]+)*\.?|\[[\da-f:.]+\])$/.test(url.hostname)) {
    throw invalid('must have a domain name or an IP address as its host');
  }
  if (url.username || url.password) throw new RuleError(`${prefix}_credentials`, 'must not contain a user name or password');
  if (url.href.length > most) throw tooLong();
  return url;
}
