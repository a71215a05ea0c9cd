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
  return isDomainName(host) ? host : undefined;
}

/**
 * Whether the host of a parsed URL is a domain name of at least two labels, and not an address. The last label of a
 * name isn't a number: a URL with such a host has an IPv4 address, or is invalid
 * (https://url.spec.whatwg.org/#ends-in-a-number-checker).
 */
export function isDomainName(host: string): boolean {
  if (host.length > 253) return false;
  const labels = host.split('.');
  return (
    labels.length >= 2 &&
    labels.every((label) => /^(?!-)[a-z0-9-]{1,63}(?<!-)$/.test(label)) &&
    !/^[0-9]+$/.test(labels.at(-1) ?? '')
  );
}
