import * as z from 'zod/mini';
import { type RowDimension, rowDimensions } from '../core/click/click.ts';
import { dayMs, dayOfTime, quarterMs } from '../core/click/day.ts';
import { type ClickFilter, parseFilter } from '../core/click/filter.ts';
import {
  daysBefore,
  type Interval,
  intervalFor,
  intervals,
  parseTimeZone,
  pointsOf,
  type Range,
} from '../core/click/statistics.ts';
import { RuleError, tooMuchToRead } from '../core/errors.ts';
import { pointsPerSeries, readsPerRequest, valuesPerGroup } from '../core/limits.ts';
import { parseTimestamp } from '../core/timestamp.ts';
import { optionalSetting } from '../runtime/settings.ts';
import { getDomain } from '../store/domains/domains.ts';
import { linksByTags } from '../store/links/list.ts';
import { domainName } from './fields.ts';
import { parameterNotFound, parameterRefused } from './parse-query.ts';
import { queriedTags, rarestFirst, tagFilter } from './queried-tags.ts';
import { ruled, wholeNumber } from './validation.ts';

/** No click is older. The default range, which starts earlier, must not start before the year 0. */
export const earliest = Date.UTC(2000, 0);

/** RFC 3339 has no time after the year 9999. */
export const latest = Date.UTC(9999, 11, 31);

/** On a whole second, because clicks are kept to the second. In milliseconds since 1970. */
const second = ruled((text) => {
  const instant = Date.parse(parseTimestamp(text));
  if (instant % 1_000 !== 0) throw new RuleError('not_on_second', 'must be on a whole second, such as 2030-01-31T12:15:00Z');
  if (instant < earliest) throw new RuleError('out_of_range', 'must not be before the year 2000');
  if (instant > latest) throw new RuleError('out_of_range', 'must not be after 9999-12-31T00:00Z');
  return instant;
});

/** A day in UTC. */
const day = ruled((text) => {
  try {
    const start = /^\d{4}-\d\d-\d\d$/.test(text) ? parseTimestamp(`${text}T00:00Z`) : undefined;
    if (start !== undefined && Date.parse(start) < latest) return dayOfTime(start);
  } catch {
    // The error below says more.
  }
  throw new RuleError('invalid_day', 'must be a day such as 2030-01-31');
});

/** Several dimensions, separated by commas. Duplicates are dropped. */
function parseGroupBy(text: string): RowDimension[] {
  const named = [...new Set(text.split(','))];
  const found = named.map((name) => rowDimensions.find((dimension) => dimension === name));
  const wanted = found.filter((dimension) => dimension !== undefined);
  if (wanted.length < found.length)
    throw new RuleError('unknown_dimension', `must be one or more of ${rowDimensions.join(', ')}, separated by commas`);
  return wanted;
}

/** The query parameters of a range. */
export const rangeQuery = { from: z.optional(second), to: z.optional(second) };

/** The query parameters of all statistics. A function, so that bundles without them leave out calendars. */
export const statsQuery = () => ({
  ...rangeQuery,
  interval: z.optional(z.enum(intervals)),
  timezone: z.optional(ruled(parseTimeZone)),
  groupBy: z.optional(ruled(parseGroupBy)),
  groupLimit: z.optional(wholeNumber(1, valuesPerGroup.most)),
});

/** The query parameters of a ranking's range. */
export const rankedRangeQuery = { ...rangeQuery, day: z.optional(day) };

const filter = (dimension: RowDimension) => z.optional(ruled((text) => parseFilter(dimension, text)));

/** The query parameters that filter clicks: one for each dimension. */
export const filterQuery = () =>
  Object.fromEntries(rowDimensions.map((dimension) => [dimension, filter(dimension)])) as Readonly<
    Record<RowDimension, ReturnType<typeof filter>>
  >;

/** The filters of a query, without its other parameters. */
export const filterIn = (query: ClickFilter): ClickFilter =>
  Object.fromEntries(rowDimensions.flatMap((dimension) => (query[dimension] ? [[dimension, query[dimension]]] : [])));

/** The query parameters that choose clicks of a workspace by their links. */
export const scopeQuery = { domain: z.optional(domainName), ...tagFilter };
type ScopeQuery = z.output<z.ZodMiniObject<typeof scopeQuery>>;

