import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { FailureNote } from '../parts/failure.tsx';
import { useEscape } from '../parts/keys.ts';
import { PageLink } from '../parts/page-link.tsx';
import { counted } from '../parts/time.ts';
import { isFiltered, listQuery, noFilter } from '../service/address.ts';
import { api } from '../service/client.ts';
import { onLinkNews } from '../service/links.ts';
import { go, screenAddress, useAddress } from '../service/location.ts';
import { servedOf } from '../service/new-links.ts';
import { useDomains, useMay } from '../service/queries.ts';
import { BulkBar, FailedDialog } from './bulk-bar.tsx';
import { Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { type LinkList, linkList, rowsIn } from './list.ts';
import { emptySelection, type Select, type Selection } from './selection.ts';
import { useBulk } from './use-bulk.ts';

/** The links of the workspace, and what can be done to many of them. */
export function LinksScreen() {
  const { filter } = useAddress();
  const [round, setRound] = useState(0);
  const query = JSON.stringify(listQuery(filter));
  // A new filter, or news about many links, begins a new list.
  const list = useMemo(() => newList(query, round), [query, round]);
  const [selection, select] = useState<Selection>(emptySelection);
  const { next, pages } = useSyncExternalStore(list.subscribe, list.state);
  const bulk = useBulk(selection, select, query);
  const [isSelecting, setSelecting] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a selection ends with a change of filters
  useEffect(() => select(emptySelection), [query]);
  useEffect(() => () => list.stop(), [list]);
  useEffect(
    () =>
      onLinkNews((news) => {
        if (news.kind === 'changed') list.replace(news.link);
        else if (news.kind === 'deleted') {
          list.remove(news.ids);
          select((before) => before.without(news.ids));
        } else if (news.kind === 'created' && query === '{}') list.add(news.link);
        else setRound((before) => before + 1);
      }),
    [list, query],
  );
  useEscape(
    () => (selection.size > 0 ? select(emptySelection) : go({ filter: noFilter })),
    selection.size > 0 || isFiltered(filter),
  );
  // Before the answer to a change shows what has become of it, the bar stays.
  const hasBar = selection.size > 0 || bulk.progress !== '';
  return (
    <section className={isSelecting || hasBar ? 'links selecting' : 'links'} aria-label="Links">
      <h1 className="hidden">Links</h1>
      <Filters isSelecting={isSelecting} onSelecting={setSelecting} />
      <Listed list={list} selection={selection} select={select} onSelectAll={bulk.selectAll} />
      {hasBar && (
        <BulkBar
          selection={selection}
          select={select}
          bulk={bulk}
          hasMore={next !== null || rowsIn({ pages }) > selection.size}
        />
      )}
      {bulk.failed && <FailedDialog failed={bulk.failed} onClose={bulk.closeFailed} />}
    </section>
  );
}

function newList(query: string, _round: number): LinkList {
  const filters = JSON.parse(query) as ReturnType<typeof listQuery>;
  return linkList(async (cursor, signal) => {
    const params = { query: { ...filters, limit: 100, ...(cursor !== undefined && { cursor }) } };
    return (await api.GET('/api/v1/links', { params, signal })).data;
  });
}

type ListedProps = {
  readonly list: LinkList;
  readonly selection: Selection;
  readonly select: Select;
  /** Selects all links that match. */
  readonly onSelectAll: () => void;
};

function Listed({ list, selection, select, onSelectAll }: ListedProps) {
  const state = useSyncExternalStore(list.subscribe, list.state);
  const { filter } = useAddress();
  const rows = rowsIn(state);
  const answered = useRef<LinkList>(undefined);
  useEffect(() => list.show(0, 20), [list]);
  // Until there is an answer, the rows of the list before stay, dimmed.
  const isWaiting = rows === 0 && state.next === undefined && state.error === undefined;
  const old = isWaiting ? answered.current : undefined;
  if (!isWaiting) answered.current = list;
  if (isFiltered(filter) && state.error instanceof ProblemError && state.error.status === 422) {
    return <Empty isFiltered what="No links match, because a filter names something that no longer exists." />;
  }
  if (state.error !== undefined && rows === 0) {
    return <FailureNote error={state.error} what="The links could not be loaded." permission="links:read" onRetry={list.retry} />;
  }
  if (rows === 0 && state.next === null) return <Empty isFiltered={isFiltered(filter)} />;
  return (
    <>
      {isWaiting && (old === undefined || rowsIn(old.state()) === 0) ? (
        <Skeleton />
      ) : (
        <div className={old ? 'listed dim' : 'listed'} aria-busy={old !== undefined} inert={old !== undefined}>
          <Grid
            list={old ?? list}
            state={old?.state() ?? state}
            selection={selection}
            select={select}
            onSelectAll={onSelectAll}
          />
        </div>
      )}
      <div className="links-foot small" role="status">
        {state.waits !== '' ? (
          state.waits
        ) : state.hasPaused ? (
          <>
            {rows === 0 ? 'Nothing found' : `${counted(rows, 'link')}. No more found`} so far.{' '}
            <button type="button" className="link-button" onClick={list.keepLooking}>
              Keep looking
            </button>
          </>
        ) : state.error !== undefined ? (
          <>
            More links could not be loaded.{' '}
            <button type="button" className="link-button" onClick={list.retry}>
              Try again
            </button>
          </>
        ) : rows === 0 ? (
          isFiltered(filter) && state.pages.length > 0 ? (
            'Searching…'
          ) : (
            'Loading links…'
          )
        ) : state.next === null ? (
          `${counted(rows, 'link')}.`
        ) : (
          `${counted(rows, 'link')} loaded. Scroll for more.`
        )}
      </div>
    </>
  );
}

type EmptyProps = { readonly isFiltered: boolean; readonly what?: string };

const Empty = ({ isFiltered: hasFilter, what = 'No links match.' }: EmptyProps) => (
  <div className="empty">
    {hasFilter ? (
      <>
        <p>{what}</p>
        <button type="button" className="button" onClick={() => go({ filter: noFilter })}>
          Clear filters
        </button>
      </>
    ) : (
      <FirstStep />
    )}
  </div>
);

/** What a workspace without links needs next: a domain, or a link. */
function FirstStep() {
  const domains = useDomains();
  const hasDomain = !domains.data || servedOf(domains.data).length > 0;
  if (!useMay('links:write')) return <p>No links yet.</p>;
  return (
    <>
      <p>{hasDomain ? 'No links yet. Paste an address above and press Enter.' : 'Short links need a domain.'}</p>
      <PageLink to={screenAddress(hasDomain ? 'new' : 'domains')} className="button primary">
        {hasDomain ? 'New link' : 'Add a domain'}
      </PageLink>
    </>
  );
}

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Rows without content, in their final size. They appear only if the links take a moment. */
const Skeleton = () => (
  <div className="skeleton" aria-hidden="true">
    {skeletonRows.map((row) => (
      <div key={row} className="skeleton-row" />
    ))}
  </div>
);
