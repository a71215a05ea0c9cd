import { parseDomainName } from '../host/host.ts';
import { trimmed } from '../invisible.ts';
import { leadsTo } from '../link/aliases.ts';
import type { Link } from '../link/link.ts';
import { type ReportedPlace, readReportedAddress } from '../report/reported-address.ts';
import { foldText } from '../text.ts';

type Searched = Pick<Link, 'domain' | 'shortCode' | 'aliases' | 'forwardPath' | 'url' | 'title' | 'notes'>;

/** Stands for whichever domain a link has: nobody can own it (RFC 6761, section 6.4). */
const anyDomain = 'any.invalid';

/**
 * What a search finds: links that have the text in a slug, an alias, the destination, the title or the notes, in whatever
 * case; links whose short URL the text is, as it was copied; and all links of a domain if the text is its name or address.
 *
 * - A short URL may lack its scheme, or its domain before a slash. It may end in a slash, in a query or a fragment, in what a
 *   QR code or a preview has behind the slug, in a path that the link takes, and in what visits ignore (`otherPlaces`).
 * - An address is also compared as the service writes it, and letters as people read them: `https://example.com/ä` and `ä`
 *   find `https://example.com/%C3%A4`.
 */
export function searchFor(text: string): (link: Searched) => boolean {
  const part = foldText(text);
  const typed = trimmed(text);
  const place = readReportedAddress(typed, anyDomain);
  const [, name] = /^(?:https?:\/\/)?([^/:?#\s]+)(?::\d+)?\/?$/i.exec(typed) ?? [];
  const domain = name === undefined ? undefined : parseDomainName(name);
  const href = /^https?:\/\//i.test(typed) ? URL.parse(typed)?.href.toLowerCase() : undefined;
  const isAscii = /^[\x20-\x7e]*$/.test(typed);
  return (link) =>
    link.domain === domain ||
    (place !== undefined && isAt(link, place)) ||
    (href !== undefined && link.url.toLowerCase().includes(href)) ||
    (!isAscii && foldText(readable(link.url)).includes(foldText(typed))) ||
    [link.shortCode, ...link.aliases, link.url, link.title ?? '', link.notes ?? ''].some((one) => foldText(one).includes(part));
}

const isAt = (link: Searched, { host, slug, others }: ReportedPlace): boolean =>
  [link.domain, anyDomain].includes(host) &&
  ((slug !== undefined && leadsTo(link, slug)) ||
    others.some((other) => (other.behind === undefined || link.forwardPath) && leadsTo(link, other.slug)));

/** A URL with the letters that it escapes. */
const readable = (href: string): string =>
  href.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
