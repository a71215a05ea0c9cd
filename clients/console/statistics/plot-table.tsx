import { count } from '../parts/time.ts';
import type { PlotProps } from './plot.tsx';
import { changeText, pointName } from './words.ts';

const shown = (number: number | null | undefined): string => (typeof number === 'number' ? count(number) : '–');

/** The numbers of the plot. */
export function PlotTable({
  points,
  before,
  isRunning,
  interval,
  zone,
  caption,
}: Omit<PlotProps, 'metric' | 'onChoose'> & { readonly caption: string }) {
  const hasUnique = points.some(({ uniqueClicks }) => uniqueClicks !== null);
  const places = Array.from({ length: Math.max(points.length, before.length) }, (_, place) => place);
  return (
    <table className="plot-table">
      <caption className="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">From</th>
          <th scope="col">Clicks</th>
          {hasUnique && <th scope="col">Unique clicks</th>}
          {before.length > 0 && (
            <>
              <th scope="col">Before</th>
              <th scope="col">Clicks before</th>
              <th scope="col">Change</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {places.map((place) => {
          const [point, former] = [points[place], before[place]];
          const isSoFar = isRunning && place === points.length - 1;
          return (
            <tr key={place}>
              <th scope="row">
                {point ? pointName(Date.parse(point.start), interval, zone) : '–'}
                {isSoFar && ', so far'}
              </th>
              <td>{shown(point?.clicks)}</td>
              {hasUnique && <td>{shown(point?.uniqueClicks)}</td>}
              {before.length > 0 && (
                <>
                  <td>{former ? pointName(Date.parse(former.start), interval, zone) : '–'}</td>
                  <td>{shown(former?.clicks)}</td>
                  <td>{point && former ? changeText(point.clicks, former.clicks) : '–'}</td>
                </>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
