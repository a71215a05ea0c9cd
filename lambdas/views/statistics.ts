import type { RankedLink } from '../click-log/ranking.ts';
import type { Counts, Statistics } from '../click-log/statistics.ts';
import type { Range } from '../core/click/statistics.ts';
import { type Link, shortUrlOf } from '../core/link/link.ts';

/** When the clicks were read, in milliseconds since 1970, and whether the stage counts unique clicks. */
type Read = { readonly readAt: number; readonly countsUniques: boolean };

const iso = (instant: number): string => new Date(instant).toISOString();

const ofRange = ({ from, to }: Range, { readAt }: Read) => ({ from: iso(from), to: iso(to), readAt: iso(readAt) });

const countsView = ({ clicks, unique }: Counts, { countsUniques }: Read) => ({
  clicks,
  uniqueClicks: countsUniques ? unique : null,
});

/**
 * Statistics as the API returns them. The points of the series add up to the total, and so do the values of each
 * dimension with their rest.
 */
export function statisticsView(
  { total, series, groups }: Statistics,
  { starts, ...range }: Range & { readonly starts: readonly number[] },
  read: Read,
) {
  const { clicks, uniqueClicks } = countsView(total, read);
  return {
    ...ofRange(range, read),
    total: clicks,
    uniqueClicks,
    series: starts.map((start, point) => ({ start: iso(start), ...countsView(series[point] ?? { clicks: 0, unique: 0 }, read) })),
    groups: Object.fromEntries(
      groups.map(({ dimension, values }) => [
        dimension,
        values.map(({ value, ...counts }) => ({ value, ...countsView(counts, read) })),
      ]),
    ),
    rest: Object.fromEntries(
      groups.map(({ dimension, rest }) => [dimension, { values: rest.values, ...countsView(rest, read) }]),
    ),
  };
}

/** The links with the most clicks as the API returns them. @param links those that have not been deleted, by id */
export function topLinksView(
  ranked: readonly RankedLink[],
  links: ReadonlyMap<string, Link>,
  range: Range,
  nextCursor: string | null,
  { origin, ...read }: Read & { readonly origin: string },
) {
  return {
    ...ofRange(range, read),
    links: ranked.map(({ id, previous, ...counts }) => {
      const link = links.get(id);
      return {
        id,
        shortUrl: link ? shortUrlOf(link, origin) : null,
        title: link?.title ?? null,
        ...countsView(counts, read),
        previous: countsView(previous, read),
      };
    }),
    nextCursor,
  };
}
