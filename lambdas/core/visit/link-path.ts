import { partsBeforePath } from '../limits.ts';
import { isSlug } from '../link/slug.ts';

/** What a path asks for, if a link can be there. */
export type LinkPath = {
  readonly slug: string;
  /** `/{slug}+`, which shows where the link leads. */
  readonly isPreview: boolean;
  /** `/{slug}.svg`, an image of the link's QR code. */
  readonly isCode: boolean;
  /** `/{slug}.q`, which a QR code contains. A code may be in capital letters throughout, because that makes it smaller. */
  readonly isScan: boolean;
};

/**
 * Reads the path of a visit, as the gateway has decoded it: nothing is decoded again. One slash at its end is ignored.
 * The table in test/data/paths.csv shows what becomes of which path.
 *
 * @returns undefined if no link can be there.
 */
export function readLinkPath(path: string): LinkPath | undefined {
  const [, slug = '', suffix] = /^\/([^+]+?)(\+|\.[qQ]|\.svg)?\/?$/.exec(path) ?? [];
  if (!isSlug(slug)) return undefined;
  return { slug, isPreview: suffix === '+', isCode: suffix === '.svg', isScan: suffix?.toLowerCase() === '.q' };
}

/** A link's address at which a path may be meant, if no link is at the path itself. */
export type OtherPlace = LinkPath & {
  /** The path of that address. */
  readonly path: string;
  /**
   * What is behind the slug, without a slash at its start, and escaped as in a URL: only a link with `forwardPath` is
   * meant then. Undefined if nothing is.
   */
  readonly behind?: string;
  /** What the path has of a query, escaped as in a URL. Undefined if nothing. */
  readonly query?: string;
};

/**
 * Where the link of a path may be if there is none at the path itself, in the order in which the first counts:
 *
 * 1. A link that takes the rest of the path, the longest slug first.
 * 2. What is before the first `&`, if the path has one. Instagram and others append parameters to whatever has no `?`.
 *    The same applies to a `?` that was escaped twice.
 * 3. If `mayTrim`, that without the punctuation at its end, which chats and mail programs include in an address.
 */
export function otherPlaces(path: string, mayTrim: boolean): readonly OtherPlace[] {
  const at = path.search(/[&?]/);
  const before = at < 0 ? path : path.slice(0, at);
  const query =
    at < 0
      ? {}
      : {
          query: path
            .slice(at + 1)
            .split('/')
            .map(escaped)
            .join('/'),
        };
  const addresses = [...(at < 0 ? [] : [before]), ...(mayTrim ? withoutEnd(before) : [])];
  return [
    // Whatever such a path ends in, it is neither scanned nor a preview.
    ...pathsBehind(path).map((place) => ({ ...place, path, isPreview: false, isCode: false, isScan: false })),
    ...addresses.flatMap((address) => {
      const read = readLinkPath(address);
      return read ? [{ ...read, path: address, ...query }] : [];
    }),
  ];
}

/**
 * The path without what belongs to no address at its end: punctuation, symbols, spaces, and what nobody sees, like U+200B.
 * `-` and `_` stay, because slugs have them like letters, and so does `+`, which asks for the preview.
 *
 * @returns none if nothing is left out, or if the path ends in `.` or `..`, which name other places.
 */
function withoutEnd(path: string): readonly string[] {
  if (/\/\.{1,2}\/?$/.test(path)) return [];
  const whole = path.replace(/\/$/, '');
  // Here, because it takes a millisecond to make.
  const [kept = ''] = /^.*[[\p{L}\p{N}\-_+\/]--\p{Default_Ignorable_Code_Point}]/sv.exec(whole) ?? [];
  return kept === whole ? [] : [kept];
}

/** A slug at the start of a path, and what is behind it. */
export type PathBehind = {
  readonly slug: string;
  /** Without a slash at its start, and escaped as in a URL. */
  readonly behind: string;
};

/**
 * The slugs of 1 to 4 parts that a path may have in front of a path of its own, the longest first. A link at one of them
 * takes the path if it has `forwardPath`.
 *
 * @returns none if the rest has an empty part, except at its end, or one that a browser or a server may take for
 *   something else: `.`, `..`, a backslash, or one of these before a `;`, after which some servers read parameters. So the
 *   rest cannot lead out of the destination's path.
 */
export function pathsBehind(path: string): readonly PathBehind[] {
  const [before, ...parts] = path.split('/');
  const named = parts.at(-1) === '' ? parts.slice(0, -1) : parts;
  if (before !== '' || named.some((part) => ['', '.', '..'].includes(part.split(';', 1)[0] ?? '') || part.includes('\\')))
    return [];
  const most = Math.min(partsBeforePath, named.length - 1);
  return Array.from({ length: Math.max(0, most) }, (_, index) => most - index).flatMap((count) => {
    const slug = parts.slice(0, count).join('/');
    return isSlug(slug) ? { slug, behind: parts.slice(count).map(escaped).join('/') } : [];
  });
}

/** A part of a path as in a URL. What RFC 3986 allows in one stays as it is (section 3.3). */
const escaped = (part: string): string =>
  encodeURIComponent(part.toWellFormed()).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
