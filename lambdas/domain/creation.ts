import { foldSlug, makeSlug } from './slug.ts';

/** A request that creates links: what all its attempts have in common, whichever function runs them. */
export type Creation = {
  readonly requestId: string;
  /** Generated slugs derive from it, so that every attempt tries the same slugs in the same order. */
  readonly salt: string;
  readonly createdAt: string;
};

/** An entry of such a request: its place in the request, from 0, and the slug it asks for. */
export type SlugRequest = { readonly index: number; readonly customSlug?: string | undefined };

/** The mark on a link that says which request and which entry created it. */
export const creationMark = ({ requestId }: Creation, { index }: SlugRequest): string => `${requestId}#${index}`;

/** The custom slugs of the entries, in lower case. */
export const customSlugs = (entries: readonly SlugRequest[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ customSlug }) => (customSlug === undefined ? [] : foldSlug(customSlug))));

/**
 * The slug to try for an entry: its custom slug, or a generated one. A generated slug depends only on the arguments, so
 * a function that takes over the request tries the same slugs.
 *
 * @param attempt counted from 0.
 * @param avoid custom slugs of the request, in lower case. Generated slugs differ from them.
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
