import { memo } from 'react';
import { shortAddress } from '../parts/actions.ts';
import { CopyButton } from '../parts/copy.tsx';
import { Icon } from '../parts/icons.tsx';
import { StateBadge } from '../parts/link/state-badge.tsx';
import { Menu } from '../parts/menu.tsx';
import { useMinute } from '../parts/minute.ts';
import { count, counted, fullTime, shortTime } from '../parts/time.ts';
import type { Filter } from '../service/address.ts';
import { go, hrefOf } from '../service/location.ts';
import type { Link } from '../service/types.ts';
import { menuOf, type RowAction } from './row-actions.tsx';

type HeadProps = {
  readonly isAll: boolean;
  readonly isSome: boolean;
  readonly onToggle: () => void;
  readonly filter: Filter;
  readonly showsClick: boolean;
};

/** The names of the columns, and a checkbox that selects all links that match, or ends the selection. */
export const RowHead = ({ isAll, isSome, onToggle, filter, showsClick }: HeadProps) => (
  <div role="row" className="row row-head" aria-rowindex={1}>
    <span role="columnheader">
      <label className="check-target" title={isSome ? 'End the selection' : 'Select all that match'}>
        <input
          type="checkbox"
          aria-label={isSome ? 'End the selection' : 'Select all links'}
          ref={(box) => {
            if (box) box.indeterminate = isSome && !isAll;
          }}
          checked={isAll}
          onChange={onToggle}
        />
      </label>
    </span>
    <span role="columnheader">Link</span>
    <span role="columnheader">
      <span className="hidden">Copy</span>
    </span>
    <span role="columnheader" className="cell-destination">
      Destination
    </span>
    <span role="columnheader" className="cell-tags">
      Tags
    </span>
    <span role="columnheader" className="cell-state">
      Status
    </span>
    <span role="columnheader" className="number">
      {filter.range ? 'All clicks' : 'Clicks'}
    </span>
    <span role="columnheader" className="cell-created">
      {showsClick ? 'Last click' : 'Created'}
    </span>
    <span role="columnheader">
      <span className="hidden">Actions</span>
    </span>
  </div>
);

/** What a row calls. */
export type RowCalls = {
  readonly onFocus: (row: number) => void;
  readonly onToggle: (row: number, isRange: boolean) => void;
  readonly onAction: (action: RowAction, link: Link) => void;
};

type RowProps = RowCalls & {
  readonly row: number;
  readonly top: number;
  readonly link: Link;
  readonly isActive: boolean;
  /** Whether its last click is shown, and not its creation. */
  readonly showsClick: boolean;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
};

/** A link in the list: as a row of a table, or as a card on a phone. */
export const Row = memo(function Row({
  row,
  top,
  link,
  isActive,
  showsClick,
  isOpen,
  isSelected,
  onFocus,
  onToggle,
  onAction,
}: RowProps) {
  useMinute();
  const time = showsClick ? link.lastClickedAt : link.createdAt;
  const place = { transform: `translateY(${top}px)` };
  const shared = {
    'aria-rowindex': row + 2,
    'data-row': row,
    tabIndex: isActive ? 0 : -1,
    style: place,
    onFocus: () => onFocus(row),
  } as const;
  const name = shortAddress(link.shortUrl);
  // What is in a row can be reached by Tab from the row that has the focus.
  const inner = isActive ? 0 : -1;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows
    <div
      role="row"
      {...shared}
      className={`row${isOpen ? ' open' : ''}${isSelected ? ' chosen' : ''}${link.title === null ? ' untitled' : ''}`}
      aria-selected={isSelected}
      onClick={(event) => {
        if (event.shiftKey) onToggle(row, true);
        else go({ linkId: link.id, isEditing: false });
      }}
    >
      <span role="gridcell" className="cell-check">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps the click from the row */}
        <label className="check-target" onClick={(event) => event.stopPropagation()}>
          <input
            type="checkbox"
            tabIndex={inner}
            aria-label={`Select ${name}`}
            checked={isSelected}
            onClick={(event) => event.stopPropagation()}
            onChange={(event) => onToggle(row, (event.nativeEvent as MouseEvent).shiftKey === true)}
          />
        </label>
      </span>
      <span role="gridcell" className="cell-link">
        {link.title !== null && (
          <span className="cut row-title">
            <bdi>{link.title}</bdi>
          </span>
        )}
        <a
          className="mono short"
          tabIndex={inner}
          href={hrefOf({ linkId: link.id, isEditing: false })}
          title={name}
          aria-label={name}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return event.stopPropagation();
            event.preventDefault();
          }}
        >
          <span className="cut domain">{name.slice(0, name.indexOf('/'))}</span>
          <bdi className="cut">{name.slice(name.indexOf('/'))}</bdi>
        </a>
      </span>
      <span role="gridcell" className="cell-copy">
        <CopyButton text={link.shortUrl} what={name} tabIndex={inner} />
      </span>
      <span role="gridcell" className="cell-destination cut small">
        <bdi>{shortAddress(link.url)}</bdi>
      </span>
      <span role="gridcell" className="cell-tags">
        <TagsInRow tags={link.tags} />
      </span>
      <span role="gridcell" className="cell-state">
        <StateBadge link={link} />
      </span>
      <span role="gridcell" className="number">
        {count(link.clickCount)}
        <span className="phone-only"> {counted(link.clickCount, 'click').replace(/^[\d,]+ /, '')}</span>
      </span>
      <span role="gridcell" className="cell-created small" title={time ? fullTime(time) : undefined}>
        {time ? shortTime(time) : 'Never'}
      </span>
      <span role="gridcell" className="cell-menu">
        <Menu label={`Actions for ${name}`} button={<Icon name="more" />} tabIndex={inner} items={menuOf(link, onAction)} />
      </span>
    </div>
  );
});

/** The first tag, and how many more there are. */
const TagsInRow = ({ tags }: { readonly tags: Link['tags'] }) => {
  const [first] = tags;
  if (!first) return null;
  return (
    <span className="tags-in-row" title={tags.map(({ name }) => name).join(', ')}>
      <span className="dot" style={{ background: first.color }} />
      <bdi className="cut">{first.name}</bdi>
      {tags.length > 1 && <span className="small">+{tags.length - 1}</span>}
    </span>
  );
};
