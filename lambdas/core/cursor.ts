import { createHash } from 'node:crypto';

/**
 * Ties a position to a list. It is not a secret: a forged cursor only leads to another position in the caller's own
 * list.
 */
const checkOf = (scope: readonly unknown[], position: string): string =>
  createHash('sha256')
    .update(JSON.stringify([scope, position]))
    .digest('base64url')
    .slice(0, 22);

/**
 * A cursor: where the next page of a list begins.
 *
 * @param scope what is listed: the workspace and each filter.
 * @param position of the last entry that was read.
 */
export const makeCursor = (scope: readonly unknown[], position: string): string =>
  checkOf(scope, position) + Buffer.from(position).toString('base64url');

/** The position in a cursor; undefined if the text isn't a cursor, or belongs to another list. */
export function positionIn(scope: readonly unknown[], cursor: string): string | undefined {
  const position = Buffer.from(cursor.slice(22), 'base64url').toString();
  return makeCursor(scope, position) === cursor ? position : undefined;
}
