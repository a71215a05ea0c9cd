import type { Link } from '../link/link.ts';
import { foldSlug } from '../link/slug.ts';
import { type AddressDimension, none } from './click.ts';

/** The address at which a visitor reached a link. */
type Reached = {
  /** As it was sent. */
  readonly slug: string;
  /** What followed the slug, escaped as in a URL; undefined if nothing. */
  readonly behind?: string | undefined;
  /** The short link's own query, without the `?`. */
  readonly query: string;
};

/** How much is recorded of the path after a slug, and of a UTM parameter. Lengths are in characters. */
const pathSegments = 3;
const pathLength = 128;
const utmLength = 64;

/** What a click records of the address at which the link was reached. */
export function addressOf(
  { slug, behind, query }: Reached,
  link: Pick<Link, 'shortCode' | 'aliases'>,
): Record<AddressDimension, string> {
  const folded = foldSlug(slug);
  const parameters = query === '' ? undefined : new URLSearchParams(query);
  const utm = (name: string) => recordedUtm(parameters?.get(`utm_${name}`) ?? '');
  return {
    slug: [link.shortCode, ...link.aliases].find((own) => foldSlug(own) === folded) ?? folded,
    path: behind === undefined ? none : recordedPath(behind, decodeURIComponent),
    utmSource: utm('source'),
    utmMedium: utm('medium'),
    utmCampaign: utm('campaign'),
  };
}

/** A UTM parameter as clicks record it. Idempotent, because filters apply it to recorded values. */
export const recordedUtm = (text: string): string => cut(visible(text.toLowerCase()), utmLength).trim() || none;

/** The same for the first segments of a path, unescaped. @param decoded removes the escapes of a URL */
export const recordedPath = (text: string, decoded = (path: string) => path): string => {
  const segments = visible(decoded(text)).split('/').filter(Boolean).slice(0, pathSegments);
  return cut(segments.join('/'), pathLength).replace(/^[\s/]+|[\s/]+$/g, '') || none;
};

/**
 * A visitor's text without invisible characters. Most visits have no text, and the regular expression is slow to
 * compile.
 */
const visible = (text: string): string => (text === '' ? '' : text.replace(/[\p{Cc}\p{Cf}]/gu, ''));

/** A text of at most this many characters. A truncated one may end in a space or a slash. */
const cut = (text: string, length: number): string => [...text.trim()].slice(0, length).join('');
