import { Button } from '../parts/button.tsx';
import { count } from '../parts/time.ts';
import type { Statistics } from '../service/types.ts';
import type { SetView } from './controls.tsx';
import { bestOf, countIn, metricOf } from './plot-data.ts';
import type { Asked } from './queries.ts';
import type { StatsView } from './view.ts';
import { comparedName, comparisonText, pointName, trendText } from './words.ts';

type FiguresProps = {
  readonly view: StatsView;
  readonly setView: SetView;
  readonly asked: Asked;
  readonly stats: Statistics;
  /** The previous period; undefined if it is unknown or not compared. */
  readonly before: Statistics | undefined;
};

/** The sums of the period, and how they have changed. Choosing one plots it. */
export function Figures({ view, setView, asked, stats, before }: FiguresProps) {
  const { interval, zone } = asked;
  const metric = metricOf(stats, view.metric);
  const best = bestOf(stats.series, metric);
  const compared = asked.before && `compared with ${comparedName(asked.before, zone)}`;
  return (
    <div className="figures">
      <Figure
        name="Clicks"
        value={stats.total}
        before={before?.total}
        compared={compared}
        {...(stats.uniqueClicks !== null && { isPressed: metric === 'clicks', onPress: () => setView({ metric: 'clicks' }) })}
      />
      {stats.uniqueClicks !== null && (
        <Figure
          name="Unique clicks"
          value={stats.uniqueClicks}
          before={before && (before.uniqueClicks ?? 0)}
          compared={compared}
          isPressed={metric === 'unique'}
          onPress={() => setView({ metric: 'unique' })}
        />
      )}
      {best && (
        <div className="figure">
          <span className="figure-name">Best {interval}</span>
          <span className="figure-value">{count(countIn(best, metric))}</span>
          <span className="figure-change">{pointName(Date.parse(best.start), interval, zone)}</span>
        </div>
      )}
    </div>
  );
}

type FigureProps = {
  readonly name: string;
  readonly value: number;
  readonly before: number | undefined;
  readonly compared: string | undefined;
  readonly isPressed?: boolean;
  readonly onPress?: () => void;
};

function Figure({ name, value, before, compared, isPressed, onPress }: FigureProps) {
  const content = (
    <>
      <span className="figure-name">{name}</span>
      <span className="figure-value">{count(value)}</span>
      {before === undefined ? <span className="figure-change" /> : <Change now={value} before={before} compared={compared} />}
    </>
  );
  if (!onPress) return <div className="figure">{content}</div>;
  return (
    <Button kind="bare" className="figure" aria-pressed={isPressed} onClick={onPress}>
      {content}
    </Button>
  );
}

/** How a number has changed, at a glance. The tooltip has the whole comparison, which is also read aloud. */
export function Change({ now, before, compared }: { now: number; before: number; compared: string | undefined }) {
  const whole = [comparisonText(now, before), compared].filter(Boolean).join(', ');
  return (
    <span className={`figure-change ${now > before ? 'good' : now < before ? 'bad' : ''}`} title={whole}>
      <span aria-hidden="true">{trendText(now, before)}</span>
      <span className="hidden">{whole}</span>
    </span>
  );
}
