import * as z from 'zod/mini';
import { makeCursor, positionIn } from '../core/cursor.ts';
import { entriesPerPage, linksPerPage } from '../core/limits.ts';
import { type ListOrder, pageOf } from '../core/list-order.ts';
import { parameterRefused } from './parse-query.ts';
import { wholeNumber } from './validation.ts';

/** The query parameters of a list. @param most entries on a page */
export const pageQuery = (most = linksPerPage.most) => ({
  limit: z.optional(wholeNumber(1, most)),
  cursor: z.optional(z.string()),
});
type PageQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined };

/** A requested page. */
export type AskedPage = {
  readonly limit: number;
  /** The position where the previous page ended; undefined for the first page. */
  readonly after: string | undefined;
  /** The cursor of the next page. @param next the position where this page ends; undefined if nothing follows */
  readonly nextCursor: (next: string | undefined) => string | null;
};

/**
 * Reads which page of a list is requested.
 *
 * @param scope what is listed. A cursor is valid only for the same list of the same workspace.
 * @param isPosition whether a text can be a position in that list. The default is a list of links.
 * @throws RequestError `validation_failed` if the cursor doesn't belong to that list
 */
export function askedPage(
  scope: readonly unknown[],
  { limit = linksPerPage.unlessAsked, cursor }: PageQuery,
  isPosition = isLinkPosition,
): AskedPage {
  const after = cursor === undefined ? undefined : positionIn(scope, cursor);
  if (cursor !== undefined && (after === undefined || !isPosition(after))) {
    throw parameterRefused('cursor', 'invalid_cursor', 'must be the nextCursor of the previous page, with the same filter');
  }
  return { limit, after, nextCursor: (next) => (next === undefined ? null : makeCursor(scope, next)) };
}

/** Whether a text can be a position in a list of links. */
export const isLinkPosition = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#lnk_[0-9A-Za-z]{28}(#[a-z0-9.-]{1,253})?$/.test(text);

/** The query parameters of a list that is read as a whole, and sorted in memory. */
export const listQuery = z.strictObject(pageQuery(entriesPerPage));

/**
 * A page of such a list.
 *
 * @param read returns all entries, in any order. It is called only if the cursor belongs to the list.
 * @throws RequestError `validation_failed` if it doesn't
 */
export async function listPage<T>(
  scope: readonly unknown[],
  { limit = entriesPerPage, cursor }: PageQuery,
  order: ListOrder<T>,
  read: () => Promise<readonly T[]>,
): Promise<{ readonly page: T[]; readonly nextCursor: string | null }> {
  const asked = askedPage(scope, { limit, cursor }, () => true);
  const { page, next } = pageOf(await read(), order, asked);
  return { page, nextCursor: asked.nextCursor(next) };
}
