import * as z from 'zod/mini';
import { type Dimension, dimensions } from '../core/click/click.ts';
import { quarterMs } from '../core/click/day.ts';
import {
  daysBefore,
  type Interval,
  intervalFor,
  intervals,
  mostPoints,
  parseTimeZone,
  pointsOf,
  type Range,
} from '../core/click/statistics.ts';
import { RuleError } from '../core/errors.ts';
import { parseTimestamp } from '../core/timestamp.ts';
import { parameterRefused } from './parse-query.ts';
import { ruled } from './validation.ts';

/** No click is older. The default range, which starts earlier, must not start before the year 0. */
const earliest = Date.UTC(2000, 0);

/** On a quarter of an hour, in milliseconds since 1970. */
const quarter = ruled((text) => {
  const instant = Date.parse(parseTimestamp(text));
  if (instant % quarterMs !== 0)
    throw new RuleError('not_on_quarter_hour', 'must be on a quarter of an hour, such as 2030-01-31T12:15:00Z');
  if (instant < earliest) throw new RuleError('out_of_range', 'must not be before the year 2000');
  return instant;
});

/** Several dimensions, separated by commas. Duplicates are dropped. */
const groupBy = (known: readonly Dimension[]) =>
  ruled((text) => {
    const named = [...new Set(text.split(','))];
    const found = named.map((name) => known.find((dimension) => dimension === name));
    const wanted = found.filter((dimension) => dimension !== undefined);
    if (wanted.length < found.length)
      throw new RuleError('unknown_dimension', `must be one or more of ${known.join(', ')}, separated by commas`);
    return wanted;
  });

/** The query parameters of statistics. @param known the dimensions that there are */
export const statsQuery = (known: readonly Dimension[] = dimensions) =>
  z.strictObject({
    from: z.optional(quarter),
    to: z.optional(quarter),
    interval: z.optional(z.enum(intervals)),
    timezone: z.optional(ruled(parseTimeZone)),
    groupBy: z.optional(groupBy(known)),
  });

/** What statistics were requested, complete and consistent. */
export type StatsRequest = Range & {
  /** Where the points of the series start. */
  readonly starts: readonly number[];
  readonly groupBy: readonly Dimension[];
};

/** How many days statistics have if their range is not given. */
const defaultDays = 30;

/**
 * Completes a query. The default range is the last 30 days, in the time zone, with the present quarter of an hour.
 *
 * @throws RequestError `validation_failed`, which names the parameter and the rule.
 */
export function statsRequest(query: z.output<ReturnType<typeof statsQuery>>, now: number): StatsRequest {
  const { timezone = 'UTC', groupBy = [] } = query;
  const to = query.to ?? quarterMs * (Math.floor(now / quarterMs) + 1);
  const from = query.from ?? daysBefore(to - 1, defaultDays - 1, timezone);
  if (from >= to) throw parameterRefused('from', 'out_of_range', 'must be before "to"');
  if (to > twoYearsAfter(from)) throw parameterRefused('from', 'out_of_range', 'must be at most two years before "to"');
  const interval: Interval = query.interval ?? intervalFor({ from, to });
  const starts = pointsOf({ from, to }, interval, timezone);
  if (starts.length > mostPoints)
    throw parameterRefused(
      'interval',
      'too_many_points',
      `must give at most ${mostPoints} points: choose a longer interval or a shorter range`,
    );
  return { from, to, starts, groupBy };
}

const twoYearsAfter = (instant: number): number => {
  const date = new Date(instant);
  return date.setUTCFullYear(date.getUTCFullYear() + 2);
};
