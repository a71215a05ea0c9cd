import { type ReactNode, useState } from 'react';
import type { Dimension } from '../../../lambdas/core/click/click.ts';
import { Dialog } from '../parts/dialog.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { count } from '../parts/time.ts';
import type { Address } from '../service/address.ts';
import { addressAbout } from '../service/location.ts';
import type { Statistics, TopLinks } from '../service/types.ts';
import { type StatsView, toggled, writeView } from './view.ts';
import { dimensionNames, shareText, valueName } from './words.ts';

/** A row of a panel: its name on a bar, its clicks and its share beside it. */
export type Bar = {
  readonly key: string;
  readonly name: string;
  readonly clicks: number;
  /** Where it leads; undefined if it leads nowhere. */
  readonly to?: Partial<Address>;
  readonly title?: string;
  /** Whether the clicks are filtered by it. */
  readonly isChosen?: boolean;
  /** Stands for something without a name. */
  readonly isQuiet?: boolean;
};

const mostShown = 8;

type PanelProps = {
  readonly title: string;
  readonly bars: readonly Bar[];
  /** The clicks of all values, also of those that are not there; undefined if that is not known. */
  readonly sum: number | undefined;
  readonly note?: string;
  /** In place of bars, for example an error. */
  readonly children?: ReactNode;
};

/** The most frequent values, and a button for all of them. */
export function Panel({ title, bars, sum, note, children }: PanelProps) {
  const [isOpen, open] = useState(false);
  const heading = `panel-${title.replaceAll(' ', '-')}`;
  return (
    <section className="stats-panel" aria-labelledby={heading}>
      <h2 id={heading}>
        {title}
        {sum !== undefined && <span className="panel-sum"> · {count(sum)}</span>}
      </h2>
      {note && <p className="small">{note}</p>}
      {children ?? <BarList bars={bars.slice(0, mostShown)} sum={sum} most={bars[0]?.clicks ?? 0} />}
      {bars.length > mostShown && (
        <button
          type="button"
          className="link-button all"
          aria-label={`All ${bars.length} of ${title}`}
          onClick={() => open(true)}
        >
          All {bars.length}
        </button>
      )}
      {isOpen && <AllBars title={title} bars={bars} sum={sum} onClose={() => open(false)} />}
    </section>
  );
}

function AllBars({ title, bars, sum, onClose }: PanelProps & { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = bars.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <Dialog title={`${title} · ${bars.length}`} onClose={onClose}>
      <input
        type="search"
        aria-label={`Search ${title.toLowerCase()}`}
        placeholder="Search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="all-bars">
        <BarList bars={found} sum={sum} most={bars[0]?.clicks ?? 0} onGo={onClose} />
        {found.length === 0 && <p className="small">Nothing has this name.</p>}
      </div>
    </Dialog>
  );
}

type BarListProps = {
  readonly bars: readonly Bar[];
  readonly sum: number | undefined;
  /** What the longest bar stands for if the sum is not known. */
  readonly most: number;
  readonly onGo?: () => void;
};

const BarList = ({ bars, sum, most, onGo }: BarListProps) => (
  <ul className="bars">
    {bars.map(({ key, name, clicks, to, title, isChosen = false, isQuiet = false }) => (
      <li key={key} className={isChosen ? 'bar-row chosen' : 'bar-row'}>
        <span className="bar-name">
          <span className="bar" style={{ width: `${Math.min(100, (100 * clicks) / (sum || most || 1))}%` }} />
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
        <span className="number">{count(clicks)}</span>
        {sum !== undefined && <span className="number share">{shareText(clicks, sum)}</span>}
      </li>
    ))}
  </ul>
);

export const sumOf = (values: readonly { readonly clicks: number }[]): number =>
  values.reduce((sum, { clicks }) => sum + clicks, 0);

/** The panel of a dimension. Its values filter if they can: those of one link, except what has no name. */
export function DimensionPanel({ dimension, stats, view }: { dimension: Dimension; stats: Statistics; view: StatsView }) {
  const values = stats.groups[dimension] ?? [];
  const chosen = view.filters[dimension] ?? [];
  const bars = values.map(({ value, clicks }): Bar => {
    const name = valueName(dimension, value);
    const isChosen = chosen.includes(value);
    const bar = { key: value, name, clicks, isChosen, isQuiet: value === 'unknown' || value === 'other' };
    if (view.linkId === undefined || value === 'other') return bar;
    const query = writeView({ ...view, filters: toggled(view.filters, dimension, value) });
    return { ...bar, to: { query }, title: isChosen ? `Show more than ${name}` : `Show only ${name}` };
  });
  return <Panel title={dimensionNames[dimension]} bars={bars} sum={sumOf(values)} />;
}

/** The path of a short link, or all of its address if links of several domains are ranked. */
const linkName = (shortUrl: string, hasDomain: boolean): string => {
  const { host, pathname } = new URL(shortUrl);
  return hasDomain ? `${host}${pathname}` : pathname;
};

/** Rows for the most clicked links. */
export function linkBars({ links }: TopLinks, view: StatsView): readonly Bar[] {
  const hosts = new Set(links.flatMap(({ shortUrl }) => (shortUrl === null ? [] : [new URL(shortUrl).host])));
  return links.map(({ id, shortUrl, clicks }) => {
    if (shortUrl === null) return { key: id, name: 'deleted link', clicks, isQuiet: true };
    const query = writeView({ ...view, linkId: id, domain: undefined, tags: [], match: 'any' });
    const name = linkName(shortUrl, hosts.size > 1);
    return { key: id, name, clicks, to: { ...addressAbout('statistics', id), query }, title: `Statistics of ${name}` };
  });
}
