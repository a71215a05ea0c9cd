import { partsBeforePath } from '../limits.ts';
import { isSlug } from '../link/slug.ts';

/** What a path asks for, if a link can be there. */
export type LinkPath = {
  readonly slug: string;
  /** `/{slug}+`, which shows where the link leads. */
  readonly isPreview: boolean;
  /** `/{slug}.svg`, an image of the link's QR code. */
  readonly isCode: boolean;
  /**
   * `/{slug}.q`, which a QR code contains. A code may be in capital letters throughout, because that makes it smaller.
   */
  readonly isScan: boolean;
};

/**
 * Reads the path of a visit, as the gateway has decoded it: nothing is decoded again. One slash at its end is ignored.
 * test/data/paths.csv lists examples with their results.
 *
 * @returns undefined if no link can be there.
 */
export function readLinkPath(path: string): LinkPath | undefined {
  const [, slug = '', suffix] = /^\/([^+]+?)(\+|\.[qQ]|\.svg)?\/?$/.exec(path) ?? [];
  if (!isSlug(slug)) return undefined;
  return { slug, isPreview: suffix === '+', isCode: suffix === '.svg', isScan: suffix?.toLowerCase() === '.q' };
}

/** Another place where a path's link may be, if there is none at the path itself. */
export type OtherPlace = LinkPath & {
  /** The path of that place. */
  readonly path: string;
  /**
   * The rest of the path after the slug, without a slash at its start, and escaped as in a URL: only a link with
   * `forwardPath` takes it. Undefined if there is none.
   */
  readonly behind?: string;
  /** The query that is part of the path, escaped as in a URL. Undefined if there is none. */
  readonly query?: string;
};

/**
 * Where the link of a path may be if there is none at the path itself. The first match wins:
 *
 * 1. A link that takes the rest of the path, the longest slug first.
 * 2. The path before the first `&`. Instagram and others append parameters with `&` to addresses without a `?`. The
 *    same applies to a `?` that was escaped twice.
 * 3. If `mayTrim`, that path without punctuation at its end, which chats and mail programs include in an address.
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
    // Suffixes such as `+` and `.q` have no meaning at the end of such a path.
    ...pathsBehind(path).map((place) => ({ ...place, path, isPreview: false, isCode: false, isScan: false })),
    ...addresses.flatMap((address) => {
      const read = readLinkPath(address);
      return read ? [{ ...read, path: address, ...query }] : [];
    }),
  ];
}

/**
 * The path without punctuation, symbols, spaces and invisible characters, such as U+200B, at its end. `-` and `_` stay,
 * because slugs may end in them, and so does `+`, which asks for the preview.
 *
 * @returns none if nothing is left out, or if the path ends in `.` or `..`, which have another meaning.
 */
function withoutEnd(path: string): readonly string[] {
  if (/\/\.{1,2}\/?$/.test(path)) return [];
  const whole = path.replace(/\/$/, '');
  // Not at load time, because it takes a millisecond to compile.
  const [kept = ''] = /^.*[[\p{L}\p{N}\-_+\/]--\p{Default_Ignorable_Code_Point}]/sv.exec(whole) ?? [];
  return kept === whole ? [] : [kept];
}

/** A slug at the start of a path, and the rest of the path. */
export type PathBehind = {
  readonly slug: string;
  /** Without a slash at its start, and escaped as in a URL. */
  readonly behind: string;
};

/**
 * The slugs of 1 to 4 parts with which a path may begin, the longest first. A link at one of them takes the rest of the
 * path if it has `forwardPath`.
 *
 * @returns none if the rest has an empty part, except at its end, or one that a browser or a server may interpret: `.`,
 *   `..`, a backslash, or one of these before a `;`, after which some servers read parameters. So the rest cannot lead
 *   out of the destination's path.
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

/** Escapes a part of a path. Characters that RFC 3986 allows (section 3.3) stay as they are. */
const escaped = (part: string): string =>
  encodeURIComponent(part.toWellFormed()).replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent);
