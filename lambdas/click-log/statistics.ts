import type { RowDimension } from '../core/click/click.ts';
import { quarterMs } from '../core/click/day.ts';
import { type Asked, askClicks } from './asking.ts';
import { columnOf } from './columns.ts';

/** How many clicks, and how many of them were the first of their visitor on a link and day (UTC). */
export type Counts = { readonly clicks: number; readonly unique: number };

/**
 * How to group clicks.
 *
 * @property starts of a series' points, in milliseconds since 1970; the first is the range's start
 */
type Grouping = {
  readonly starts: readonly number[];
  readonly groupBy: readonly RowDimension[];
  /** How many values of each dimension are named. */
  readonly groupLimit: number;
};

/** The named values of a dimension, by clicks and then by value, and the sums of all others. */
export type Group = {
  readonly dimension: RowDimension;
  readonly values: readonly (Counts & { readonly value: string })[];
  readonly rest: Counts & { readonly values: number };
};

/** A series adds up to the total, and so does each group with its rest. @property series one for each start */
export type Statistics = { readonly total: Counts; readonly series: readonly Counts[]; readonly groups: readonly Group[] };

const nobody: Counts = { clicks: 0, unique: 0 };

/**
 * The statistics of clicks. One pass counts them by quarters of an hour and by each dimension. Points start on a
 * quarter, as the days of every time zone do, except for the first point, before which there are no clicks.
 *
 * @throws RequestError as `askClicks`
 */
export async function askStatistics(
  workspaceId: string,
  asked: Asked,
  { starts, groupBy, groupLimit }: Grouping,
): Promise<Statistics> {
  const columns = groupBy.map(columnOf);
  const names = columns.map((column, index) => `WHEN GROUPING(${column}) = 0 THEN '${groupBy[index]}'`);
  const query = `
    , quarters AS (SELECT *, epoch_ms(clicked_at) // ${quarterMs} * ${quarterMs} AS quarter FROM clicks),
    counted AS MATERIALIZED (
      SELECT CASE WHEN GROUPING(quarter) = 0 THEN 'series' ${names.join(' ')} END AS part,
        coalesce(${[...columns, 'NULL'].join(', ')})::VARCHAR AS value, quarter,
        count(*) AS clicks, count(*) FILTER (is_unique) AS uniques
      FROM quarters GROUP BY GROUPING SETS (${['quarter', ...columns].map((column) => `(${column})`).join(', ')})
    ),
    starts AS (SELECT unnest($starts)::BIGINT AS start),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY part ORDER BY clicks DESC, value) AS place FROM counted WHERE part != 'series'
    )
    SELECT part, NULL AS value, start AS place, sum(clicks) AS clicks, sum(uniques) AS uniques
      FROM counted ASOF JOIN starts ON greatest(quarter, (SELECT min(start) FROM starts)) >= start
      WHERE part = 'series' GROUP BY part, start
    UNION ALL SELECT part, value, place, clicks, uniques FROM ranked WHERE place <= $groupLimit::BIGINT
    UNION ALL SELECT part, NULL, count(*), sum(clicks), sum(uniques) FROM ranked WHERE place > $groupLimit::BIGINT GROUP BY part`;
  const rows = await askClicks(workspaceId, asked, (ask) => ask(query, { starts: starts.map(String), groupLimit }));
  const counts = rows.map(({ part, value, place, clicks, uniques }) => ({
    part,
    value,
    place: Number(place),
    counts: { clicks: Number(clicks), unique: Number(uniques) },
  }));
  const points = new Map(counts.flatMap(({ part, place, counts }) => (part === 'series' ? [[place, counts]] : [])));
  const series = starts.map((start) => points.get(start) ?? nobody);
  return {
    total: series.reduce((sum, { clicks, unique }) => ({ clicks: sum.clicks + clicks, unique: sum.unique + unique }), nobody),
    series,
    groups: groupBy.map((dimension) => {
      const own = counts.filter(({ part }) => part === dimension);
      const rest = own.find(({ value }) => value === null);
      return {
        dimension,
        values: own
          .filter(({ value }) => value !== null)
          .sort((one, other) => one.place - other.place)
          .map(({ value, counts }) => ({ value: String(value), ...counts })),
        rest: { values: rest?.place ?? 0, ...(rest?.counts ?? nobody) },
      };
    }),
  };
}
