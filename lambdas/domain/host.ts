import { isIP } from 'node:net';

/** The form in which hosts are compared and stored: a parsed URL's `hostname` without a trailing dot. */
export const canonicalHost = (hostname: string): string => hostname.replace(/\.$/, '');

/**
 * Converts a domain name as a person may write it to its canonical form: lower case, ASCII (IDNA), no trailing dot.
 *
 * @returns undefined if the text isn't a domain name of at least two labels.
 */
export function parseDomainName(text: string): string | undefined {
  if (text.length > 255 || /[^\p{L}\p{M}\p{N}.-]/u.test(text)) return undefined;
  const url = URL.parse(`http://${text}/`);
  if (!url) return undefined;
  const host = canonicalHost(url.hostname);
  const labels = host.split('.');
  const isName =
    host.length <= 253 &&
    labels.length >= 2 &&
    isIP(host) === 0 &&
    labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label));
  return isName ? host : undefined;
}
