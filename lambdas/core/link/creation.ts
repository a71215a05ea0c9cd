import { makeSlug } from './made-slug.ts';
import { foldSlug } from './slug.ts';

/** A request that creates links. All its attempts share this, whichever function runs them. */
export type Creation = {
  readonly requestId: string;
  /** Generated slugs derive from it, so that every attempt tries the same slugs in the same order. */
  readonly salt: string;
  readonly createdAt: string;
};

/** A link that a request wants to create: its position in the request, from 0, and the slug it asks for. */
export type WantedLink = { readonly index: number; readonly customSlug?: string | undefined };

/** The wanted link of a request that creates one. */
export const onlyLink = (customSlug: string | undefined): WantedLink => ({ index: 0, customSlug });

/** The creation mark of a link: which request created it, and at which position of the request it was. */
export const creationMark = ({ requestId }: Creation, { index }: WantedLink): string => `${requestId}#${index}`;

/** The custom slugs that a request asks for, in lower case. */
export const customSlugs = (wanted: readonly WantedLink[]): ReadonlySet<string> =>
  new Set(wanted.flatMap(({ customSlug }) => (customSlug === undefined ? [] : foldSlug(customSlug))));

/**
 * The slug to try for a wanted link: its custom slug, or a generated one. A generated slug depends only on the
 * arguments, so a function that takes over the request tries the same slugs.
 *
 * @param attempt counted from 0.
 * @param avoid custom slugs of the request, in lower case. Generated slugs differ from them.
 */
export function slugToTry(
  { salt }: Creation,
  { index, customSlug }: WantedLink,
  attempt: number,
  avoid: ReadonlySet<string>,
): string {
  if (customSlug !== undefined) return customSlug;
  let slug = makeSlug(salt, index, attempt);
  for (let again = 1; avoid.has(slug); again++) slug = makeSlug(`${salt}/${again}`, index, attempt);
  return slug;
}
