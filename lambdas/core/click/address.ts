import type { Link } from '../link/link.ts';
import { foldSlug } from '../link/slug.ts';
import { type AddressDimension, none } from './click.ts';

/** By which address a visitor reached a link. */
type Reached = {
  /** As it was sent. */
  readonly slug: string;
  /** What followed the slug, escaped as in a URL; undefined if nothing. */
  readonly behind?: string | undefined;
  /** That of the short link, without the `?`. */
  readonly query: string;
};

/** How much of what follows a slug is recorded, and of a UTM parameter, in characters. */
const pathSegments = 3;
const pathLength = 128;
const utmLength = 64;

/** What a click records of the address by which the link was reached. */
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

/** A UTM parameter as clicks record it. */
export const recordedUtm = (text: string): string => cleaned(text.toLowerCase(), utmLength);

/** The first segments of a path as clicks record them: as people write them. @param decoded removes the escapes of a URL */
export const recordedPath = (text: string, decoded = (segments: string) => segments): string =>
  cleaned(decoded(text.split('/').filter(Boolean).slice(0, pathSegments).join('/')), pathLength);

/** A text of a visitor without what nobody sees, cut at a length; `none` if nothing is left. */
function cleaned(text: string, length: number): string {
  // Most visits have no such text, and this takes a moment to make.
  const visible = text === '' ? '' : text.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return [...visible].slice(0, length).join('') || none;
}
