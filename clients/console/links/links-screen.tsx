import { useQuery } from '@tanstack/react-query';
import { lazy, useEffect, useMemo, useState } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { Button } from '../parts/button.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { useEscape } from '../parts/keys.ts';
import { LoadedLater } from '../parts/loaded.tsx';
import { counted } from '../parts/time.ts';
import { isFiltered, listQuery, noFilter } from '../service/address.ts';
import { goneLinks } from '../service/links.ts';
import { go, useAddress } from '../service/location.ts';
import { Filters } from './filters.tsx';
import { Grid } from './grid.tsx';
import { type LinkList, useLinks } from './list.ts';
import { emptySelection, type Select, type Selection } from './selection.ts';
import { useBulk } from './use-bulk.ts';

const Empty = lazy(async () => ({ default: (await import('./empty.tsx')).Empty }));
// Loaded when somebody selects links.
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }));
const FailedDialog = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).FailedDialog }));

/** The links of the workspace, and bulk actions. */
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
  // The bar stays until the outcome of a change is known.
  const hasBar = selection.size > 0 || bulk.change.isBusy;
  return (
    <section className={isSelecting || hasBar ? 'links selecting' : 'links'} aria-label="Links">
      <h1 className="hidden">Links</h1>
      <Filters isSelecting={isSelecting} onSelecting={setSelecting} />
      <Listed list={list} selection={selection} select={select} onSelectAll={bulk.selectAll} />
      <LoadedLater>
        {hasBar && (
          <BulkBar
            selection={selection}
            select={select}
            bulk={bulk}
            hasMore={list.hasNextPage || list.links.length > selection.size}
          />
        )}
        {bulk.failed && <FailedDialog failed={bulk.failed} onClose={bulk.closeFailed} />}
      </LoadedLater>
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
  const refused = error instanceof ProblemError && error.status === 422 ? error.code : undefined;
  if (error && rows === 0 && refused === undefined) {
    const permission = filter.sort ? 'stats:read' : 'links:read';
    return <FailureNote error={error} what="The links could not be loaded." permission={permission} onRetry={retry} />;
  }
  if (refused !== undefined || (rows === 0 && !isPending && !isOld && !hasNextPage)) {
    return (
      <LoadedLater>
        <Empty filter={filter} refused={refused} />
      </LoadedLater>
    );
  }
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
            <Button kind="link" onClick={list.fetchNextPage}>
              Keep looking
            </Button>
          </>
        ) : error ? (
          <>
            More links could not be loaded.{' '}
            <Button kind="link" onClick={retry}>
              Try again
            </Button>
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

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Empty rows in their final size. They appear only if loading takes a moment. */
const Skeleton = () => (
  <div className="skeleton" aria-hidden="true">
    {skeletonRows.map((row) => (
      <div key={row} className="skeleton-row" />
    ))}
  </div>
);
