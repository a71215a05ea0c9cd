import { rowDimensions } from '../../../lambdas/core/click/click.ts';
import { csvOf } from '../../../lambdas/core/csv.ts';
import type { Statistics, TopLinks } from '../service/types.ts';

type Counts = { readonly clicks: number; readonly uniqueClicks: number | null };

/** A cell for a number that may not be known. */
const cell = (number: number | null | undefined): string => String(number ?? '');

/**
 * The numbers of the screen as one table: the total, each point, each value of each dimension and the rest, and the
 * most clicked links. Points of the previous period are beside those in the same position, as in the plot.
 *
 * @param before the previous period; undefined without a comparison
 * @param links empty if the statistics are of one link
 */
export function statsCsv(stats: Statistics, before: Statistics | undefined, links: TopLinks['links']): string {
  const { total, uniqueClicks, series, groups, rest } = stats;
  const row = (part: string, value: string | undefined, now: Counts | undefined, clicksBefore?: number, title = '') => [
    part,
    value ?? '',
    cell(now?.clicks),
    cell(now?.uniqueClicks),
    cell(clicksBefore),
    title,
  ];
  const places = Array.from({ length: Math.max(series.length, before?.series.length ?? 0) }, (_, place) => place);
  return csvOf([
    ['part', 'value', 'clicks', 'uniqueClicks', 'clicksBefore', 'title'],
    row('total', '', { clicks: total, uniqueClicks }, before?.total),
    ...places.map((place) => row('time', series[place]?.start, series[place], before?.series[place]?.clicks)),
    ...rowDimensions.flatMap((dimension) => [
      ...(groups[dimension] ?? []).map((one) => row(dimension, one.value, one)),
      ...(rest[dimension]?.values ? [row(dimension, '(others)', rest[dimension])] : []),
    ]),
    ...links.map((link) => row('link', link.shortUrl ?? link.id, link, before && link.previous.clicks, link.title ?? '')),
  ]);
}
