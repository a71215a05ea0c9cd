import type { Dimension } from '../core/click/click.ts';
import { dayOfTime } from '../core/click/day.ts';
import { type Collected, type Range, seriesOf, valuesOf, wholeDays } from '../core/click/statistics.ts';
import { shortUrlOf } from '../core/link/link.ts';
import type { Ranking } from '../store/stats/top-links.ts';

const iso = (instant: number): string => new Date(instant).toISOString();

/**
 * Statistics as the API returns them, whatever they are of. The points add up to the total. The values of each dimension
 * add up to the clicks from `groupsFrom` on and before `groupsTo`.
 *
 * @param readAt when the clicks were read, in milliseconds since 1970.
 */
export function statisticsView(
  { days, range }: Collected,
  { from, to, starts, groupBy }: Range & { readonly starts: readonly number[]; readonly groupBy: readonly Dimension[] },
  readAt: number,
) {
  const { total, series } = seriesOf(days, { from, to }, starts);
  return {
    total,
    readAt: iso(readAt),
    series: series.map(({ start, clicks }) => ({ start: iso(start), clicks })),
    groupsFrom: iso(range.from),
    groupsTo: iso(range.to),
    groups: Object.fromEntries(groupBy.map((dimension) => [dimension, valuesOf(days, dimension)])),
  };
}

/**
 * The links with the most clicks of the whole days in UTC that contain a range, as the API returns them. `day` is the
 * first of these days.
 *
 * @param readAt when they were read, in milliseconds since 1970.
 */
export function topLinksView(range: Range, { links, exact }: Ranking, readAt: number, origin: string) {
  const { from, to } = wholeDays(range);
  return {
    day: dayOfTime(iso(from)),
    groupsFrom: iso(from),
    groupsTo: iso(to),
    readAt: iso(readAt),
    exact,
    links: links.map(({ id, link, clicks }) => ({ id, shortUrl: link ? shortUrlOf(link, origin) : null, clicks })),
  };
}
