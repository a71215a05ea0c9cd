import fc from 'fast-check';

const topLevel = fc.constantFrom('com', 'org', 'io', 'museum', 'xn--p1ai');

/** A domain name that the public DNS could have. */
export const publicDomain = fc.tuple(fc.domain(), topLevel).map(([domain, tld]) => domain.replace(/[^.]+$/, tld));

/** A URL whose host the public DNS could have. */
export const publicUrl = (constraints: fc.WebUrlConstraints = {}) =>
  fc
    .tuple(fc.webUrl(constraints), topLevel)
    .map(([url, tld]) => url.replace(/(?<=^https?:\/\/[^/?#]*\.)[^./?#]+(?=[/?#]|$)/, tld));
