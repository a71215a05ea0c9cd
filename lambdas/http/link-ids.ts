import * as z from 'zod/mini';
import { type ErrorCode, notFound, type RequestError } from '../core/errors.ts';
import { longestLinkName } from '../core/link/link-name.ts';
import { setting } from '../runtime/settings.ts';
import type { FoundLink } from '../store/links/links.ts';
import { getNamedLinks } from '../store/links/named-links.ts';

/**
 * The schema of a bulk request's list: at least one entry, at most as many as the stage allows. The maximum is checked
 * before the entries, like zod's `maxLength`, which can't depend on a setting.
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

/** The ids of a bulk request, or `ext_` and external ids. */
export const linkIds = linksOfRequest(z.string());

/** The links of a bulk request, without duplicates, and the report for the response. */
type NamedLinks = {
  readonly links: readonly FoundLink[];
  /**
   * How many links were changed, and which names failed, in the order of the request. A link that is named twice is
   * reported once, at the first of its names.
   *
   * @param results an entry for each link: the error, or undefined if it was changed.
   */
  readonly report: (results: readonly (RequestError | undefined)[]) => { done: number; failed: FailedChange[] };
};

type FailedChange = { index: number; id: string; code: ErrorCode; message: string };

/** Reads the links that a bulk request names: by ids, or by `ext_` and external ids. */
export async function namedLinks(workspaceId: string, ids: readonly string[]): Promise<NamedLinks> {
  const names = [...new Set(ids)];
  const found = await getNamedLinks(workspaceId, names);
  const links = [...new Map(found.flatMap((one) => (one ? [[one.link.id, one] as const] : []))).values()];
  return {
    links,
    report: (results) => {
      const errors = new Map(links.map(({ link }, index) => [link.id, results[index]]));
      const failed: FailedChange[] = [];
      for (const [position, name] of names.entries()) {
        const id = found[position]?.link.id;
        const error = id === undefined ? notFound('link') : errors.get(id);
        if (id !== undefined) errors.delete(id);
        const index = ids.indexOf(name);
        if (error) failed.push({ index, id: name.slice(0, longestLinkName), code: error.code, message: error.message });
      }
      return { done: results.filter((error) => error === undefined).length, failed };
    },
  };
}
