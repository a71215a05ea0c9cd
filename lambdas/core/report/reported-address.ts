import { canonicalHost } from '../host/host.ts';
import { trimmed } from '../invisible.ts';
import { urlLength } from '../limits.ts';
import { type OtherPlace, otherPlaces, readLinkPath } from '../visit/link-path.ts';

/** Where a reported link may be. */
export type ReportedPlace = {
  readonly host: string;
  /** The slug that the whole path names, with or without `+`, `.q` or `.svg` after it; undefined if it names none. */
  readonly slug: string | undefined;
  /** Other places of the link, as for a visit. */
  readonly others: readonly OtherPlace[];
};

/**
 * Reads an address as people copy it: with or without `https://`, or only a path on the page's own domain. Its port,
 * query and fragment are ignored. The path is decoded as the gateway decodes a visit's.
 *
 * @param ownHost the host of the page.
 * @returns undefined if no link can be there.
 */
export function readReportedAddress(text: string, ownHost: string): ReportedPlace | undefined {
  const typed = trimmed(text);
  if (typed.length > urlLength) return undefined;
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed.startsWith('/') ? ownHost : ''}${typed}`);
  if (!url) return undefined;
  const path = decoded(url.pathname);
  if (path === undefined) return undefined;
  const slug = readLinkPath(path)?.slug;
  const others = otherPlaces(path, true);
  return slug === undefined && others.length === 0 ? undefined : { host: canonicalHost(url.hostname), slug, others };
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(decodeURIComponent(path).split('?', 1)[0] ?? '');
  } catch {
    return undefined;
  }
}
