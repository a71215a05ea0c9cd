import { lazy, useEffect, useRef, useState } from 'react';
import { searchLength } from '../../../lambdas/core/limits.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { Button } from '../parts/button.tsx';
import { ScopePickers } from '../parts/filter/scope-pickers.tsx';
import { usePageKeys } from '../parts/keys.ts';
import { Select } from '../parts/kit/select.tsx';
import { Sheet } from '../parts/kit/sheet.tsx';
import { stateNames } from '../parts/link/state.ts';
import { LoadedLater } from '../parts/loaded.tsx';
import { type Filter, isFiltered, linkStates, listQuery } from '../service/address.ts';
import { go, useAddress } from '../service/location.ts';
import { useMay } from '../service/queries.ts';
import { askedNow } from './list.ts';

const pauseMs = 300;

// Most lists need none of these.
const Chips = lazy(async () => ({ default: (await import('./chosen.tsx')).Chips }));
const RangePicker = lazy(async () => ({ default: (await import('./chosen.tsx')).RangePicker }));
const DayDialog = lazy(async () => ({ default: (await import('./chosen.tsx')).DayDialog }));

const setFilter = (filter: Filter, change: Partial<Filter>, how?: 'replace'): void =>
  go({ filter: { ...filter, ...change } }, how);

const unclickedName = (unclicked: string): string =>
  unclicked.endsWith('d') ? `No click in ${unclicked.slice(0, -1)} days` : `No click since ${unclicked}`;

const expiringName = (expiring: string): string => `Expires within ${expiring.slice(0, -1)} days`;

/** The orders of lists, as they are in the address. */
const orders = {
  desc: 'Newest first',
  asc: 'Oldest first',
  'desc clicks': 'Most clicks first',
  'asc clicks': 'Fewest clicks first',
  'desc lastClickedAt': 'Latest click first',
  'asc lastClickedAt': 'Earliest click first',
} as const;

const orderOf = ({ order, sort }: Filter) => (sort ? (`${order} ${sort}` as const) : order);

type FiltersProps = {
  /** Whether cards on a phone can be selected: they have no room for checkboxes otherwise. */
  readonly isSelecting: boolean;
  readonly onSelecting: (is: boolean) => void;
};

/** Search and filters, which are in the address. */
export function Filters({ isSelecting, onSelecting }: FiltersProps) {
  const { filter } = useAddress();
  const { domain, state, isArchived, unclicked, expiring, sort, tags } = filter;
  const chosen = [domain, state, isArchived, unclicked, expiring, sort, ...tags].filter(Boolean).length;
  const fields = (
    <div className="filter-fields">
      <Pickers filter={filter} />
      <ExportMenu
        filter={isFiltered(filter) ? () => askedNow(listQuery({ ...filter, sort: undefined, order: 'desc' })) : undefined}
      />
    </div>
  );
  return (
    <search className="filters">
      <Search filter={filter} />
      <Sheet title="Filters" label={chosen > 0 ? `Filters · ${chosen}` : 'Filters'}>
        {fields}
      </Sheet>
      <Button className="phone-only" aria-pressed={isSelecting} onClick={() => onSelecting(!isSelecting)}>
        Select
      </Button>
      {fields}
      <LoadedLater>
        {(isFiltered(filter) || sort) && (
          <Chips
            filter={filter}
            unclicked={unclickedName(unclicked)}
            expiring={expiringName(expiring)}
            order={orders[orderOf(filter)]}
            onChange={(change) => setFilter(filter, change)}
          />
        )}
      </LoadedLater>
    </search>
  );
}

function Search({ filter }: { readonly filter: Filter }) {
  const [text, setText] = useState(filter.q);
  const field = useRef<HTMLInputElement>(null);
  const written = useRef(filter.q);
  usePageKeys({ '/': () => field.current?.focus() });
  useEffect(() => {
    // The address was changed by other means, such as Back.
    if (filter.q !== written.current) setText(filter.q);
    written.current = filter.q;
  }, [filter.q]);
  useEffect(() => {
    if (text === written.current) return;
    const timer = setTimeout(() => {
      written.current = text;
      setFilter(filter, { q: text }, 'replace');
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, filter]);
  return (
    <input
      ref={field}
      type="search"
      className="search"
      aria-label="Search"
      placeholder="Search links"
      title="Slug, address, title and note"
      value={text}
      maxLength={searchLength}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        if (text === '') field.current?.blur();
        setText('');
      }}
    />
  );
}

function Pickers({ filter }: { readonly filter: Filter }) {
  const mayRank = useMay('stats:read');
  const [isAskingDay, askDay] = useState(false);
  const change = (some: Partial<Filter>) => setFilter(filter, some);
  return (
    <>
      <ScopePickers scope={filter} onChange={change} />
      <Select
        aria-label="Status"
        value={filter.isArchived ? 'archived' : (filter.state ?? filter.expiring)}
        options={[
          ['', 'Any status'],
          ...linkStates.map((state) => [state, stateNames[state]] as const),
          ...[...new Set(['7d', '30d', filter.expiring])].filter(Boolean).map((one) => [one, expiringName(one)] as const),
          ['archived', 'Archived'],
        ]}
        onChoose={(chosen) =>
          change({
            state: linkStates.find((state) => state === chosen),
            isArchived: chosen === 'archived',
            expiring: /^\d/.test(chosen) ? chosen : '',
          })
        }
      />
      <Select
        aria-label="Last click"
        value={filter.unclicked}
        options={[
          ['', 'Any last click'],
          ...[...new Set(['30d', '60d', '90d', '365d', filter.unclicked])]
            .filter(Boolean)
            .map((one) => [one, unclickedName(one)] as const),
          ['day', 'No click since…'],
        ]}
        onChoose={(unclicked) => (unclicked === 'day' ? askDay(true) : change({ unclicked }))}
      />
      <Select
        aria-label="Order"
        value={orderOf(filter)}
        options={(Object.keys(orders) as (keyof typeof orders)[])
          .slice(0, mayRank || filter.sort ? 6 : 2)
          .map((name) => [name, orders[name]])}
        onChoose={(chosen) => {
          const [order, sort] = chosen.split(' ') as [Filter['order'], Filter['sort']];
          change({ order, sort, range: sort ? filter.range : '' });
        }}
      />
      <LoadedLater>
        {filter.sort && <RangePicker range={filter.range} onChoose={(range) => change({ range })} />}
        {isAskingDay && <DayDialog onChoose={(day) => change({ unclicked: day })} onClose={() => askDay(false)} />}
      </LoadedLater>
    </>
  );
}
