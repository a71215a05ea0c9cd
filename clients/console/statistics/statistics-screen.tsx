import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { none, type RowDimension, unknown } from '../../../lambdas/core/click/click.ts';
import { ProblemError } from '../../typescript/problem.ts';
import { shortAddress } from '../parts/actions.ts';
import { Button } from '../parts/button.tsx';
import { downloadCsv } from '../parts/download.ts';
import { FailureNote } from '../parts/failure.tsx';
import { ScopePickers } from '../parts/filter/scope-pickers.tsx';
import { useEscape, usePageKeys } from '../parts/keys.ts';
import { Empty } from '../parts/kit/list.tsx';
import { Select } from '../parts/kit/select.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { counted } from '../parts/time.ts';
import { linkAt } from '../service/links.ts';
import { go, screenAddress, useAddress } from '../service/location.ts';
import { useTags } from '../service/queries.ts';
import type { Statistics, Tag, TopLinks } from '../service/types.ts';
import { DimensionPanel, linkBars, mostShown, Panel } from './bars.tsx';
import { Chips, everything } from './chips.tsx';
import { RangeControls, type SetView } from './controls.tsx';
import { Figures } from './figures.tsx';
import { metricOf } from './plot-data.ts';
import { PlotTable } from './plot-table.tsx';
import { type Asked, intervalsOf, useAsked, useNow, useStats, useStatsBefore, useTopLinks } from './queries.ts';
import { nextRange } from './ranges.ts';
import { statsCsv } from './stats-csv.ts';
import { isFiltered, parseView, type StatsView, writeView } from './view.ts';
import { clockTime, comparedName, periodName } from './words.ts';

const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

/** Clicks over time and by dimension: of all links, a domain, tags, or one link. */
export function StatisticsScreen() {
  const { query } = useAddress();
  const view = parseView(query);
  const [now, moveOn] = useNow();
  const asked = useAsked(view, now);
  const setView: SetView = (change) => go({ query: writeView({ ...view, ...change }) });
  useKeys(view, setView, asked);
  const link = useQuery({
    ...linkAt(view.linkId ?? '').query,
    enabled: view.linkId !== undefined,
  });
  const address = link.data?.value.shortUrl;
  const linkName = address === undefined ? (link.error ? 'a deleted link' : '…') : shortAddress(address);
  const { data: tags = [] } = useTags(view.tags.length > 0);
  const stats = useStats(view, asked);
  return (
    <section className="screen stats" aria-label="Statistics">
      <header className="stats-head">
        <h1>
          Statistics of{' '}
          {view.linkId === undefined ? <bdi>{scopeName(view, tags)}</bdi> : <bdi className="stats-link">{linkName}</bdi>}
        </h1>
        {view.linkId === undefined ? (
          <div className="scope-fields">
            <ScopePickers scope={view} onChange={setView} />
          </div>
        ) : (
          <>
            {link.data && (
              <PageLink to={{ ...screenAddress('links'), linkId: view.linkId }} className="button">
                Open link
              </PageLink>
            )}
            <PageLink to={{ query: writeView({ ...view, ...everything }) }} className="button">
              All links
            </PageLink>
          </>
        )}
        <Chips view={view} setView={setView} />
      </header>
      <RangeControls
        view={view}
        setView={setView}
        period={asked.period}
        now={now}
        zone={asked.zone}
        isOfLink={view.linkId !== undefined}
      />
      {stats.data ? (
        <Counted
          view={view}
          setView={setView}
          asked={asked}
          stats={stats.data}
          isOld={stats.isPlaceholderData}
          error={stats.error}
          onCountAgain={() => {
            moveOn();
            void stats.refetch();
          }}
        />
      ) : stats.error ? (
        <Uncounted error={stats.error} onRetry={() => void stats.refetch()} />
      ) : (
        <Skeleton />
      )}
    </section>
  );
}

/** The name of what is counted. */
const scopeName = ({ domain, tags }: StatsView, known: readonly Tag[]): string => {
  const [first] = tags;
  const tag = tags.length === 1 ? (known.find(({ id }) => id === first)?.name ?? 'a tag') : 'tags';
  if (first === undefined) return domain ?? 'all links';
  return domain === undefined ? `links with ${tag}` : `${domain} with ${tag}`;
};

