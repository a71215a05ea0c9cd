import { useEffect } from 'react';
import { Entry } from '../parts/kit/entry.tsx';
import { Status } from '../parts/kit/status.tsx';
import { count } from '../parts/time.ts';
import { queries, useMe } from '../service/queries.ts';
import type { Me } from '../service/types.ts';
import { fixedLimits, nextSeconds, usedLimits } from './words.ts';

/** While something is used up, the page asks again when there is more, but within these bounds. */
const [leastMs, mostMs] = [2_000, 10_000];

/** How much of each limit is used, and the limits that nothing uses up. */
export function LimitsScreen({ me }: { readonly me: Me }) {
  // Other screens cache it for minutes; here people look at it.
  useEffect(() => void queries.invalidateQueries({ queryKey: ['me'] }), []);
  const { data: { limits } = me, dataUpdatedAt } = useMe();
  const seconds = nextSeconds(limits);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer starts another wait, even of the same length
  useEffect(() => {
    if (seconds === undefined) return;
    const timer = setTimeout(
      () => void queries.invalidateQueries({ queryKey: ['me'] }),
      Math.min(mostMs, Math.max(leastMs, seconds * 1_000)),
    );
    return () => clearTimeout(timer);
  }, [seconds, dataUpdatedAt]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and nothing in it takes the focus
    <section className="screen" tabIndex={0} aria-label="Usage">
      <h1>Usage</h1>
      <ul className="entries">
        {usedLimits(limits).map(({ name, used, limit, when, level, word, advice }) => (
          <Entry
            key={name}
            sideClass="used"
            side={
              <>
                <span
                  role="meter"
                  aria-label={name}
                  aria-valuemin={0}
                  aria-valuemax={limit}
                  aria-valuenow={Math.min(used, limit)}
                  aria-valuetext={`${count(used)} of ${count(limit)}`}
                  className={`meter ${level}`}
                >
                  <span style={{ width: `${Math.min(100, (used / limit) * 100)}%` }} />
                </span>
                <span className="number">
                  {count(used)} of {count(limit)}
                  {level === 'full' && <Status icon="stop" tone="bad" word={word} />}
                  {level === 'near' && <Status icon="alert" tone="warning" word={word} />}
                </span>
              </>
            }
          >
            <span>{name}</span>
            {(when || advice) && <span className="small">{[when, advice].filter(Boolean).join('. ')}</span>}
          </Entry>
        ))}
      </ul>
      <h2>Other limits</h2>
      <dl className="in-use wide">
        {fixedLimits(limits).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="small">
        There is no limit on the number of links. Up to a tenth of the requests per second can be for lists, statistics or
        exports. If you need more, ask the operator of this service.
      </p>
    </section>
  );
}
