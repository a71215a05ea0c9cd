import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import type { Interval } from '../../../lambdas/core/click/statistics.ts';
import { count } from '../parts/time.ts';
import { countIn, type Metric, type Point, plotData } from './plot-data.ts';
import { changeText, pointName, shortCount, shortPointName } from './words.ts';

export type PlotProps = {
  readonly points: readonly Point[];
  /** Of the period before; empty if nothing is compared. */
  readonly before: readonly Point[];
  readonly isRunning: boolean;
  readonly metric: Metric;
  readonly interval: Interval;
  readonly zone: string;
  /** Called with the places of the first and the last point that somebody has dragged over. */
  readonly onChoose: (first: number, last: number) => void;
};

const height = 240;
/** A narrower plot would be unreadable. */
const leastWidth = 200;
const font = '12px system-ui, sans-serif';
/** Room for the label of a place, in pixels. */
const labelSpace = 76;

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Steps between labelled places. */
const steps = [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 20, 21, 24, 28, 30, 48, 60, 90, 120];
/** Steps between labelled counts: whole ones only. */
const countSteps = [1, 2, 5].flatMap((n) => Array.from({ length: 13 }, (_, zeros) => n * 10 ** zeros)).sort((a, b) => a - b);

/** Draws a plot into an element, with the current props. https://github.com/leeoniya/uPlot */
function draw(element: HTMLElement, props: () => PlotProps, onPlace: (place: number | undefined) => void): uPlot {
  const label = (place: number): string => {
    const { points, interval, zone } = props();
    const point = points[place];
    const [first, last] = [points[0], points.at(-1)];
    const isOneDay =
      first !== undefined && last !== undefined && Date.parse(last.start) - Date.parse(first.start) < 25 * 60 * 60_000;
    return point ? shortPointName(Date.parse(point.start), interval, zone, isOneDay) : '';
  };
  const axis = { stroke: () => colour('--quiet'), font, ticks: { show: false } };
  // The area ends with the line, and has no outline.
  const line = {
    stroke: () => colour('--accent'),
    fill: () => colour('--area'),
    width: 2,
    points: { show: () => props().points.length <= 2, size: 8 },
  };
  const options: uPlot.Options = {
    width: Math.max(leastWidth, element.clientWidth),
    height,
    padding: [12, 24, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      // Snaps to the point whose numbers are shown. A pointer that has left is at -10.
      move: (self, left, top) => [left < 0 ? left : self.valToPos(self.posToIdx(left), 'x'), top],
      drag: { x: true, y: false, setScale: false },
      points: {
        size: 8,
        fill: () => colour('--page'),
        stroke: (_, series) => colour(series === 3 ? '--quiet' : '--accent'),
        width: 2,
      },
    },
    scales: {
      x: { time: false, range: (_, min, max) => (min === max ? [min - 1, max + 1] : [min, max]) },
      // Without clicks, the line is at the bottom, not in the middle.
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.08)] },
    },
    axes: [
      { ...axis, incrs: steps, space: labelSpace, grid: { show: false }, size: 28, values: (_, places) => places.map(label) },
      {
        ...axis,
        incrs: countSteps,
        space: 48,
        grid: { stroke: () => colour('--line'), width: 1 },
        size: 48,
        values: (_, counts) => counts.map(shortCount),
      },
    ],
    series: [
      {},
      line,
      {
        ...line,
        dash: [4, 4],
        // Only the last point of the segment is unfinished.
        points: {
          show: true,
          size: 9,
          width: 2,
          fill: () => colour('--page'),
          filter: (self) =>
            [(self.data[2] as (number | null)[]).findLastIndex((value) => value !== null)].filter((at) => at >= 0),
        },
      },
      {
        stroke: () => colour('--quiet'),
        width: 1,
        dash: [2, 3],
        cap: 'round',
        points: { show: () => props().before.length <= 2 },
      },
    ],
    hooks: {
      setCursor: [(self) => onPlace(self.cursor.idx ?? undefined)],
      setSelect: [
        (self) => {
          const { left, width } = self.select;
          if (width < 8) return;
          const [first, last] = [left, left + width].map((x) => Math.round(self.posToVal(x, 'x')));
          self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          props().onChoose(first ?? 0, last ?? 0);
        },
      ],
    },
  };
  return new uPlot(options, dataOf(props()), element);
}

const dataOf = ({ points, before, isRunning, metric }: PlotProps): uPlot.AlignedData =>
  plotData(points, before, isRunning, metric);

/** Clicks over time. People who cannot see it have the table beside it. */
export function Plot(props: PlotProps) {
  const element = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const kept = useRef(props);
  kept.current = props;
  const [place, setPlace] = useState<number>();
  useEffect(() => {
    const at = element.current;
    if (!at) return;
    const made = draw(at, () => kept.current, setPlace);
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: Math.max(leastWidth, at.clientWidth), height }));
    sizes.observe(at);
    const redraw = () => made.redraw(false, true);
    // A canvas does not follow changes of the theme, or to the colours for paper, by itself.
    const themes = new MutationObserver(redraw);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const paper = matchMedia('print');
    paper.addEventListener('change', redraw);
    return () => {
      paper.removeEventListener('change', redraw);
      sizes.disconnect();
      themes.disconnect();
      made.destroy();
      plot.current = undefined;
    };
  }, []);
  const { points, before, isRunning, metric, interval, zone } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: labels depend on the zone and the interval
  useEffect(() => {
    plot.current?.setData(plotData(points, before, isRunning, metric));
    // Equally many and equally high points may be of other days, so the labels are drawn again.
    plot.current?.redraw(false, true);
  }, [points, before, isRunning, metric, interval, zone]);
  return (
    <div className="plot-frame">
      <div ref={element} className="plot" aria-hidden="true" />
      {place !== undefined && <Tip {...props} place={place} left={plot.current?.cursor.left ?? 0} />}
    </div>
  );
}

/** Both dates, both numbers and the change at a place of the plot. */
function Tip({ points, before, isRunning, metric, interval, zone, place, left }: PlotProps & { place: number; left: number }) {
  const [point, former] = [points[place], before[place]];
  if (!point && !former) return null;
  const [value, valueBefore] = [point && countIn(point, metric), former && countIn(former, metric)];
  const isSoFar = isRunning && place === points.length - 1;
  const side = left > 320 ? { right: `calc(100% - ${left + 36}px)` } : { left: `${left + 60}px` };
  return (
    <div className="plot-tip" style={side} aria-hidden="true">
      {point && (
        <p>
          <span>
            {pointName(Date.parse(point.start), interval, zone)}
            {isSoFar && ', so far'}
          </span>{' '}
          <strong>{value === undefined ? '–' : count(value)}</strong>
        </p>
      )}
      {former && (
        <p className="quiet">
          <span>{pointName(Date.parse(former.start), interval, zone)}</span>{' '}
          <span>{valueBefore === undefined ? '–' : count(valueBefore)}</span>
        </p>
      )}
      {value !== undefined && valueBefore !== undefined && <p>{changeText(value, valueBefore)}</p>}
    </div>
  );
}
