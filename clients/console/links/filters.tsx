import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { searchLength } from '../../../lambdas/core/limits.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { Button } from '../parts/button.tsx';
import { TagPicker } from '../parts/filter/tag-picker.tsx';
import { usePageKeys } from '../parts/keys.ts';
import { Sheet } from '../parts/kit/sheet.tsx';
import { stateNames } from '../parts/link/state.ts';
import { type Filter, isFiltered, linkStates, listQuery } from '../service/address.ts';
import { go, useAddress } from '../service/location.ts';
import { useDomains, useMay, useTags } from '../service/queries.ts';
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

/** What lists are sorted by, as the address has it. */
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

/** Search and filters. All of the tags are in the address. */
export function Filters({ isSelecting, onSelecting }: FiltersProps) {
  const { filter } = useAddress();
  const { domain, state, isArchived, unclicked, sort, tags } = filter;
  const chosen = [domain, state, isArchived, unclicked, sort, ...tags].filter(Boolean).length;
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
      <Suspense>
        {(isFiltered(filter) || sort) && (
          <Chips
            filter={filter}
            unclicked={unclickedName(unclicked)}
            order={orders[orderOf(filter)]}
            onChange={(change) => setFilter(filter, change)}
          />
        )}
      </Suspense>
    </search>
  );
}

function Search({ filter }: { readonly filter: Filter }) {
  const [text, setText] = useState(filter.q);
  const field = useRef<HTMLInputElement>(null);
  const written = useRef(filter.q);
  usePageKeys({ '/': () => field.current?.focus() });
  useEffect(() => {
    // The address changed by other means, such as Back.
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
      placeholder="Search slug, address, title, note"
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
  const domains = useDomains();
  const tags = useTags();
  const mayRank = useMay('stats:read');
  const [isAskingDay, askDay] = useState(false);
  return (
    <>
      {(domains.data?.length ?? 0) > 1 && (
        <select
          aria-label="Domain"
          value={filter.domain ?? ''}
          onChange={(event) => setFilter(filter, { domain: event.target.value || undefined })}
        >
          <option value="">All domains</option>
          {domains.data?.map(({ domain }) => (
            <option key={domain}>{domain}</option>
          ))}
        </select>
      )}
      <TagPicker
        label={filter.tags.length > 0 ? `Tags · ${filter.tags.length}` : 'Tags'}
        tags={tags.data ?? []}
        chosen={filter.tags}
        onChange={(ids) => setFilter(filter, { tags: ids })}
      />
      {filter.tags.length > 1 && (
        <select
          aria-label="Match tags"
          value={filter.match}
          onChange={(event) => setFilter(filter, { match: event.target.value === 'all' ? 'all' : 'any' })}
        >
          <option value="any">Any of the tags</option>
          <option value="all">All of the tags</option>
        </select>
      )}
      <select
        aria-label="Status"
        value={filter.isArchived ? 'archived' : (filter.state ?? '')}
        onChange={({ target: { value } }) =>
          setFilter(filter, { state: linkStates.find((state) => state === value), isArchived: value === 'archived' })
        }
      >
        <option value="">Any status</option>
        {linkStates.map((state) => (
          <option key={state} value={state}>
            {stateNames[state]}
          </option>
        ))}
        <option value="archived">Archived</option>
      </select>
      <select
        aria-label="Last click"
        value={filter.unclicked}
        onChange={({ target: { value } }) => (value === 'day' ? askDay(true) : setFilter(filter, { unclicked: value }))}
      >
        <option value="">Any clicks</option>
        {[...new Set(['30d', '60d', '90d', '365d', filter.unclicked])].filter(Boolean).map((one) => (
          <option key={one} value={one}>
            {unclickedName(one)}
          </option>
        ))}
        <option value="day">No click since…</option>
      </select>
      <select
        aria-label="Order"
        value={orderOf(filter)}
        onChange={({ target: { value } }) => {
          const [order, sort] = value.split(' ') as [Filter['order'], Filter['sort']];
          setFilter(filter, { order, sort, range: sort ? filter.range : '' });
        }}
      >
        {Object.entries(orders)
          .slice(0, mayRank || filter.sort ? 6 : 2)
          .map(([order, name]) => (
            <option key={order} value={order}>
              {name}
            </option>
          ))}
      </select>
      <Suspense>
        {filter.sort && <RangePicker range={filter.range} onChoose={(range) => setFilter(filter, { range })} />}
        {isAskingDay && <DayDialog onChoose={(day) => setFilter(filter, { unclicked: day })} onClose={() => askDay(false)} />}
      </Suspense>
    </>
  );
}
