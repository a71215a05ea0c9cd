import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Dimension, dimensions } from '../../../lambdas/core/click/click.ts';
import { oldestRecords } from '../../../lambdas/core/click/records.ts';
import { type Interval, intervalFor, mostPoints } from '../../../lambdas/core/click/statistics.ts';
import { daysPerRanking } from '../../../lambdas/core/limits.ts';
import { ownZone } from '../parts/time.ts';
import { api } from '../service/client.ts';
import { useMe } from '../service/queries.ts';
import type { Statistics, TopLinks } from '../service/types.ts';
import { endOfQuarter, type Period, periodBefore, periodOf } from './ranges.ts';
import { isFiltered, type StatsView } from './view.ts';

// What the screen asks the service, and for which times.

const [hourMs, dayMs, quarterMs] = [60 * 60_000, 24 * 60 * 60_000, 15 * 60_000];
const lengths: Readonly<Record<Interval, number>> = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 28 * dayMs };

/** The lengths of points that a period can have: several points, and not more than the API gives. */
export const intervalsOf = ({ from, to }: Period): Interval[] =>
  (Object.keys(lengths) as Interval[]).filter(
    (interval) => (interval === 'hour' || to - from > lengths[interval]) && (to - from) / lengths[interval] < mostPoints - 2,
  );

/** What a view asks for at a certain time. */
export type Asked = {
  readonly zone: string;
  readonly now: number;
  readonly period: Period;
  /** What it is compared with; undefined if it is not. */
  readonly before: Period | undefined;
  readonly interval: Interval;
  /** Where records of clicks begin, if they limit what is shown. */
  readonly records: { readonly from: number; readonly days: number; readonly cutsBefore: boolean } | undefined;
};

/** @param clickDays for how many days records are kept, which filters need. */
function askedBy(view: StatsView, now: number, clickDays: number): Asked {
  const zone = view.zone ?? ownZone();
  const whole = periodOf(view.range, now, zone);
  // A quarter more, so that the service's clock may be ahead.
  const oldest = isFiltered(view.filters) ? oldestRecords(now, clickDays) + quarterMs : Number.NEGATIVE_INFINITY;
  const period = whole.from < oldest && oldest < whole.to ? { ...whole, from: oldest } : whole;
  const before = view.isCompared ? periodBefore(whole, zone) : undefined;
  const isCut = period !== whole;
  const cutsBefore = before !== undefined && before.from < oldest;
  const possible = intervalsOf(period);
  return {
    zone,
    now,
    period,
    before: cutsBefore ? undefined : before,
    interval: possible.find((one) => one === view.interval) ?? intervalFor(period),
    records: isCut || cutsBefore ? { from: oldest, days: clickDays, cutsBefore } : undefined,
  };
}

/** The time, which moves on with each quarter of an hour, because the service counts by these. */
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

export function useAsked(view: StatsView, now: number): Asked {
  const { clickDays = 30 } = useMe().data?.limits ?? {};
  return askedBy(view, now, clickDays);
}

const iso = (instant: number): string => new Date(instant).toISOString();

async function fetchStats(
  { linkId, domain, tags, match, filters }: StatsView,
  { from, to }: Period,
  { zone, interval }: Asked,
  groupBy: readonly Dimension[],
  signal: AbortSignal,
): Promise<Statistics> {
  const query = {
    from: iso(from),
    to: iso(to),
    interval,
    timezone: zone,
    ...(groupBy.length > 0 && { groupBy: [...groupBy] }),
  };
  if (linkId !== undefined) {
    const values = Object.fromEntries(Object.entries(filters).map(([dimension, list]) => [dimension, [...list]]));
    const params = { path: { id: linkId }, query: { ...query, ...values } };
    return (await api.GET('/api/v1/links/{id}/stats', { params, signal })).data;
  }
  const scope = scopeQuery({ domain, tags, match });
  return (await api.GET('/api/v1/stats', { params: { query: { ...query, ...scope } }, signal })).data;
}

const scopeQuery = ({ domain, tags, match }: Pick<StatsView, 'domain' | 'tags' | 'match'>) => ({
  ...(domain !== undefined && { domain }),
  ...(tags.length > 0 && { tagIds: [...tags], match }),
});

/** What is counted, without how it is shown. */
const scopeOf = ({ linkId, domain, tags, match, filters }: StatsView) => ({ linkId, domain, tags, match, filters });

/** The series and the groups of a period. */
export const useStats = (view: StatsView, asked: Asked) =>
  useQuery({
    queryKey: ['stats', scopeOf(view), asked.period, asked.interval, asked.zone],
    queryFn: ({ signal }) => fetchStats(view, asked.period, asked, dimensions, signal),
    placeholderData: keepPreviousData,
  });

/** The series of the period before. It is only there if the view compares. */
export const useStatsBefore = (view: StatsView, asked: Asked) =>
  useQuery({
    queryKey: ['stats before', scopeOf(view), asked.before, asked.interval, asked.zone],
    queryFn: ({ signal }) => fetchStats(view, asked.before ?? asked.period, asked, [], signal),
    enabled: asked.before !== undefined,
  });

/** The range of the most clicked links: the newest days of a period that has too many. */
export const rankedPeriod = ({ from, to }: Period): { readonly from: number; readonly to: number; readonly isCut: boolean } => {
  // One of the days may have 25 hours, and the service allows for one hour more.
  const most = daysPerRanking * dayMs + hourMs;
  return to - from > most ? { from: to - daysPerRanking * dayMs, to, isCut: true } : { from, to, isCut: false };
};

/** How many of the most clicked links are fetched. */
const mostRanked = 50;

export const useTopLinks = (view: StatsView, { period }: Asked) => {
  const { from, to } = rankedPeriod(period);
  const scope = scopeQuery(view);
  return useQuery<TopLinks>({
    queryKey: ['top links', scope, from, to],
    queryFn: async ({ signal }) => {
      const query = { from: iso(from), to: iso(to), limit: mostRanked, ...scope };
      return (await api.GET('/api/v1/stats/top-links', { params: { query }, signal })).data;
    },
    enabled: view.linkId === undefined,
    placeholderData: keepPreviousData,
  });
};
