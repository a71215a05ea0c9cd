import { type KeyboardEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { isInSequence, isPageKey, pressed } from '../parts/keys.ts';
import { go, useAddress } from '../service/location.ts';
import type { LinkList } from './list.ts';
import { Row, type RowCalls, RowHead } from './row.tsx';
import { type RowAction, useRowActions } from './row-actions.tsx';
import { emptySelection, type Select, type Selection, selectedOf } from './selection.ts';

const phone = window.matchMedia('(max-width: 639px)');
/** As in looks/tokens.css. */
const rowHeights = { phone: 84, wide: 56 };
/** Extra rows above and below the visible ones, so that scrolling shows no gaps. */
const margin = 6;

const rowKeys: Readonly<Record<string, RowAction>> = {
  c: 'copy',
  q: 'code',
  s: 'statistics',
  e: 'edit',
  d: 'duplicate',
  h: 'history',
  o: 'switch',
  a: 'archive',
  Delete: 'delete',
};

type GridProps = {
  readonly list: LinkList;
  readonly selection: Selection;
  readonly select: Select;
  /** Selects all links that match. */
  readonly onSelectAll: () => void;
};

/** The rows of the list. Only the visible ones are in the document, however many there are. */
export function Grid({ list: { links, hasNextPage, showTo }, selection, select, onSelectAll }: GridProps) {
  const { linkId, filter } = useAddress();
  const isByClick = filter.sort === 'lastClickedAt';
  const time = isByClick && filter.range ? 'clickInRange' : isByClick || filter.unclicked ? 'click' : 'created';
  const range = useRangeName(filter.sort ? filter.range : '');
  const { element, rowHeight, first, last, scrollTo } = useWindow(links.length);
  const rows = links.length;
  const [active, setActive] = useState(0);
  const [isFocused, setFocused] = useState(false);
  /** The row at which a Shift selection begins, and whether the arrow keys are extending it. */
  const anchor = useRef(0);
  const isExtending = useRef(false);
  const { act, dialog } = useRowActions();
  // If all links have the same domain, rows leave it out.
  const isOfOneDomain = useMemo(() => new Set(links.map(({ domain }) => domain)).size < 2, [links]);
  useEffect(() => showTo(last), [showTo, last]);

  const focusRow = (row: number) => {
    const target = Math.max(0, Math.min(rows - 1, row));
    setActive(target);
    scrollTo(target);
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>(`[data-row="${target}"]`)?.focus());
  };
  const between = (one: number, other: number) => links.slice(Math.min(one, other), Math.max(one, other) + 1);
  const toggle = (row: number, isRange: boolean) => {
    const link = links[row];
    if (!link) return;
    if (isRange) select(selection.with(between(anchor.current, row).map(selectedOf)));
    else {
      anchor.current = row;
      isExtending.current = false;
      select(selection.has(link.id) ? selection.without(new Set([link.id])) : selection.with([selectedOf(link)]));
    }
    setActive(row);
  };
  // The callbacks of rows never change, so that only changed rows are drawn again.
  const latest = useRef({ toggle, act });
  latest.current = { toggle, act };
  const [calls] = useState<RowCalls>(() => ({
    onFocus: setActive,
    onToggle: (...all) => latest.current.toggle(...all),
    onAction: (...all) => latest.current.act(...all),
  }));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event;
    const isInBox = target instanceof HTMLElement && target.matches('[data-row] input');
    if (target instanceof HTMLElement && !target.dataset.row && !(isInBox && event.shiftKey)) return;
    const page = Math.max(1, last - first - 2 * margin - 1);
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: rows - 1,
    };
    const move = moves[event.key];
    const link = links[active];
    if (move !== undefined) {
      event.preventDefault();
      focusRow(move);
      if (event.shiftKey && !isExtending.current) anchor.current = active;
      isExtending.current = event.shiftKey;
      if (event.shiftKey) select(selection.with(between(anchor.current, Math.max(0, Math.min(rows - 1, move))).map(selectedOf)));
      return;
    }
    if (!link || isInBox) return;
    if (event.key === ' ') {
      event.preventDefault();
      toggle(active, event.shiftKey);
    } else if (event.key === 'Enter') go({ linkId: link.id, isEditing: false });
    else {
      const action = isPageKey(event.nativeEvent) && !isInSequence() ? rowKeys[pressed(event.nativeEvent)] : undefined;
      if (!action) return;
      event.preventDefault();
      act(action, link);
    }
  };
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n).filter((row) => row < rows);
  // The focused row stays in the document when it is scrolled away, at its place in the order: a row that moves in the
  // document loses the focus and its menu.
  if (isFocused && active < first) shown.unshift(active);
  if (isFocused && active > last && active < rows) shown.push(active);
  return (
    <div
      role="grid"
      className={isOfOneDomain ? 'grid one-domain' : 'grid'}
      aria-label="Links"
      aria-multiselectable="true"
      aria-rowcount={hasNextPage ? -1 : rows + 1}
      onKeyDown={onKeyDown}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <RowHead
        isAll={!hasNextPage && rows > 0 && selection.size >= rows}
        isSome={selection.size > 0}
        time={time}
        range={range}
        onToggle={() => (selection.size > 0 ? select(emptySelection) : onSelectAll())}
      />
      <div className="grid-rows" ref={element} role="rowgroup" tabIndex={-1}>
        <div className="grid-space" role="presentation" style={{ height: rows * rowHeight }}>
          {shown.map((row) => {
            const link = links[row];
            if (!link) return null;
            return (
              <Row
                key={link.id}
                row={row}
                top={row * rowHeight}
                link={link}
                isActive={row === active}
                time={time}
                range={range}
                isOpen={link.id === linkId}
                isSelected={selection.has(link.id)}
                {...calls}
              />
            );
          })}
        </div>
      </div>
      {dialog}
    </div>
  );
}