/** The links whose clicks a query chooses. @property linkIds those that currently have the tags */
export type Scope = { readonly host?: string | undefined; readonly linkIds?: readonly string[] | undefined };

/**
 * Asks about the clicks of the links that a query chooses. They include deleted links, unless the query names tags.
 *
 * @param ask gets the scope.
 * @param isEmpty whether an answer has no clicks.
 * @throws RequestError `not_found` for a domain that isn't the workspace's and has no such click; `tag_not_found`;
 *   `too_much_to_read`
 */
export async function askInScope<T>(
  workspaceId: string,
  { domain, match, tagIds, tagNames }: ScopeQuery,
  ask: (scope: Scope) => Promise<T>,
  isEmpty: (answer: T) => boolean,
): Promise<T> {
  const found = domain === undefined ? undefined : getDomain(domain);
  // It is awaited below, unless something else fails first.
  found?.catch(() => {});
  const tags = await queriedTags(workspaceId, { tagIds, tagNames });
  const linkIds = tags && (await tagged(workspaceId, { tagIds: await rarestFirst(workspaceId, tags), match }));
  const answer = await ask({ host: domain, linkIds });
  if (domain !== undefined && (await found)?.workspaceId !== workspaceId && isEmpty(answer))
    throw parameterNotFound('domain', 'domain', 'must be a domain of the workspace, or one that it had, with such clicks');
  return answer;
}

/** The ids of the links that currently have tags. @throws RequestError `too_much_to_read` */
export async function tagged(workspaceId: string, tags: Parameters<typeof linksByTags>[1]): Promise<readonly string[]> {
  const { links, units } = readsPerRequest;
  const { ids, complete } = await linksByTags(workspaceId, tags, links, { units: 0, most: units });
  if (complete) return ids;
  const [most, mostUnits] = [links, units].map((bound) => bound.toLocaleString('en-US'));
  throw tooMuchToRead(`${most} links with tags, and ${mostUnits} read units to find them`, ['tagIds']);
}

type StatsQuery = z.output<z.ZodMiniObject<ReturnType<typeof statsQuery>>>;

/** A validated request for statistics, with its defaults. */
export type StatsRequest = Range & {
  /** Where the points of the series start. */
  readonly starts: readonly number[];
  readonly groupBy: readonly RowDimension[];
  readonly groupLimit: number;
};

/** Adds a query's defaults, and validates it as a whole. @throws RequestError `validation_failed` */
export function statsRequest(query: StatsQuery, now: number): StatsRequest {
  const { timezone = 'UTC', groupBy = [], groupLimit = valuesPerGroup.unlessAsked } = query;
  const range = rangeOf(query, now, timezone);
  const interval: Interval = query.interval ?? intervalFor(range);
  const starts = pointsOf(range, interval, timezone);
  if (starts.length > pointsPerSeries)
    throw parameterRefused(
      'interval',
      'too_many_points',
      `must give at most ${pointsPerSeries} points: choose a longer interval or a shorter range`,
    );
  return { ...range, starts, groupBy, groupLimit };
}

/** How many days a range has if it is not given. */
const defaultDays = 30;

type RangeQuery = z.output<z.ZodMiniObject<typeof rangeQuery>>;

/**
 * The range of a query: by default the last 30 days, in the time zone, including the current quarter of an hour.
 *
 * @throws RequestError `validation_failed`
 */
function rangeOf({ from, to }: RangeQuery, now: number, timezone = 'UTC'): Range {
  const end = to ?? quarterMs * (Math.floor(now / quarterMs) + 1);
  const start = from ?? daysBefore(end - 1, defaultDays - 1, timezone);
  if (start >= end) throw parameterRefused('from', 'out_of_range', 'must be before "to"');
  return { from: start, to: end };
}

/** The range of a ranking, which may be a day in UTC. @throws RequestError `validation_failed` */
export function rankedRange({ day, ...query }: RangeQuery & { readonly day?: string | undefined }, now: number): Range {
  if (day === undefined) return rangeOf(query, now);
  if (query.from !== undefined || query.to !== undefined)
    throw parameterRefused('day', 'not_together', 'must not be sent together with "from" or "to"');
  return { from: Date.parse(day), to: Date.parse(day) + dayMs };
}

/** Whether the stage counts unique clicks. */
export const countsUniques = (): boolean => optionalSetting('UNIQUE_CLICKS') === 'daily';
