import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { FailureNote } from '../parts/failure.tsx';
import { useEscape } from '../parts/keys.ts';
import { PageLink } from '../parts/page-link.tsx';
import { counted } from '../parts/time.ts';
import { isFiltered, listQuery, noFilter } from '../service/address.ts';
import { goneLinks } from '../service/links.ts';
import { go, screenAddress, useAddress } from '../service/location.ts';
import { servedOf } from '../service/new-links.ts';
import { useDomains, useMay } from '../service/queries.ts';
import { Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { type LinkList, useLinks } from './list.ts';
import { emptySelection, type Select, type Selection } from './selection.ts';
import { useBulk } from './use-bulk.ts';

// Loaded when somebody selects links.
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }));
const FailedDialog = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).FailedDialog }));

/** The links of the workspace, and what can be done to many of them. */
export function LinksScreen() {
  const { filter } = useAddress();
  const query = JSON.stringify(listQuery(filter));
  const list = useLinks(listQuery(filter));
  const [chosen, select] = useState<Selection>(emptySelection);
  const { data: gone } = useQuery(goneLinks);
  const selection = useMemo(() => chosen.without(gone), [chosen, gone]);
  const bulk = useBulk(selection, select, query);
  const [isSelecting, setSelecting] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a selection ends with a change of filters
  useEffect(() => select(emptySelection), [query]);
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
      <Suspense>
        {hasBar && (
          <BulkBar
            selection={selection}
            select={select}
            bulk={bulk}
            hasMore={list.hasNextPage || list.links.length > selection.size}
          />
        )}
        {bulk.failed && <FailedDialog failed={bulk.failed} onClose={bulk.closeFailed} />}
      </Suspense>
    </section>
  );
}

type ListedProps = {
  readonly list: LinkList;
  readonly selection: Selection;
  readonly select: Select;
  /** Selects all links that match. */
  readonly onSelectAll: () => void;
};

function Listed({ list, selection, select, onSelectAll }: ListedProps) {
  const { links, error, retry, isPending, isPlaceholderData: isOld, hasNextPage } = list;
  const { filter } = useAddress();
  const rows = links.length;
  if (isFiltered(filter) && error instanceof ProblemError && error.status === 422) {
    return <Empty isFiltered what="No links match, because a filter names something that no longer exists." />;
  }
  if (error && rows === 0) {
    return <FailureNote error={error} what="The links could not be loaded." permission="links:read" onRetry={retry} />;
  }
  if (rows === 0 && !isPending && !isOld && !hasNextPage) return <Empty isFiltered={isFiltered(filter)} />;
  return (
    <>
      {rows === 0 && (isPending || isOld) ? (
        <Skeleton />
      ) : (
        <div className={isOld ? 'listed dim' : 'listed'} aria-busy={isOld} inert={isOld}>
          <Grid list={list} selection={selection} select={select} onSelectAll={onSelectAll} />
        </div>
      )}
      <div className="links-foot small" role="status">
        {list.hasPaused ? (
          <>
            {rows === 0 ? 'Nothing found' : `${counted(rows, 'link')}. No more found`} so far.{' '}
            <button type="button" className="link-button" onClick={() => list.fetchNextPage()}>
              Keep looking
            </button>
          </>
        ) : error ? (
          <>
            More links could not be loaded.{' '}
            <button type="button" className="link-button" onClick={retry}>
              Try again
            </button>
          </>
        ) : rows === 0 || isOld ? (
          isFiltered(filter) && hasNextPage ? (
            'Searching…'
          ) : (
            'Loading links…'
          )
        ) : !hasNextPage ? (
          `${counted(rows, 'link')}.`
        ) : (
          `${counted(rows, 'link')} so far. Scroll for more.`
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
