import * as z from 'zod/mini';
import { positionIn } from '../core/cursor.ts';
import { linksPerPage } from '../core/limits.ts';
import { parameterRefused } from './parse-query.ts';
import { wholeNumber } from './validation.ts';

/** The most links on a page. */
const pageLimit = wholeNumber(1, linksPerPage.most);

/** The query parameters of every paginated list. */
export const pageQuery = { limit: z.optional(pageLimit), cursor: z.optional(z.string()) };

const isLinkPosition = (text: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#lnk_[0-9A-Za-z]{28}(#[a-z0-9.-]{1,253})?$/.test(text);

/**
 * Where a page begins.
 *
 * @param scope what is listed. A cursor is valid only for the same list of the same workspace.
 * @param isPosition whether a text can be a position in that list.
 * @throws RequestError `validation_failed` if the cursor doesn't belong to that list.
 */
export function positionOf(
  scope: readonly unknown[],
  cursor: string | undefined,
  isPosition = isLinkPosition,
): string | undefined {
  if (cursor === undefined) return undefined;
  const position = positionIn(scope, cursor);
  if (position === undefined || !isPosition(position)) {
    throw parameterRefused('cursor', 'invalid_cursor', 'must be the nextCursor of the previous page, with the same filter');
  }
  return position;
}
