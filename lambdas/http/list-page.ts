import * as z from 'zod/mini';
import { makeCursor } from '../core/cursor.ts';
import { entriesPerPage } from '../core/limits.ts';
import { type ListOrder, pageOf } from '../core/list-order.ts';
import { positionOf } from './link-page.ts';
import { wholeNumber } from './validation.ts';

/** The query parameters of a list that is read as a whole, and sorted in memory. */
export const listQuery = z.strictObject({
  limit: z.optional(wholeNumber(1, entriesPerPage)),
  cursor: z.optional(z.string()),
});

/**
 * A page of such a list.
 *
 * @param scope what is listed. A cursor is valid only for the same list of the same workspace.
 * @param read returns all entries, in any order. It is called only if the cursor belongs to the list.
 * @throws RequestError `validation_failed` if it doesn't
 */
export async function listPage<T>(
  scope: readonly unknown[],
  { limit = entriesPerPage, cursor }: z.output<typeof listQuery>,
  order: ListOrder<T>,
  read: () => Promise<readonly T[]>,
): Promise<{ readonly page: T[]; readonly nextCursor: string | null }> {
  const after = positionOf(scope, cursor, () => true);
  const { page, next } = pageOf(await read(), order, { limit, after });
  return { page, nextCursor: next === undefined ? null : makeCursor(scope, next) };
}
