import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestOf, metricOf, plotData } from '../../../../clients/console/statistics/plot-data.ts';

const points = (counts: readonly number[]) =>
  counts.map((clicks, place) => ({ start: new Date(place * 86_400_000).toJSON(), clicks, uniqueClicks: Math.floor(clicks / 2) }));
const series = fc.array(fc.nat(1_000), { maxLength: 40 }).map(points);

test('Each count of the API is drawn once, at its place; only the line to an unfinished point is drawn separately.', () => {
  fc.assert(
    fc.property(series, series, fc.boolean(), fc.constantFrom('clicks', 'unique'), (now, before, isRunning, metric) => {
      const [places, finished, unfinished, former] = plotData(now, before, isRunning, metric);
      const valueAt = (place: number) => (metric === 'clicks' ? now[place]?.clicks : now[place]?.uniqueClicks);
      expect(places.length).toBe(Math.max(now.length, before.length));
      for (const place of places) {
        const isLast = isRunning && place === now.length - 1;
        expect(finished[place]).toBe(isLast ? null : (valueAt(place) ?? null));
        if (isLast) expect(unfinished[place]).toBe(valueAt(place));
        expect(former[place]).toBe((metric === 'clicks' ? before[place]?.clicks : before[place]?.uniqueClicks) ?? null);
      }
      expect(unfinished.filter((value) => value !== null).length).toBe(isRunning ? Math.min(2, now.length) : 0);
    }),
  );
});

test('Unique clicks are plotted only if they are counted; the best point is the first of the highest.', () => {
  expect(metricOf({ uniqueClicks: 0 }, 'unique')).toBe('unique');
  expect(metricOf({ uniqueClicks: null }, 'unique')).toBe('clicks');
  expect(bestOf(points([1, 7, 7]), 'clicks')?.start).toBe('1970-01-02T00:00:00.000Z');
  expect(bestOf(points([0, 0]), 'clicks')).toBeUndefined();
});
