import { type ReactNode, useState } from 'react';
import type { RowDimension } from '../../../lambdas/core/click/click.ts';
import { valuesPerGroup } from '../../../lambdas/core/limits.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/kit/dialog.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { count } from '../parts/time.ts';
import type { Address } from '../service/address.ts';
import { addressAbout } from '../service/location.ts';
import type { Statistics, TopLinks } from '../service/types.ts';
import { Change } from './figures.tsx';
import { type Asked, useStats } from './queries.ts';
import { type StatsView, toggled, writeView } from './view.ts';
import { dimensionNames, shareText, valueName } from './words.ts';

/** A row of a panel: its name on a bar, its clicks and its share beside it. */
export type Bar = {
  readonly key: string;
  readonly name: string;
  readonly clicks: number;
  /** Its clicks in the period before; undefined if nothing is compared. */
  readonly before?: number;
  /** Its link within the console, if it has one. */
  readonly to?: Partial<Address>;
  readonly title?: string;
  /** Whether the clicks are filtered by it. */
  readonly isChosen?: boolean;
  /** Whether it stands for something without a name. */
  readonly isQuiet?: boolean;
};

/** How many bars a panel has at first. */
export const mostShown = 8;

type PanelProps = {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** All clicks, of which the bars show parts. */
  readonly total: number;
  /** The row below the bars. */
  readonly more?: ReactNode;
  /** Shown in place of bars, for example an error. */
  readonly children?: ReactNode;
};

export function Panel({ title, children, ...bars }: PanelProps) {
  const heading = `panel-${title.replaceAll(' ', '-')}`;
  return (
    <section className="stats-panel" aria-labelledby={heading}>
      <h2 id={heading}>{title}</h2>
      {children ?? <BarList {...bars} />}
    </section>
  );
}

type BarListProps = Pick<PanelProps, 'bars' | 'total' | 'more'> & { readonly onGo?: () => void };

const BarList = ({ bars, total, more, onGo }: BarListProps) => (
  <ul className="bars">
    {bars.map(({ key, name, clicks, before, to, title, isChosen = false, isQuiet = false }) => (
      <li key={key} className={isChosen ? 'bar-row chosen' : 'bar-row'}>
        <span className="bar-name">
          <span className="bar" style={{ width: `${Math.min(100, (100 * clicks) / (total || 1))}%` }} />
          {to ? (
            <PageLink to={to} className="bar-label cut" title={title} isCurrent={isChosen} onGo={onGo}>
              <bdi>{name}</bdi>
            </PageLink>
          ) : (
            <span className={isQuiet ? 'bar-label cut quiet' : 'bar-label cut'} title={name}>
              <bdi>{name}</bdi>
            </span>
          )}
        </span>
        {before !== undefined && <Change now={clicks} before={before} compared="in the period before" />}
        <Share clicks={clicks} total={total} />
      </li>
    ))}
    {more && <li className="bar-row">{more}</li>}
  </ul>
);

const Share = ({ clicks, total }: { readonly clicks: number; readonly total: number }) => (
  <>
    <span className="number">{count(clicks)}</span>
    <span className="number share">{shareText(clicks, total)}</span>
  </>
);

type DimensionProps = {
  readonly dimension: RowDimension;
  readonly stats: Statistics;
  readonly view: StatsView;
  readonly asked: Asked;
};

/** The most frequent values of a dimension, and a row with all others, which shows them. */
export function DimensionPanel(props: DimensionProps) {
  const [isOpen, open] = useState(false);
  const { dimension, stats } = props;
  const title = dimensionNames[dimension];
  return (
    <>
      <Panel
        title={title}
        total={stats.total}
        {...barsOf(props, mostShown, (name) => (
          <Button kind="link" aria-label={`${name} of ${title}`} onClick={() => open(true)}>
            {name}
          </Button>
        ))}
      />
      {isOpen && <AllValues {...props} onClose={() => open(false)} />}
    </>
  );
}

/** All values that the API returns, with a search. */
function AllValues({ onClose, ...props }: DimensionProps & { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const { dimension, view, asked } = props;
  const { data: stats = props.stats } = useStats(view, asked, [dimension], valuesPerGroup.most);
  const title = dimensionNames[dimension];
  const wanted = text.trim().toLowerCase();
  const { bars, more } = barsOf({ ...props, stats }, valuesPerGroup.most, (name) => <span className="bar-label">{name}</span>);
  const found = bars.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <Dialog title={title} onClose={onClose}>
      <input
        type="search"
        aria-label={`Search ${title.toLowerCase()}`}
        placeholder="Search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="all-bars">
        <BarList bars={found} total={stats.total} more={wanted === '' && more} onGo={onClose} />
        {found.length === 0 && <p className="small">Nothing matches.</p>}
      </div>
    </Dialog>
  );
}

/**
 * The first values of a dimension, and a row with the rest, so that they add up to all clicks. Choosing a value
 * filters.
 *
 * @param showMore the name of that row.
 */
function barsOf({ dimension, stats, view }: DimensionProps, most: number, showMore: (name: string) => ReactNode) {
  const values = stats.groups[dimension] ?? [];
  const rest = stats.rest[dimension] ?? { values: 0, clicks: 0 };
  const hidden = values.slice(most);
  const left = hidden.length + rest.values;
  const bars = values.slice(0, most).map(({ value, clicks }): Bar => {
    const name = valueName(dimension, value);
    const isChosen = view.filters[dimension]?.includes(value) ?? false;
    const query = writeView({ ...view, filters: toggled(view.filters, dimension, value) });
    const title = isChosen ? `Remove the filter ${name}` : `Show only ${name}`;
    return { key: value, name, clicks, isChosen, to: { query }, title };
  });
  const more = left > 0 && (
    <>
      <span className="bar-name">{showMore(`${count(left)} more`)}</span>
      <Share clicks={hidden.reduce((sum, { clicks }) => sum + clicks, rest.clicks)} total={stats.total} />
    </>
  );
  return { bars, more };
}

/** The path of a short link, or its whole address if links of several domains are ranked. */
const linkName = (shortUrl: string, hasDomain: boolean): string => {
  const { host, pathname } = new URL(shortUrl);
  return hasDomain ? `${host}${pathname}` : pathname;
};

/**
 * Rows for the most clicked links, by their titles. @param isCompared whether they show how their clicks have changed
 */
export function linkBars(links: TopLinks['links'], view: StatsView, isCompared: boolean): readonly Bar[] {
  const hosts = new Set(links.flatMap(({ shortUrl }) => (shortUrl === null ? [] : [new URL(shortUrl).host])));
  return links.map(({ id, shortUrl, title, clicks, previous }) => {
    const counts = { key: id, clicks, ...(isCompared && { before: previous.clicks }) };
    if (shortUrl === null) return { ...counts, name: 'deleted link', isQuiet: true };
    const query = writeView({ ...view, linkId: id, domain: undefined, tags: [], match: 'any' });
    const name = linkName(shortUrl, hosts.size > 1);
    return { ...counts, name: title ?? name, to: { ...addressAbout('statistics', id), query }, title: `Statistics of ${name}` };
  });
}
