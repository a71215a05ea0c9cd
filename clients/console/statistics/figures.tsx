import { count } from '../parts/time.ts';
import type { Statistics } from '../service/types.ts';
import type { SetView } from './controls.tsx';
import { bestOf, metricOf } from './plot-data.ts';
import type { Asked } from './queries.ts';
import type { StatsView } from './view.ts';
import { comparedName, comparisonText, pointName } from './words.ts';

type FiguresProps = {
  readonly view: StatsView;
  readonly setView: SetView;
  readonly asked: Asked;
  readonly stats: Statistics;
  /** The period before; undefined if it is not known or not compared. */
  readonly before: Statistics | undefined;
};

/** The sums of the period, and how they have changed. Choosing one plots it. */
export function Figures({ view, setView, asked, stats, before }: FiguresProps) {
  const { interval, zone, period } = asked;
  const canPlotUnique = metricOf(stats.series, 'unique') === 'unique';
  const metric = metricOf(stats.series, view.metric);
  const best = bestOf(stats.series, metric);
  const compared = asked.before && `compared with ${comparedName(asked.before, zone)}`;
  const unique = before && finishedUnique(stats, before, period.isRunning);
  return (
    <div className="figures">
      <Figure
        name="Clicks"
        value={stats.total}
        change={before && comparisonText(stats.total, before.total)}
        isGrowth={before && stats.total - before.total}
        compared={compared}
        {...(canPlotUnique && { isPressed: metric === 'clicks', onPress: () => setView({ metric: 'clicks' }) })}
      />
      {stats.uniqueClicks !== null && (
        <Figure
          name="Unique clicks"
          value={stats.uniqueClicks}
          // A visitor counts once a day, so that a day that has just begun is not compared with a whole one.
          change={unique && comparisonText(...unique, period.isRunning ? `without ${running[interval]}` : '')}
          isGrowth={unique && unique[0] - unique[1]}
          compared={compared}
          {...(canPlotUnique && { isPressed: metric === 'unique', onPress: () => setView({ metric: 'unique' }) })}
        />
      )}
      {best && (
        <div className="figure">
          <span className="figure-name">Best {interval}</span>
          <span className="figure-value">{count(metric === 'clicks' ? best.clicks : (best.uniqueClicks ?? 0))}</span>
          <span className="figure-change">{pointName(Date.parse(best.start), interval, zone)}</span>
        </div>
      )}
    </div>
  );
}

const running = { hour: 'this hour', day: 'today', week: 'this week', month: 'this month' } as const;

/** The unique clicks of both periods up to the last point that is finished; undefined if points do not know them. */
function finishedUnique(now: Statistics, before: Statistics, isRunning: boolean): [number, number] | undefined {
  const sums = [now, before].map(({ series }) => {
    const finished = isRunning ? series.slice(0, -1) : series;
    if (finished.length === 0 || finished.some(({ uniqueClicks }) => uniqueClicks === null)) return undefined;
    return finished.reduce((sum, { uniqueClicks }) => sum + (uniqueClicks ?? 0), 0);
  });
  const [one, other] = sums;
  return one === undefined || other === undefined ? undefined : [one, other];
}

type FigureProps = {
  readonly name: string;
  readonly value: number;
  readonly change: string | undefined;
  readonly isGrowth: number | undefined;
  readonly compared: string | undefined;
  readonly isPressed?: boolean;
  readonly onPress?: () => void;
};

function Figure({ name, value, change, isGrowth = 0, compared, isPressed, onPress }: FigureProps) {
  const content = (
    <>
      <span className="figure-name">{name}</span>
      <span className="figure-value">{count(value)}</span>
      <span className={`figure-change ${isGrowth > 0 ? 'good' : isGrowth < 0 ? 'bad' : ''}`} title={compared}>
        {change}
        {change && compared && <span className="hidden">, {compared}</span>}
      </span>
    </>
  );
  if (!onPress) return <div className="figure">{content}</div>;
  return (
    <button type="button" className="figure" aria-pressed={isPressed} onClick={onPress}>
      {content}
    </button>
  );
}