/** ← → move the range, `T 7 3 9` choose one, `X` compares, `V` shows the table; Esc removes filters. */
function useKeys(view: StatsView, setView: SetView, { now, zone }: Asked): void {
  const move = (direction: 1 | -1) => () => {
    const range = nextRange(view.range, direction, now, zone);
    if (range !== undefined) setView({ range });
  };
  const choose = (range: StatsView['range']) => () => setView({ range, interval: undefined });
  usePageKeys({
    ArrowLeft: move(-1),
    ArrowRight: move(1),
    t: choose('today'),
    7: choose('7d'),
    3: choose('30d'),
    9: choose('90d'),
    x: () => setView({ isCompared: !view.isCompared }),
    v: () => setView({ isTable: !view.isTable }),
  });
  const hasFilters = isFiltered(view.filters);
  const isOfAll = view.linkId === undefined && view.domain === undefined && view.tags.length === 0;
  useEscape(() => setView(hasFilters ? { filters: {} } : everything), hasFilters || !isOfAll);
}

type CountedProps = {
  readonly view: StatsView;
  readonly setView: SetView;
  readonly asked: Asked;
  readonly stats: Statistics;
  /** Whether these are the previous view's numbers, until the new ones are loaded. */
  readonly isOld: boolean;
  readonly error: unknown;
  readonly onCountAgain: () => void;
};

function Counted({ view, setView, asked, stats, isOld, error, onCountAgain }: CountedProps) {
  const before = useStatsBefore(view, asked);
  const top = useTopLinks(view, asked);
  const { zone, period } = asked;
  return (
    <>
      {error ? <Uncounted error={error} onRetry={onCountAgain} /> : null}
      <div className={isOld ? 'stats-counted old' : 'stats-counted'} aria-busy={isOld}>
        <Figures view={view} setView={setView} asked={asked} stats={stats} before={isOld ? undefined : before.data} />
        <Series view={view} setView={setView} asked={asked} stats={stats} before={before} isOld={isOld} />
        <div className="stats-about small">
          {stats.total > 0 && <span>Bars show shares of {counted(stats.total, 'click')}.</span>}
          <span className="spacer" />
          <span role="status">Updated {clockTime(Date.parse(stats.readAt), zone)}</span>
          <Button kind="link" onClick={onCountAgain}>
            Refresh
          </Button>
          <Button
            kind="link"
            disabled={isOld || before.isLoading || top.isLoading || top.isPlaceholderData}
            onClick={() =>
              downloadCsv([statsCsv(stats, before.data, linksOf(top))], `statistics ${period.days.from} to ${period.days.to}.csv`)
            }
          >
            Download CSV
          </Button>
        </div>
        {stats.total === 0 && !isOld ? (
          <Empty
            text={`No clicks ${period.days.from === period.days.to ? 'on' : 'from'} ${periodName(period, zone).replace(' – ', ' to ')}.`}
          >
            {isFiltered(view.filters) ? (
              <Button onClick={() => setView({ filters: {} })}>Clear filters</Button>
            ) : view.range !== '90d' ? (
              <Button onClick={() => setView({ range: '90d', interval: undefined })}>Show 90 days</Button>
            ) : (
              <PageLink to={{ ...screenAddress('links'), linkId: view.linkId }} className="button">
                {view.linkId === undefined ? 'Go to the links' : 'Go to the link'}
              </PageLink>
            )}
          </Empty>
        ) : (
          <Panels view={view} asked={asked} stats={stats} />
        )}
      </div>
    </>
  );
}

const dayOf = (instant: number, zone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(instant);

type SeriesProps = Omit<CountedProps, 'error' | 'onCountAgain'> & { readonly before: ReturnType<typeof useStatsBefore> };

const intervalNames = { hour: 'Hourly', day: 'Daily', week: 'Weekly', month: 'Monthly' } as const;

/** The plot or its table, with the comparison and the interval. */
function Series({ view, setView, asked, stats, before, isOld }: SeriesProps) {
  const { zone, period, interval } = asked;
  const points = stats.series;
  const former = (!isOld && before.data?.series) || [];
  const shared = { points, before: former, isRunning: period.isRunning, interval, zone };
  const caption = `Clicks by ${interval}, ${periodName(period, zone)}`;
  const choose = (first: number, last: number) => {
    const [from, to] = [first, last].map((place) => points[Math.max(0, Math.min(points.length - 1, place))]?.start);
    if (from === undefined || to === undefined) return;
    setView({ range: { from: dayOf(Date.parse(from), zone), to: dayOf(Date.parse(to), zone) }, interval: undefined });
  };
  return (
    <section className="series" aria-label="Clicks over time">
      <div className="series-head">
        <label className="check">
          <input type="checkbox" checked={view.isCompared} onChange={() => setView({ isCompared: !view.isCompared })} />
          Compare with {asked.before ? comparedName(asked.before, zone) : 'the period before'}
          {view.isCompared && !asked.before && ', whose clicks are no longer kept'}
        </label>
        {before.error && asked.before ? (
          <span className="field-error">
            The period before could not be loaded.{' '}
            <Button kind="link" onClick={before.refetch}>
              Try again
            </Button>
          </span>
        ) : null}
        <span className="spacer" />
        <Legend hasBefore={former.length > 0} isRunning={period.isRunning} interval={interval} />
        <fieldset className="segments">
          <legend className="hidden">Shown as</legend>
          <Button kind="bare" aria-pressed={!view.isTable} onClick={() => setView({ isTable: false })}>
            Chart
          </Button>
          <Button kind="bare" aria-pressed={view.isTable} onClick={() => setView({ isTable: true })}>
            Table
          </Button>
        </fieldset>
        <Select
          aria-label="Interval"
          className="fitting"
          value={interval}
          options={intervalsOf(period).map((one) => [one, intervalNames[one]])}
          onChoose={(chosen) => setView({ interval: chosen })}
        />
      </div>
      {view.isTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and nothing in it takes the focus
        <section className="table-frame" tabIndex={0} aria-label={caption}>
          <PlotTable {...shared} caption={caption} />
        </section>
      ) : (
        <>
          <Suspense fallback={<div className="plot-frame" />}>
            <Plot {...shared} metric={metricOf(stats, view.metric)} onChoose={isOld ? () => {} : choose} />
          </Suspense>
          <div className="hidden">
            <PlotTable {...shared} caption={caption} />
          </div>
        </>
      )}
    </section>
  );
}

