import * as z from 'zod/mini';
import { type Dimension, dimensions } from '../core/click/click.ts';
import { type Day, dayMs, quarterMs } from '../core/click/day.ts';
import { type ClickFilter, parseFilter, tooManyClicks } from '../core/click/filter.ts';
import { mayHaveExpired, oldestRecords } from '../core/click/records.ts';
import {
  daysBefore,
  type Interval,
  intervalFor,
  intervals,
  mostPoints,
  parseTimeZone,
  pointsOf,
  type Range,
  seriesOf,
} from '../core/click/statistics.ts';
import { RuleError } from '../core/errors.ts';
import { daysPerRanking, readsPerRequest } from '../core/limits.ts';
import { parseTimestamp } from '../core/timestamp.ts';
import { optionalSetting, setting } from '../runtime/settings.ts';
import { parameterRefused } from './parse-query.ts';
import { ruled } from './validation.ts';

/** No click is older. The default range, which starts earlier, must not start before the year 0. */
const earliest = Date.UTC(2000, 0);

/** Whole days that contain a range must end within the year 9999, because RFC 3339 has no later ones. */
export const latest = Date.UTC(9999, 11, 31);

/** On a quarter of an hour, in milliseconds since 1970. */
const quarter = ruled((text) => {
  const instant = Date.parse(parseTimestamp(text));
  if (instant % quarterMs !== 0)
    throw new RuleError('not_on_quarter_hour', 'must be on a quarter of an hour, such as 2030-01-31T12:15:00Z');
  if (instant < earliest) throw new RuleError('out_of_range', 'must not be before the year 2000');
  if (instant > latest) throw new RuleError('out_of_range', 'must not be after 9999-12-31T00:00Z');
  return instant;
});

/** Several dimensions, separated by commas. Duplicates are dropped. */
function parseGroupBy(text: string): Dimension[] {
  const named = [...new Set(text.split(','))];
  const found = named.map((name) => dimensions.find((dimension) => dimension === name));
  const wanted = found.filter((dimension) => dimension !== undefined);
  if (wanted.length < found.length)
    throw new RuleError('unknown_dimension', `must be one or more of ${dimensions.join(', ')}, separated by commas`);
  return wanted;
}

/** The query parameters of a range. */
export const rangeQuery = { from: z.optional(quarter), to: z.optional(quarter) };

/** The query parameters of all statistics. A function, so that bundles without them leave out calendars. */
export const statsQuery = () => ({
  ...rangeQuery,
  interval: z.optional(z.enum(intervals)),
  timezone: z.optional(ruled(parseTimeZone)),
  groupBy: z.optional(ruled(parseGroupBy)),
});

const filter = (dimension: Dimension) => z.optional(ruled((text) => parseFilter(dimension, text)));

/** The query parameters that filter clicks: one for each dimension. */
export const filterQuery = () =>
  Object.fromEntries(dimensions.map((dimension) => [dimension, filter(dimension)])) as Readonly<
    Record<Dimension, ReturnType<typeof filter>>
  >;

/** The filter that a query names; undefined if it names none. */
export function filterIn(query: ClickFilter): ClickFilter | undefined {
  const named = dimensions.flatMap((dimension) => (query[dimension] ? [[dimension, query[dimension]] as const] : []));
  return named.length > 0 ? Object.fromEntries(named) : undefined;
}

type StatsQuery = z.output<z.ZodMiniObject<ReturnType<typeof statsQuery>>>;

/** What statistics were requested, complete and consistent. */
export type StatsRequest = Range & {
  /** Where the points of the series start. */
  readonly starts: readonly number[];
  readonly interval: Interval;
  readonly groupBy: readonly Dimension[];
};

/** How many days statistics have if their range is not given. */
const defaultDays = 30;

/**
 * Completes a query. The default range is the last 30 days, in the time zone, with the present quarter of an hour.
 *
 * @param records where the records of clicks begin, if they are needed, and for how many days they are kept. The default
 *   range does not begin before them.
 * @throws RequestError `validation_failed`, which names the parameter and the rule.
 */
export function statsRequest(query: StatsQuery, now: number, records?: Records): StatsRequest {
  const { timezone = 'UTC', groupBy = [] } = query;
  const to = query.to ?? endOfQuarter(now);
  if (records && to <= records.from) throw beyondRecords('to', 'after', records);
  const from = query.from ?? Math.max(daysBefore(to - 1, defaultDays - 1, timezone), records?.from ?? Number.NEGATIVE_INFINITY);
  if (records && from < records.from) throw beyondRecords('from', 'at or after', records);
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
  return { from, to, starts, interval, groupBy };
}

/** Whether the stage counts unique clicks. */
export const countsUniques = (): boolean => optionalSetting('UNIQUE_CLICKS') === 'daily';

const endOfQuarter = (now: number): number => quarterMs * (Math.floor(now / quarterMs) + 1);

type RankedQuery = z.output<z.ZodMiniObject<typeof rangeQuery>> & { readonly day?: string | undefined };

/**
 * The range of a ranking: a day in UTC, or from an instant on, up to now by default.
 *
 * @throws RequestError `validation_failed`, which names the parameter and the rule.
 */
export function rankedRange({ day, from, to }: RankedQuery, now: number): Range {
  if (day !== undefined) {
    if (from !== undefined || to !== undefined)
      throw parameterRefused('day', 'not_together', 'must not be sent together with "from" or "to"');
    return { from: Date.parse(day), to: Date.parse(day) + dayMs };
  }
  if (from === undefined)
    throw parameterRefused(
      to === undefined ? 'day' : 'from',
      'required',
      to === undefined ? 'is required, unless "from" is sent' : 'is required with "to"',
    );
  const end = to ?? endOfQuarter(now);
  if (from >= end) throw parameterRefused('from', 'out_of_range', 'must be before "to"');
  // One of the days may have 25 hours.
  if (end - from > daysPerRanking * dayMs + 4 * quarterMs)
    throw parameterRefused('from', 'out_of_range', `must be at most ${daysPerRanking} days before "to"`);
  return { from, to: end };
}

/** The records of clicks. @property from where they begin, in milliseconds since 1970 */
type Records = { readonly from: number; readonly clickDays: number };

const beyondRecords = (name: string, where: string, { from, clickDays }: Records) =>
  parameterRefused(
    name,
    'out_of_range',
    `must be ${where} ${new Date(from).toISOString()} if clicks are filtered, because their records are kept for ${clickDays} days`,
  );

/** The records that a filter needs. @param now when the gateway received the request */
export function recordsAt(now: number): Records {
  const clickDays = Number(setting('CLICK_DAYS'));
  return { from: oldestRecords(now, clickDays), clickDays };
}

/**
 * Refuses a filter whose records are gone or too many, by the days of the link, before any is read.
 *
 * @param now when the gateway received the request
 * @throws RequestError `validation_failed`, `too_much_to_read`
 */
export function checkRecords(days: readonly Day[], range: Range, now: number): void {
  if (mayHaveExpired(days, range.from, now))
    throw parameterRefused(
      'from',
      'out_of_range',
      'must be later if clicks are filtered, because some records were kept for fewer days',
    );
  if (seriesOf(days, range, [range.from]).total > readsPerRequest.clicks) throw tooManyClicks();
}

const twoYearsAfter = (instant: number): number => {
  const date = new Date(instant);
  return date.setUTCFullYear(date.getUTCFullYear() + 2);
};
