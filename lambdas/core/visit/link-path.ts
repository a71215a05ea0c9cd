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
 * The table in docs/visitors.md shows what becomes of which path.
 *
 * @returns undefined if no link can be there.
 */
export function readLinkPath(path: string): LinkPath | undefined {
  const [, slug = '', suffix] = /^\/([^+]+?)(\+|\.[qQ]|\.svg)?\/?$/.exec(path) ?? [];
  if (!isSlug(slug)) return undefined;
  return { slug, isPreview: suffix === '+', isCode: suffix === '.svg', isScan: suffix?.toLowerCase() === '.q' };
}
