import { foldSlug, makeSlug } from './slug.ts';

/** A request that creates links: what each of its attempts has in common, whichever function makes it. */
export type Creation = {
  readonly requestId: string;
  /** Made slugs follow from it, so that every attempt tries the same ones in the same order. */
  readonly salt: string;
  readonly createdAt: string;
};

/** An entry of a request that creates links: its place in the request, from 0, and the slug it asks for. */
export type SlugRequest = { readonly index: number; readonly customSlug?: string | undefined };

/** The mark that a link carries of the request and the entry that created it. */
export const creationMark = ({ requestId }: Creation, { index }: SlugRequest): string => `${requestId}#${index}`;

/** The custom slugs of the entries, folded. */
export const customSlugs = (entries: readonly SlugRequest[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ customSlug }) => (customSlug === undefined ? [] : foldSlug(customSlug))));

/**
 * The slug that an entry gets at its `attempt`-th try, counted from 0: its custom slug, or one that follows from the arguments, so
 * that a function that takes the request over tries the same slugs.
 *
 * @param avoid slugs that other entries of the request ask for; made slugs differ from them.
 */
export function slugToTry(
  { salt }: Creation,
  { index, customSlug }: SlugRequest,
  attempt: number,
  avoid: ReadonlySet<string>,
): string {
  if (customSlug !== undefined) return customSlug;
  let slug = makeSlug(salt, index, attempt);
  for (let again = 1; avoid.has(slug); again++) slug = makeSlug(`${salt}/${again}`, index, attempt);
  return slug;
}
