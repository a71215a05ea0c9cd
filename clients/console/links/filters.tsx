import { useEffect, useRef, useState } from 'react';
import { trimmed } from '../../../lambdas/core/invisible.ts';
import { searchLength } from '../../../lambdas/core/limits.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { Icon } from '../parts/icons.tsx';
import { usePageKeys } from '../parts/keys.ts';
import { TagPicker } from '../parts/kit/tag-picker.tsx';
import { stateNames } from '../parts/link/state.ts';
import { type Filter, isFiltered, linkStates, noFilter } from '../service/address.ts';
import { go, useAddress } from '../service/location.ts';
import { useDomains, useTags } from '../service/queries.ts';

const pauseMs = 300;

const setFilter = (filter: Filter, change: Partial<Filter>, how?: 'replace'): void =>
  go({ filter: { ...filter, ...change } }, how);

type FiltersProps = {
  /** Whether cards on a phone can be selected: they have no room for checkboxes otherwise. */
  readonly isSelecting: boolean;
  readonly onSelecting: (is: boolean) => void;
};

/** Search and filters. All of the tags are in the address. */
export function Filters({ isSelecting, onSelecting }: FiltersProps) {
  const { filter } = useAddress();
  const [isOpen, open] = useState(false);
  const chosen = [filter.domain, filter.state, filter.isArchived, ...filter.tags].filter(Boolean).length;
  return (
    <search className="filters">
      <Search filter={filter} />
      <button type="button" className="button phone-only" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        Filters{chosen > 0 ? ` · ${chosen}` : ''}
      </button>
      <button type="button" className="button phone-only" aria-pressed={isSelecting} onClick={() => onSelecting(!isSelecting)}>
        Select
      </button>
      <div className={isOpen ? 'filter-fields open' : 'filter-fields'}>
        <Pickers filter={filter} />
        <ExportMenu />
      </div>
      {isFiltered(filter) && <Chips filter={filter} />}
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
        aria-label="Order"
        value={filter.order}
        onChange={(event) => setFilter(filter, { order: event.target.value === 'asc' ? 'asc' : 'desc' })}
      >
        <option value="desc">Newest first</option>
        <option value="asc">Oldest first</option>
      </select>
    </>
  );
}

function Chips({ filter }: { readonly filter: Filter }) {
  const tags = useTags();
  const domains = useDomains();
  const isKnown = !domains.data || domains.data.some(({ domain }) => domain === filter.domain);
  const chips: readonly { readonly text: string; readonly color?: string; readonly without: Partial<Filter> }[] = [
    ...(trimmed(filter.q) ? [{ text: `“${trimmed(filter.q)}”`, without: { q: '' } }] : []),
    ...(filter.domain ? [{ text: isKnown ? filter.domain : 'Unknown domain', without: { domain: undefined } }] : []),
    ...(filter.state ? [{ text: stateNames[filter.state], without: { state: undefined } }] : []),
    ...(filter.isArchived ? [{ text: 'Archived', without: { isArchived: false } }] : []),
    ...filter.tags.map((id) => {
      const tag = tags.data?.find((one) => one.id === id);
      return {
        text: tag?.name ?? (tags.data ? 'Unknown tag' : '…'),
        ...(tag && { color: tag.color }),
        without: { tags: filter.tags.filter((one) => one !== id) },
      };
    }),
  ];
  return (
    <ul className="chips" aria-label="Filters in use">
      {chips.map(({ text, color, without }) => (
        <li key={JSON.stringify(without)} className="chip">
          {color && <span className="dot" style={{ background: color }} />}
          <bdi>{text}</bdi>
          <button type="button" aria-label={`Remove the filter ${text}`} onClick={() => setFilter(filter, without)}>
            <Icon name="close" />
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="link-button" onClick={() => go({ filter: { ...noFilter, order: filter.order } })}>
          Clear all
        </button>
      </li>
    </ul>
  );
}
