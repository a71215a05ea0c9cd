import { type RowDimension, unknown } from './click.ts';
import { foldReferrer } from './referrers.ts';

/**
 * The dimensions of a recorded click. All readers use this, so that rows, lists and webhooks name the same sites. The
 * redirect records the referrer's host unchanged, so its bundle doesn't need the table of referrers.
 *
 * @param some the dimensions to read.
 * @param textOf the record's text; undefined means unknown.
 */
export const recordedAs = <D extends RowDimension>(
  some: readonly D[],
  textOf: (dimension: D) => string | undefined,
): Record<D, string> =>
  Object.fromEntries(
    some.map((dimension) => {
      const value = textOf(dimension) ?? unknown;
      return [dimension, dimension === 'referrer' ? foldReferrer(value) : value];
    }),
  ) as Record<D, string>;
