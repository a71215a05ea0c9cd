import { parseDomainName } from '../host/host.ts';
import { trimmed } from '../invisible.ts';
import { leadsTo } from '../link/aliases.ts';
import type { Link } from '../link/link.ts';
import { type ReportedPlace, readReportedAddress } from '../report/reported-address.ts';
import { foldText } from '../text.ts';

type Searched = Pick<Link, 'domain' | 'shortCode' | 'aliases' | 'forwardPath' | 'url' | 'title' | 'notes'>;

/** Stands for any domain, because nobody can own it (RFC 6761, section 6.4). */
const anyDomain = 'any.invalid';

/**
 * What a search finds: links that have the text in a slug, an alias, the destination, the title or the notes, ignoring
 * case; links whose copied short URL it is; and all links of a domain if it is the domain's name or address.
 *
 * - A short URL may lack its scheme, or start with the slash before the slug. It may end in a slash, a query, a
 *   fragment, the suffix of a QR code or a preview, a path that the link takes, and whatever visits ignore
 *   (`otherPlaces`).
 * - URLs are compared in their stored form too, and other letters with the unescaped destination:
 *   `https://example.com/ä` and `ä` both find `https://example.com/%C3%A4`.
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

/** A URL with unescaped letters. */
const readable = (href: string): string =>
  href.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
