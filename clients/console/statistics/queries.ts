import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type RowDimension, rowDimensions } from '../../../lambdas/core/click/click.ts';
import { escapedValue } from '../../../lambdas/core/click/listed-values.ts';
import { type Interval, intervalFor } from '../../../lambdas/core/click/statistics.ts';
import { pointsPerSeries } from '../../../lambdas/core/limits.ts';
import { ownZone } from '../parts/time.ts';
import { api } from '../service/client.ts';
import { usePages } from '../service/pages.ts';
import { useMe } from '../service/queries.ts';
import type { Statistics, TopLinks } from '../service/types.ts';
import { endOfQuarter, type Period, periodBefore, periodOf, unitOf } from './ranges.ts';
import type { StatsView } from './view.ts';

// The queries of the screen, and their times.

const [hourMs, dayMs] = [60 * 60_000, 24 * 60 * 60_000];
const lengths: Readonly<Record<Interval, number>> = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 28 * dayMs };

/** The intervals that a period allows: with several points, but not more than the API returns. */
export const intervalsOf = ({ from, to }: Period): Interval[] =>
  (Object.keys(lengths) as Interval[]).filter(
    (interval) => (interval === 'hour' || to - from > lengths[interval]) && (to - from) / lengths[interval] < pointsPerSeries - 2,
  );

/** The times for which a view asks. */
export type Asked = {
  readonly zone: string;
  readonly now: number;
  readonly period: Period;
  /** The period to compare with; undefined without a comparison, or if its clicks have expired. */
  readonly before: Period | undefined;
  readonly interval: Interval;
};

export function useAsked(view: StatsView, now: number): Asked {
  const { clickDays = Number.POSITIVE_INFINITY } = useMe().data?.limits ?? {};
  const zone = view.zone ?? ownZone();
  const period = periodOf(view.range, now, zone);
  const before = view.isCompared ? periodBefore(period, zone, unitOf(view.range)) : undefined;
  return {
    zone,
    now,
    period,
    before: before && before.from >= now - clickDays * dayMs ? before : undefined,
    interval: intervalsOf(period).find((one) => one === view.interval) ?? intervalFor(period),
  };
}

/** The current time, updated every quarter of an hour. */
export function useNow(): [now: number, moveOn: () => void] {
  const [now, setNow] = useState(Date.now);
  const next = endOfQuarter(now);
  useEffect(() => {
    const moveOn = () => {
      if (document.visibilityState === 'visible' && Date.now() >= next) setNow(Date.now());
    };
    const timer = setInterval(moveOn, 60_000);
    document.addEventListener('visibilitychange', moveOn);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', moveOn);
    };
  }, [next]);
  return [now, () => setNow(Date.now())];
}

const iso = (instant: number): string => new Date(instant).toISOString();

/** The scope of the view, as the API takes it. */
const scopeQuery = ({ domain, tags, match, filters }: StatsView) => ({
  ...(domain !== undefined && { domain }),
  ...(tags.length > 0 && { tagIds: [...tags], match }),
  ...Object.fromEntries(Object.entries(filters).map(([dimension, values]) => [dimension, values.map(escapedValue)])),
});

async function fetchStats(
  view: StatsView,
  { from, to }: Period,
  { zone, interval }: Asked,
  groups: { readonly groupBy?: RowDimension[]; readonly groupLimit?: number | undefined },
  signal: AbortSignal,
): Promise<Statistics> {
  const query = { from: iso(from), to: iso(to), interval, timezone: zone, ...groups, ...scopeQuery(view) };
  const { linkId } = view;
  if (linkId === undefined) return (await api.GET('/api/v1/stats', { params: { query }, signal })).data;
  return (await api.GET('/api/v1/links/{id}/stats', { params: { path: { id: linkId }, query }, signal })).data;
}

/** The scope of the view, without how it is shown. */
const scopeOf = ({ linkId, domain, tags, match, filters }: StatsView) => ({ linkId, domain, tags, match, filters });

/**
 * The series and the groups of a period.
 *
 * @param groupLimit the most values of each dimension; the API's default if undefined.
 */
export const useStats = (view: StatsView, asked: Asked, groupBy: readonly RowDimension[] = rowDimensions, groupLimit?: number) =>
  useQuery({
    queryKey: ['stats', scopeOf(view), asked.period, asked.interval, asked.zone, groupBy, groupLimit],
    queryFn: ({ signal }) =>
      fetchStats(view, asked.period, asked, groupBy.length > 0 ? { groupBy: [...groupBy], groupLimit } : {}, signal),
    placeholderData: keepPreviousData,
  });

/** The series of the previous period, only if the view compares. */
export const useStatsBefore = (view: StatsView, asked: Asked) =>
  useQuery({
    queryKey: ['stats before', scopeOf(view), asked.before, asked.interval, asked.zone],
    queryFn: ({ signal }) => fetchStats(view, asked.before ?? asked.period, asked, {}, signal),
    enabled: asked.before !== undefined,
  });

/** The most clicked links, page by page; none for a view of one link. */
export const useTopLinks = (view: StatsView, { period: { from, to } }: Asked) =>
  usePages(
    ['top links', scopeOf(view), from, to],
    async (cursor, signal): Promise<TopLinks> => {
      const query = { from: iso(from), to: iso(to), ...scopeQuery(view), ...(cursor !== undefined && { cursor }) };
      return (await api.GET('/api/v1/stats/top-links', { params: { query }, signal })).data;
    },
    { placeholderData: keepPreviousData, enabled: view.linkId === undefined },
  );
