import { memo } from 'react';
import { shortAddress } from '../parts/actions.ts';
import { CopyButton } from '../parts/copy.tsx';
import { Icon } from '../parts/icons.tsx';
import { StateBadge } from '../parts/link/state-badge.tsx';
import { Menu } from '../parts/menu.tsx';
import { useMinute } from '../parts/minute.ts';
import { count, counted, fullTime, shortTime } from '../parts/time.ts';
import type { ListedLink } from '../service/links.ts';
import { go, hrefOf } from '../service/location.ts';
import type { Link } from '../service/types.ts';
import { menuOf, type RowAction } from './row-actions.tsx';

/** The time that a list shows: a link's creation, or its last click. */
type ShownTime = keyof typeof timeNames;
const timeNames = { created: 'Created', click: 'Last click', clickInRange: 'Last click' } as const;

/** The range of a column's numbers or times, below its name. */
const RangeIn = ({ range }: { readonly range: string }) =>
  range !== '' && (
    <span className="cut row-range" title={range}>
      {range}
    </span>
  );

type HeadProps = {
  readonly isAll: boolean;
  readonly isSome: boolean;
  readonly onToggle: () => void;
  readonly time: ShownTime;
  /** The name of the range whose clicks are shown; '' for all. */
  readonly range: string;
};

/** The names of the columns, and a checkbox that selects all matching links, or clears the selection. */
export const RowHead = ({ isAll, isSome, onToggle, time, range }: HeadProps) => (
  <div role="row" className="row row-head" aria-rowindex={1}>
    <span role="columnheader">
      <label className="check-target" title={isSome ? 'Clear the selection' : 'Select all that match'}>
        <input
          type="checkbox"
          aria-label={isSome ? 'Clear the selection' : 'Select all links'}
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
      Clicks <RangeIn range={range} />
    </span>
    <span role="columnheader" className="cell-created">
      {timeNames[time]} {time === 'clickInRange' && <RangeIn range={range} />}
    </span>
    <span role="columnheader">
      <span className="hidden">Actions</span>
    </span>
  </div>
);

/** The callbacks of a row. */
export type RowCalls = {
  readonly onFocus: (row: number) => void;
  readonly onToggle: (row: number, isRange: boolean) => void;
  readonly onAction: (action: RowAction, link: Link) => void;
};

type RowProps = RowCalls & {
  readonly row: number;
  readonly top: number;
  readonly link: ListedLink;
  readonly isActive: boolean;
  readonly time: ShownTime;
  readonly range: string;
  readonly isOpen: boolean;
  readonly isSelected: boolean;
};

/** A link in the list: as a row of a table, or as a card on a phone. */
export const Row = memo(function Row({
  row,
  top,
  link,
  isActive,
  time: shown,
  range,
  isOpen,
  isSelected,
  onFocus,
  onToggle,
  onAction,
}: RowProps) {
  useMinute();
  const clicks = link.inRange?.clicks ?? link.clickCount;
  const time = { created: link.createdAt, click: link.lastClickedAt, clickInRange: link.inRange?.lastClickedAt }[shown];
  const place = { transform: `translateY(${top}px)` };
  const shared = {
    'aria-rowindex': row + 2,
    'data-row': row,
    tabIndex: isActive ? 0 : -1,
    style: place,
    onFocus: () => onFocus(row),
  } as const;
  const name = shortAddress(link.shortUrl);
  // Tab reaches the controls of a row only from the focused row.
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
        {count(clicks)}
        <span className="phone-only"> {`${counted(clicks, 'click').replace(/^[\d,]+ /, '')}${range && ` · ${range}`}`}</span>
      </span>
      <span role="gridcell" className="cell-created small" title={time ? fullTime(time) : undefined}>
        {time ? shortTime(time) : shown === 'clickInRange' ? 'None' : 'Never'}
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
