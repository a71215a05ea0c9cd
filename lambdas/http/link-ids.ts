import * as z from 'zod/mini';
import { notFound, type RequestError } from '../core/errors.ts';
import { setting } from '../runtime/settings.ts';

/**
 * The schema of a bulk request's list: at least one entry, at most as many as the stage allows. The maximum is checked
 * before the entries, as zod does it with a `maxLength` that does not depend on a setting.
 */
export const linksOfRequest = <S extends z.ZodMiniType>(entry: S) =>
  z.pipe(
    z.transform((sent: unknown, { issues }) => {
      // Read for each request, because modules load without settings.
      const maximum = Number(setting('MAX_LINKS_PER_IMPORT'));
      if (Array.isArray(sent) && sent.length > maximum) {
        issues.push({ code: 'too_big', origin: 'array', maximum, inclusive: true, input: sent });
      }
      return sent;
    }),
    z.array(entry).check(z.minLength(1)),
  );

/** The ids of a bulk request. */
export const linkIds = linksOfRequest(z.string());

/** The ids without duplicates, in the order of the request. */
export const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

/**
 * The result of a bulk request: how many links were changed, and which failed, in the order of the request. A duplicate
 * id counts once, at its first position.
 *
 * @param found those links of the request that exist.
 * @param results an entry for each of them: the error, or undefined if it was changed.
 */
export function bulkResult(
  ids: readonly string[],
  found: readonly { readonly link: { readonly id: string } }[],
  results: readonly (RequestError | undefined)[],
) {
  const errors = new Map(found.map(({ link }, index) => [link.id, results[index]]));
  const unknown = notFound('link');
  const failed = [...new Map(ids.map((id, index) => [id, index] as const).reverse())]
    .map(([id, index]) => ({ index, id, error: errors.has(id) ? errors.get(id) : unknown }))
    .flatMap(({ index, id, error }) => (error ? { index, id: id.slice(0, 128), code: error.code, message: error.message } : []))
    .sort((a, b) => a.index - b.index);
  return { done: errors.size - results.filter((error) => error !== undefined).length, failed };
}
