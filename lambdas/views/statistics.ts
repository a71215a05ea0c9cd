import type { Dimension } from '../core/click/click.ts';
import type { Day } from '../core/click/day.ts';
import { type Range, seriesOf, valuesOf } from '../core/click/statistics.ts';
import { shortUrlOf } from '../core/link/link.ts';
import type { ActiveLink } from '../store/stats/statistics.ts';

/**
 * Statistics as the API returns them. The points add up to the total, and so do the values of each dimension.
 *
 * @param readAt when the days were read, in milliseconds since 1970.
 */
export function statisticsView(
  days: readonly Day[],
  { from, to, starts, groupBy }: Range & { readonly starts: readonly number[]; readonly groupBy: readonly Dimension[] },
  readAt: number,
) {
  const { total, series } = seriesOf(days, { from, to }, starts);
  return {
    total,
    readAt: new Date(readAt).toISOString(),
    series: series.map(({ start, clicks }) => ({ start: new Date(start).toISOString(), clicks })),
    groups: Object.fromEntries(groupBy.map((dimension) => [dimension, valuesOf(days, dimension)])),
  };
}

/**
 * A day's links with the most clicks, as the API returns them.
 *
 * @param readAt when they were read, in milliseconds since 1970.
 */
export const topLinksView = (
  day: string,
  { links, exact }: { readonly links: readonly ActiveLink[]; readonly exact: boolean },
  readAt: number,
  origin: string,
) => ({
  day,
  readAt: new Date(readAt).toISOString(),
  exact,
  links: links.map(({ id, link, clicks }) => ({ id, shortUrl: link ? shortUrlOf(link, origin) : null, clicks })),
});
