import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Schemas } from '../../typescript/client.ts';
import { shortAddress } from '../parts/actions.ts';
import { actorName } from '../parts/actor.ts';
import { FailureNote } from '../parts/failure.tsx';
import { Icon } from '../parts/icons.tsx';
import { isPageKey, useEscape } from '../parts/keys.ts';
import { PageLink } from '../parts/page-link.tsx';
import { fullTime } from '../parts/time.ts';
import { api } from '../service/client.ts';
import { getLink } from '../service/links.ts';
import { go, screenAddress, useAddress } from '../service/location.ts';
import { useMay, useTags } from '../service/queries.ts';
import type { Me } from '../service/types.ts';
import { Filters } from './filters.tsx';
import { whyNot } from './undo.ts';
import { UndoDialog } from './undo-dialog.tsx';
import { type HistoryView, parseView, plainSpan, timesOf, writeView } from './view.ts';
import { byDay, deedOf, differencesOf, type Entry, emptyText, type Names } from './words.ts';

type HistoryPage = Schemas['HistoryPage'];

const pageSize = 50;
/** How often a page without an entry that matches is followed by the next one, before somebody is asked. */
const mostEmpty = 5;

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
    queryKey: ['link', linkId],
    queryFn: ({ signal }) => getLink(linkId ?? '', signal),
    enabled: linkId !== undefined,
  });
  if (linkId === undefined) return <h1>History</h1>;
  return (
    <header className="stats-head">
      <h1>
        History of{' '}
        <bdi className="stats-link">
          {link.data ? shortAddress(link.data.link.shortUrl) : link.error ? 'a deleted link' : '…'}
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
  const [undone, undo] = useState<Entry>();
  const tags = useTags(useMay('tags:read'));
  const names: Names = { tag: (id) => tags.data?.find((tag) => tag.id === id)?.name ?? 'a deleted tag' };
  const pages = useInfiniteQuery({
    queryKey: ['history', view, from, to],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const paged = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
      if (linkId !== undefined) {
        const answer = await api.GET('/api/v1/links/{id}/history', { params: { path: { id: linkId }, query: paged }, signal });
        const data = answer.data as HistoryPage;
        // Of one link, the API has no filters.
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
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    staleTime: 0,
  });
  const all = pages.data?.pages ?? [];
  const entries = all.flatMap((page) => page.entries);
  const emptyPages = all.length - 1 - all.findLastIndex((page) => page.entries.length > 0);
  const keepsLooking = pages.hasNextPage && emptyPages > 0 && emptyPages < mostEmpty;
  const { fetchNextPage, isFetchingNextPage } = pages;
  useEffect(() => {
    if (keepsLooking && !isFetchingNextPage) void fetchNextPage();
  }, [keepsLooking, isFetchingNextPage, fetchNextPage]);
  return (
    <>
      <Filters view={view} setView={setView} entries={entries} />
      {linkId === undefined && <p className="small">When a link was created is in its own history.</p>}
      {pages.error && entries.length === 0 ? (
        <FailureNote
          error={pages.error}
          what="The history could not be loaded."
          permission="history:read"
          onRetry={() => void pages.refetch()}
        />
      ) : entries.length === 0 && !pages.hasNextPage && !pages.isPending ? (
        <p className="empty-note">{emptyText(view)}</p>
      ) : (
        <Days entries={entries} names={names} isOfLink={linkId !== undefined} onUndo={undo} />
      )}
      <p className="history-more" role="status">
        {pages.isPending || isFetchingNextPage || keepsLooking ? (
          <span className="small">Loading changes…</span>
        ) : pages.error && entries.length > 0 ? (
          <>
            Earlier changes could not be loaded.{' '}
            <button type="button" className="link-button" onClick={() => void fetchNextPage()}>
              Try again
            </button>
          </>
        ) : pages.hasNextPage ? (
          <button type="button" className="button" onClick={() => void fetchNextPage()}>
            {emptyPages > 0 ? 'Keep looking' : 'Show earlier changes'}
          </button>
        ) : null}
      </p>
      {undone && <UndoDialog entry={undone} names={names} onClose={() => undo(undefined)} />}
    </>
  );
}

const isWanted = (
  { actor: { id, type }, at }: Entry,
  actor: string | undefined,
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): boolean => (actor === undefined || (id ?? type) === actor) && Date.parse(at) >= from && Date.parse(at) < to;

type DaysProps = {
  readonly entries: readonly Entry[];
  readonly names: Names;
  readonly isOfLink: boolean;
  readonly onUndo: (entry: Entry) => void;
};

/** The entries by days. ↑ ↓ move among them, Enter shows details, and `U` undoes. */
function Days({ entries, names, isOfLink, onUndo }: DaysProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (direction === undefined || !isPageKey(event.nativeEvent)) return;
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('.change-when')];
    const at = all.findIndex((one) => one.closest('.change')?.contains(document.activeElement));
    const next = all[at + direction];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
    <div className="changes" onKeyDown={onKeyDown}>
      {byDay(entries).map(({ day, entries: some }) => (
        <section key={day} aria-label={day}>
          <h2>{day}</h2>
          <ol>
            {some.map((entry) => (
              <Change key={`${entry.subject.id} ${entry.id}`} entry={entry} names={names} isOfLink={isOfLink} onUndo={onUndo} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

type ChangeProps = Omit<DaysProps, 'entries'> & { readonly entry: Entry };

function Change({ entry, names, isOfLink, onUndo }: ChangeProps) {
  const [isOpen, open] = useState(false);
  const { verb, subject } = deedOf(entry);
  const why = whyNot(entry, useMay('links:write'));
  const clock = new Date(entry.at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const differences = differencesOf(entry, names);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'u' || !isPageKey(event.nativeEvent) || why !== undefined) return;
    event.preventDefault();
    onUndo(entry);
  };
  const isLink = entry.subject.type === 'link';
  return (
    <li className="change" onKeyDown={onKeyDown}>
      <button
        type="button"
        className="change-when"
        aria-expanded={isOpen}
        aria-label={`${clock}: details`}
        title={fullTime(entry.at)}
        onClick={() => open(!isOpen)}
      >
        <Icon name="chevron" /> {clock}
      </button>
      <div className="change-what">
        <p>
          <bdi>{actorName(entry)}</bdi> {verb}{' '}
          {isLink && !isOfLink ? (
            <PageLink
              to={{ query: writeView({ linkId: entry.subject.id, actor: undefined, span: 'all' }) }}
              title="All changes of this link"
            >
              <bdi>{subject}</bdi>
            </PageLink>
          ) : (
            <bdi>{subject}</bdi>
          )}
        </p>
        {differences.length > 0 && (
          <ul className={isOpen ? 'differences open' : 'differences'}>
            {differences.map(({ field, name, text }) => (
              <li key={field}>
                <span className="quiet">{name}</span> <bdi>{text}</bdi>
              </li>
            ))}
          </ul>
        )}
        {isOpen && (
          <p className="small">
            {fullTime(entry.at)}
            {entry.requestId !== null && ` · Request ${entry.requestId}`}
          </p>
        )}
      </div>
      {why === undefined ? (
        <button
          type="button"
          className="button"
          aria-label={`Undo: ${verb} ${subject} at ${clock}`}
          onClick={() => onUndo(entry)}
        >
          Undo
        </button>
      ) : (
        <span className="small change-why">No undo. {why}</span>
      )}
    </li>
  );
}
