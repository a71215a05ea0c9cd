import { isIP } from 'node:net';

/** The host as it is compared and stored: of a parsed URL's `hostname`, without the dot that ends a full name. */
export const canonicalHost = (hostname: string): string => hostname.replace(/\.$/, '');

/**
 * The canonical form of a domain name as a person may write it: lower case, in ASCII (IDNA), without a trailing dot.
 *
 * @returns undefined where the text is not a domain name of at least two labels.
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
