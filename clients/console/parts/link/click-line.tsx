import { count } from '../time.ts';

const [width, height] = [300, 72];

/** Clicks day by day, as a line. */
export function ClickLine({ clicks }: { readonly clicks: readonly number[] }) {
  const most = Math.max(1, ...clicks);
  const step = width / Math.max(1, clicks.length - 1);
  const points = clicks.map((n, index) => `${(index * step).toFixed(1)},${(height - 2 - (n / most) * (height - 4)).toFixed(1)}`);
  return (
    <svg
      className="click-line"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Clicks a day: at most ${count(most)}, today ${count(clicks.at(-1) ?? 0)}`}
    >
      <polyline points={points.join(' ')} />
    </svg>
  );
}
