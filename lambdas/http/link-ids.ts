import * as z from 'zod/mini';
import { notFound, type RequestError } from '../domain/errors.ts';
import { setting } from '../runtime/settings.ts';

/** The links that a bulk request is for: as many as an import may have. */
export const linkIds = z.array(z.string()).check(z.minLength(1), z.maxLength(Number(setting('MAX_LINKS_PER_IMPORT'))));

/** Each id once, in the order of the request. */
export const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

/**
 * What came of a bulk request: how many links were changed, and what failed, in the order of the request. An id that comes twice
 * counts once, at its first place.
 *
 * @param found the links that there are among those of the request.
 * @param outcomes an entry for each of them: why it was not changed, if it was not.
 */
export function bulkResult(
  ids: readonly string[],
  found: readonly { readonly link: { readonly id: string } }[],
  outcomes: readonly (RequestError | undefined)[],
) {
  const errors = new Map(found.map(({ link }, place) => [link.id, outcomes[place]]));
  const unknown = notFound('link');
  const failed = [...new Map(ids.map((id, place) => [id, place] as const).reverse())]
    .map(([id, index]) => ({ index, id, error: errors.has(id) ? errors.get(id) : unknown }))
    .flatMap(({ index, id, error }) => (error ? { index, id: id.slice(0, 128), code: error.code, message: error.message } : []))
    .sort((a, b) => a.index - b.index);
  return { done: errors.size - outcomes.filter((error) => error !== undefined).length, failed };
}
