// The data of a plot: points by position, so that both periods overlay each other even if clocks changed.

/** Points of a series as the API returns them. */
export type Point = { readonly start: string; readonly clicks: number; readonly uniqueClicks: number | null };
export type Metric = 'clicks' | 'unique';

export const countIn = ({ clicks, uniqueClicks }: Omit<Point, 'start'>, metric: Metric): number =>
  metric === 'clicks' ? clicks : (uniqueClicks ?? 0);

type Column = (number | null)[];

/** The metric to plot: unique clicks only if the stage counts them. */
export const metricOf = ({ uniqueClicks }: Pick<Point, 'uniqueClicks'>, wanted: Metric): Metric =>
  uniqueClicks === null ? 'clicks' : wanted;

/** The positions of points; this period; the segment to its last point if that is unfinished; the previous period. */
export type PlotData = [places: number[], finished: Column, unfinished: Column, before: Column];

/**
 * @param isRunning whether the last point of this period is unfinished. It is then drawn separately, so that a line
 * that falls towards it does not look like a loss.
 */
export function plotData(now: readonly Point[], before: readonly Point[], isRunning: boolean, metric: Metric): PlotData {
  const length = Math.max(now.length, before.length);
  const places = Array.from({ length }, (_, place) => place);
  const at = (points: readonly Point[], place: number): number | null => {
    const point = points[place];
    return point ? countIn(point, metric) : null;
  };
  const last = isRunning ? now.length - 1 : now.length;
  return [
    places,
    places.map((place) => (place < last ? at(now, place) : null)),
    places.map((place) => (isRunning && (place === last || place === last - 1) ? at(now, place) : null)),
    places.map((place) => at(before, place)),
  ];
}

/** The best point of a series; undefined if there is no click. */
export function bestOf<P extends Point>(points: readonly P[], metric: Metric): P | undefined {
  let best: P | undefined;
  for (const point of points) {
    if (countIn(point, metric) > (best ? countIn(best, metric) : 0)) best = point;
  }
  return best;
}