const runningNames = { hour: 'This hour', day: 'Today', week: 'This week', month: 'This month' } as const;

const Legend = ({ hasBefore, isRunning, interval }: { hasBefore: boolean; isRunning: boolean; interval: Asked['interval'] }) => (
  <ul className="legend" aria-hidden="true">
    <li>
      <span className="stroke" /> This period
    </li>
    {hasBefore && (
      <li>
        <span className="stroke dotted" /> Before
      </li>
    )}
    {isRunning && (
      <li>
        <span className="stroke ring" /> {runningNames[interval]}, so far
      </li>
    )}
  </ul>
);

/** Dimensions that not every click has. */
const optional: readonly RowDimension[] = ['variant', 'path', 'utmSource', 'utmMedium', 'utmCampaign'];

function Panels({ view, asked, stats }: { view: StatsView; asked: Asked; stats: Statistics }) {
  const panels = (...names: readonly RowDimension[]) =>
    names
      .filter((name) => !optional.includes(name) || stats.groups[name]?.some(({ value }) => value !== none && value !== unknown))
      .map((name) => <DimensionPanel key={name} dimension={name} stats={stats} view={view} asked={asked} />);
  return (
    <div className="stats-panels">
      <div>{panels('country', 'language', 'slug', 'path')}</div>
      <div>{panels('device', 'os', 'browser', 'variant')}</div>
      <div>
        {view.linkId === undefined && <Ranking view={view} asked={asked} stats={stats} />}
        {panels('referrer', 'source', 'utmSource', 'utmMedium', 'utmCampaign')}
      </div>
    </div>
  );
}

const linksOf = ({ data }: ReturnType<typeof useTopLinks>): TopLinks['links'] => data?.pages.flatMap(({ links }) => links) ?? [];

/** The most clicked links: some at first, then all. */
function Ranking({ view, asked, stats }: { view: StatsView; asked: Asked; stats: Statistics }) {
  const [isWhole, showWhole] = useState(false);
  const top = useTopLinks(view, asked);
  const { data, error, refetch, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } = top;
  const bars = linkBars(linksOf(top), view, asked.before !== undefined);
  const shown = isWhole ? bars : bars.slice(0, mostShown);
  const hasMore = shown.length < bars.length || hasNextPage;
  return (
    <div className={isPlaceholderData ? 'old' : undefined}>
      <Panel
        title="Top links"
        bars={shown}
        total={stats.total}
        more={
          hasMore && (
            <Button kind="link" disabled={isFetchingNextPage} onClick={() => (isWhole ? void fetchNextPage() : showWhole(true))}>
              Show more
            </Button>
          )
        }
      >
        {error && !data ? <Uncounted error={error} onRetry={() => void refetch()} /> : undefined}
      </Panel>
    </div>
  );
}

/** Says that something could not be counted, and what to do. */
function Uncounted({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  if (error instanceof ProblemError && error.code === 'too_much_to_read') {
    return (
      <p className="notice bad" role="alert">
        There are too many clicks to count at once. Choose a shorter range.
      </p>
    );
  }
  return <FailureNote error={error} what="Statistics could not be loaded." permission="stats:read" onRetry={onRetry} />;
}

/** Placeholders in the final size. They appear only if counting takes a moment. */
const Skeleton = () => (
  <div className="stats-skeleton" aria-hidden="true">
    <div />
    <div />
    <div />
  </div>
);