/** The name of a range in the address; '' for none, and until the module that knows it is loaded. */
function useRangeName(range: string): string {
  const [named, setNamed] = useState({ range: '', name: '' });
  useEffect(() => {
    if (range !== '')
      import('./chosen.tsx').then(
        ({ rangeName }) => setNamed({ range, name: rangeName(range) }),
        () => {},
      );
  }, [range]);
  return named.range === range ? named.name : '';
}

/** The range of visible rows. */
function useWindow(rows: number) {
  const element = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const isPhone = useSyncExternalStore(
    (listener) => {
      phone.addEventListener('change', listener);
      return () => phone.removeEventListener('change', listener);
    },
    () => phone.matches,
  );
  const rowHeight = isPhone ? rowHeights.phone : rowHeights.wide;
  useEffect(() => {
    const scrolled = element.current;
    if (!scrolled) return;
    const read = () => setView({ top: scrolled.scrollTop, height: scrolled.clientHeight });
    const observer = new ResizeObserver(read);
    observer.observe(scrolled);
    scrolled.addEventListener('scroll', read, { passive: true });
    read();
    return () => {
      observer.disconnect();
      scrolled.removeEventListener('scroll', read);
    };
  }, []);
  const first = Math.max(0, Math.floor(view.top / rowHeight) - margin);
  const last = Math.min(Math.max(0, rows - 1), Math.ceil((view.top + view.height) / rowHeight) + margin);
  const scrollTo = (row: number) => {
    const scrolled = element.current;
    if (!scrolled) return;
    if (row * rowHeight < scrolled.scrollTop) scrolled.scrollTop = row * rowHeight;
    else if ((row + 1) * rowHeight > scrolled.scrollTop + scrolled.clientHeight) {
      scrolled.scrollTop = (row + 1) * rowHeight - scrolled.clientHeight;
    }
    setView({ top: scrolled.scrollTop, height: scrolled.clientHeight });
  };
  return { element, rowHeight, first, last, scrollTo };
}
