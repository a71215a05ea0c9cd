import type { Dimension } from '../core/click/click.ts';
import { dayOfTime } from '../core/click/day.ts';
import { type Collected, type Interval, type Range, seriesOf, uniquesOf, valuesOf, wholeDays } from '../core/click/statistics.ts';
import { shortUrlOf } from '../core/link/link.ts';
import type { Ranking } from '../store/stats/top-links.ts';

const iso = (instant: number): string => new Date(instant).toISOString();

/**
 * Statistics as the API returns them, whatever they are of. The points add up to the total. The values of each dimension
 * add up to the clicks from `groupsFrom` on and before `groupsTo`, and unique clicks are of that time, too.
 *
 * @param readAt when the clicks were read, in milliseconds since 1970.
 * @param countsUniques whether these days say how many clicks were unique, even if it is none.
 */
export function statisticsView(
  { days, range }: Collected,
  { from, to, starts, interval, groupBy }: Requested,
  readAt: number,
  countsUniques: boolean,
) {
  const { total, series } = seriesOf(days, { from, to }, starts);
  const uniques = uniquesOf(days, starts, interval, countsUniques);
  return {
    total,
    uniqueClicks: uniques.total,
    readAt: iso(readAt),
    series: series.map(({ start, clicks }, point) => ({
      start: iso(start),
      clicks,
      uniqueClicks: uniques.points[point] ?? null,
    })),
    groupsFrom: iso(range.from),
    groupsTo: iso(range.to),
    groups: Object.fromEntries(groupBy.map((dimension) => [dimension, valuesOf(days, dimension)])),
  };
}

/** What was asked for. */
type Requested = Range & {
  readonly starts: readonly number[];
  readonly interval: Interval;
  readonly groupBy: readonly Dimension[];
};

/**
 * The links with the most clicks of the whole days in UTC that contain a range, as the API returns them. `day` is the
 * first of these days.
 *
 * @param readAt when they were read, in milliseconds since 1970.
 * @param countsUniques as in `statisticsView`.
 */
export function topLinksView(range: Range, { links, exact }: Ranking, readAt: number, origin: string, countsUniques: boolean) {
  const { from, to } = wholeDays(range);
  return {
    day: dayOfTime(iso(from)),
    groupsFrom: iso(from),
    groupsTo: iso(to),
    readAt: iso(readAt),
    exact,
    links: links.map(({ id, link, clicks, unique }) => ({
      id,
      shortUrl: link ? shortUrlOf(link, origin) : null,
      clicks,
      uniqueClicks: unique ?? (countsUniques ? 0 : null),
    })),
  };
}
