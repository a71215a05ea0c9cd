import { foldSlug, makeSlug } from './slug.ts';

/** A request that creates links: what each of its attempts has in common, whichever function makes it. */
export type Creation = {
  readonly requestId: string;
  /** Made slugs follow from it, so that every attempt tries the same ones in the same order. */
  readonly salt: string;
  readonly createdAt: string;
};

/** A link that a request wants to be created: its place among those of the request, from 0, and the slug it asks for. */
export type WantedLink = { readonly index: number; readonly customSlug?: string | undefined };

/** What a request wants that creates one link. */
export const onlyLink = (customSlug: string | undefined): WantedLink => ({ index: 0, customSlug });

/** The mark that a link carries of the request that created it, and of its place there. */
export const creationMark = ({ requestId }: Creation, { index }: WantedLink): string => `${requestId}#${index}`;

/** The custom slugs that a request asks for, folded. */
export const customSlugs = (wanted: readonly WantedLink[]): ReadonlySet<string> =>
  new Set(wanted.flatMap(({ customSlug }) => (customSlug === undefined ? [] : foldSlug(customSlug))));

/**
 * The slug that a wanted link gets at its `attempt`-th try, counted from 0: its custom slug, or one that follows from the arguments, so
 * that a function that takes the request over tries the same slugs.
 *
 * @param avoid slugs that other links of the request ask for; made slugs differ from them.
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
