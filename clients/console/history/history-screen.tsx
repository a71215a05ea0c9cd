import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Schemas } from '../../typescript/client.ts';
import { shortAddress } from '../parts/actions.ts';
import { Button } from '../parts/button.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { useEscape } from '../parts/keys.ts';
import { Empty } from '../parts/kit/list.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { api } from '../service/client.ts';
import { linkAt } from '../service/links.ts';
import { go, screenAddress, useAddress } from '../service/location.ts';
import { useMore, usePages } from '../service/pages.ts';
import { useMay, useTags } from '../service/queries.ts';
import type { Me } from '../service/types.ts';
import { Changes } from './changes.tsx';
import { Filters } from './filters.tsx';
import { type Group, grouped, mayHaveMore } from './groups.ts';
import { UndoDialog } from './undo-dialog.tsx';
import { UndoGroupDialog } from './undo-group.tsx';
import { keyOf, laterOf, type OnUndone, type Undone, undoneBy } from './undone.ts';
import { type HistoryView, parseView, plainSpan, timesOf, writeView } from './view.ts';
import { type Entry, emptyText, type Names } from './words.ts';

type HistoryPage = Schemas['HistoryPage'];

const pageSize = 50;
/** The most pages that are loaded automatically to show a whole bulk change. */
const mostCompleting = 6;

/** Who changed what, and when: in the workspace, or of one link. */
export function HistoryScreen({ me }: { readonly me: Me }) {
  const view = parseView(useAddress().query);
  const setView = (change: Partial<HistoryView>) => go({ query: writeView({ ...view, ...change }) });
  const isChosen = view.actor !== undefined || view.span !== plainSpan(view.linkId);
  useEscape(() => setView({ actor: undefined, span: plainSpan(view.linkId) }), isChosen);
  return (
    <section className="screen history" aria-label="History">
      <Head view={view} />
      {me.limits.historyDays === 0 ? (
        <p className="notice">This service keeps no history, so nothing can be undone.</p>
      ) : (
        <Entries key={writeView(view)} view={view} setView={setView} />
      )}
    </section>
  );
}

function Head({ view: { linkId } }: { readonly view: HistoryView }) {
  const link = useQuery({
    ...linkAt(linkId ?? '').query,
    enabled: linkId !== undefined,
  });
  if (linkId === undefined) return <h1>History</h1>;
  return (
    <header className="stats-head">
      <h1>
        History of{' '}
        <bdi className="stats-link">
          {link.data ? shortAddress(link.data.value.shortUrl) : link.error ? 'a deleted link' : '…'}
        </bdi>
      </h1>
      {link.data && (
        <PageLink to={{ ...screenAddress('links'), linkId }} className="button">
          Open link
        </PageLink>
      )}
      <PageLink to={screenAddress('history')} className="button">
        All changes
      </PageLink>
    </header>
  );
}

type EntriesProps = { readonly view: HistoryView; readonly setView: (change: Partial<HistoryView>) => void };

function Entries({ view, setView }: EntriesProps) {
  const { linkId, actor, span } = view;
  const [{ from, to }] = useState(() => timesOf(span, Date.now()));
  const [wanted, undo] = useState<Group>();
  const tags = useTags(useMay('tags:read'));
  const names: Names = { tag: (id) => tags.data?.find((tag) => tag.id === id)?.name ?? 'a deleted tag' };
  const pages = usePages(
    ['history', view, from, to],
    async (cursor, signal) => {
      const paged = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
      if (linkId !== undefined) {
        const answer = await api.GET('/api/v1/links/{id}/history', { params: { path: { id: linkId }, query: paged }, signal });
        const data = answer.data as HistoryPage;
        // The API has no filters for the history of one link.
        const isOlder = from !== undefined && data.entries.some(({ at }) => Date.parse(at) < from);
        const entries = data.entries.filter((entry) => isWanted(entry, actor, from, to));
        return { entries, nextCursor: isOlder ? null : data.nextCursor };
      }
      const filter = {
        ...(actor !== undefined && { actor }),
        ...(from !== undefined && { from: new Date(from).toISOString() }),
        ...(to !== undefined && { to: new Date(to).toISOString() }),
      };
      return (await api.GET('/api/v1/history', { params: { query: { ...paged, ...filter } }, signal })).data as HistoryPage;
    },
    { staleTime: 0 },
  );
  const all = pages.data?.pages ?? [];
  const { data } = pages;
  const entries = useMemo(() => data?.pages.flatMap((page) => page.entries) ?? [], [data]);
  const groups = useMemo(() => grouped(entries), [entries]);
  const [answers, setAnswers] = useState<ReadonlyMap<string, Undone>>(new Map());
  const later = useMemo(() => laterOf(entries, answers), [entries, answers]);
  const onUndone: OnUndone = (some, link) =>
    setAnswers((known) => new Map([...known, ...some.map((entry) => [keyOf(entry), undoneBy(entry, link)] as const)]));
  const last = entries.at(-1);
  const mayGoOn = (group: Group) => last !== undefined && mayHaveMore(group, last, pages.hasNextPage);
  const isCut = all.length < mostCompleting && groups.some((group) => group.length > 1 && mayGoOn(group));
  const sizes = all.map((page) => page.entries.length);
  const { hasPaused, goesOn } = useMore(pages, sizes, isCut);
  const { fetchNextPage, isFetchingNextPage } = pages;
  return (
    <>
      <Filters view={view} setView={setView} entries={entries} />
      {linkId === undefined && <p className="small">New links are in each link’s own history.</p>}
      {pages.error && entries.length === 0 ? (
        <FailureNote
          error={pages.error}
          what="The history could not be loaded."
          permission="history:read"
          onRetry={() => void pages.refetch()}
        />
      ) : entries.length === 0 && !pages.hasNextPage && !pages.isPending ? (
        <Empty text={emptyText(view)}>
          {actor !== undefined || span !== 'all' ? (
            <Button onClick={() => setView({ actor: undefined, span: 'all' })}>Show all changes</Button>
          ) : (
            <PageLink to={{ ...screenAddress('links'), linkId }} className="button">
              {linkId === undefined ? 'Go to the links' : 'Go to the link'}
            </PageLink>
          )}
        </Empty>
      ) : (
        <Changes groups={groups} later={later} mayGoOn={mayGoOn} names={names} isOfLink={linkId !== undefined} onUndo={undo} />
      )}
      <p className="history-more" role="status">
        {pages.isPending || isFetchingNextPage || goesOn ? (
          <span className="small">Loading changes…</span>
        ) : pages.error && entries.length > 0 ? (
          <>
            Earlier changes could not be loaded.{' '}
            <Button kind="link" onClick={fetchNextPage}>
              Try again
            </Button>
          </>
        ) : pages.hasNextPage ? (
          <Button onClick={fetchNextPage}>{hasPaused ? 'Keep looking' : 'Show earlier changes'}</Button>
        ) : null}
      </p>
      {wanted &&
        (wanted.length === 1 ? (
          <UndoDialog entry={wanted[0]} names={names} onUndone={onUndone} onClose={() => undo(undefined)} />
        ) : (
          <UndoGroupDialog group={wanted} later={later} names={names} onUndone={onUndone} onClose={() => undo(undefined)} />
        ))}
    </>
  );
}

const isWanted = (
  { actor: { id, type }, at }: Entry,
  actor: string | undefined,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): boolean => (actor === undefined || (id ?? type) === actor) && Date.parse(at) >= from && Date.parse(at) < to;
