import { type RowDimension, unknown } from './click.ts';
import { foldReferrer } from './referrers.ts';

/**
 * What the record of a click says. Whoever reads one does it here, so that days, rows, lists and webhooks name the same
 * sites. The redirect records the referrer's host as it is, and so does without the table of referrers.
 *
 * @param some the dimensions to read.
 * @param textOf what the record has; undefined counts as unknown.
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
