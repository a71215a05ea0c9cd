import { useEffect } from 'react';
import { count } from '../parts/time.ts';
import { queries, useMe } from '../service/queries.ts';
import type { Me } from '../service/types.ts';
import { fixedLimits, usedLimits } from './words.ts';

/** What is used of each limit, and those that nothing uses up. */
export function LimitsScreen({ me }: { readonly me: Me }) {
  // Other screens keep it for minutes; here it is what people look at.
  useEffect(() => void queries.invalidateQueries({ queryKey: ['me'] }), []);
  const { limits } = useMe().data ?? me;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and nothing in it takes the focus
    <section className="screen" tabIndex={0} aria-label="Limits">
      <h1>Limits</h1>
      <ul className="entries">
        {usedLimits(limits).map(({ name, used, limit, when }) => (
          <li key={name} className="entry">
            <div className="entry-main">
              <span id={`limit ${name}`}>{name}</span>
              {when && <span className="small">{when}</span>}
            </div>
            <div className="entry-side used">
              <meter aria-labelledby={`limit ${name}`} min={0} max={limit} high={limit * 0.8} optimum={0} value={used} />
              <span className="number">
                {count(used)} of {count(limit)}
              </span>
            </div>
          </li>
        ))}
      </ul>
      <h2>For each request, link and workspace</h2>
      <dl className="in-use wide">
        {fixedLimits(limits).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="small">
        There is no limit on the number of links. Of the requests a second, one in ten may be for lists, statistics or exports.
        Ask the operator if you need more.
      </p>
    </section>
  );
}
