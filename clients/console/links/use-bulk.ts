import { useEffect, useRef, useState } from 'react';
import { type Done, shortAddress } from '../parts/actions.ts';
import { type Change, useChange } from '../parts/kit/change.tsx';
import { count, counted, someOf } from '../parts/time.ts';
import type { listQuery } from '../service/address.ts';
import { type Made, recording } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { failureOf, isAborted } from '../service/failures.ts';
import { forgetLinks, reloadLinks } from '../service/links.ts';
import { inParts, type Outcome, type Send } from '../service/many.ts';
import { patiently, type Say } from '../service/patience.ts';
import { mayUndo } from '../service/queries.ts';
import { after, type Fields, isChangedBy } from './bulk.ts';
import { linkPage } from './list.ts';
import type { Replacement } from './replacement.ts';
import { emptySelection, type Select, type Selected, type Selection, selectedOf } from './selection.ts';

/** Changes of more links than this are undone from the history, which shows the progress. */
const mostUndone = 1_000;

/** How many links are changed at a time if each needs its own request. */
const atATime = 4;

/** The actions for the selected links, and their progress. */
export type Bulk = {
  readonly change: Change;
  /** The failed links, and why. */
  readonly failed: readonly string[] | undefined;
  readonly closeFailed: () => void;
  readonly update: (fields: Fields, what: string) => void;
  /** Replaces a text in the destinations. */
  readonly replace: (replacement: Replacement) => void;
  readonly remove: () => void;
  readonly selectAll: () => void;
};

/** @param query the list's query, as JSON. */
export function useBulk(selection: Selection, select: Select, query: string): Bulk {
  const [failed, setFailed] = useState<readonly string[]>();
  const change = useChange('links:write');
  const walk = useRef<AbortController>(undefined);
  // A walk through the list belongs to the filter with which it began.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter ends it
  useEffect(() => () => walk.current?.abort(), [query]);

  /** Changes links with as many requests as necessary. */
  const inRequests = (
    links: readonly Selected[],
    send: Send,
    say: Say,
    how: Pick<Parameters<typeof inParts>[3], 'isDone' | 'oneEach'> = {},
  ) => {
    let tried = 0;
    const show = (waits = '') => say(`${count(tried)} of ${count(links.length)}${waits && ` · ${waits}`}`);
    const onProgress = (n: number) => {
      tried = n;
      show();
    };
    show();
    return inParts(links, ({ id }) => id, send, { onProgress, say: show, ...how });
  };

  /** What to say. @param error why not all links were tried @param refused the failed links, and why */
  const told = (text: string, isAll: boolean, error?: unknown, refused: readonly string[] = [], undo?: Done['undo']): Done => ({
    text: error === undefined ? `${text}.` : `${text}. ${failureOf(error, navigator.onLine, 'links:write').text}`,
    tone: isAll && error === undefined ? 'good' : 'bad',
    undo,
    next: refused.length > 0 ? { label: 'Show', run: () => setFailed(refused) } : undefined,
  });
  const outcomeOf = ({ done, failed: refused, error }: Outcome<Selected>, what: string, undo: Done['undo']): Done => {
    const text = `${counted(done.length, 'link')} ${what}${refused.length > 0 ? `, ${count(refused.length)} failed` : ''}`;
    const why = refused.map(({ item, message }) => `${shortAddress(item.shortUrl)}: ${message}`);
    return told(text, refused.length === 0, error, why, undo);
  };

  /**
   * Undoes what a change did to links, by its entries in the history. @param links the links that it should have
   * changed
   */
  const takeBack = async (made: Made, links: readonly Selected[], now: string, say: Say): Promise<Done> => {
    const stopped = new AbortController();
    const show = (text: string) => say(text, () => stopped.abort());
    show('');
    try {
      const { undoChange } = await import('../history/undo-many.ts');
      const former = new Map(links.map((link) => [link.id, link]));
      const { done, refused, error } = await undoChange(made, links, {
        onProgress: (tried) => show(`Undoing… ${count(tried)} of ${count(links.length)}`),
        onUndone: (some) => {
          const back = some.flatMap(({ subject }) => former.get(subject.id) ?? []);
          select((selection) => selection.with(back.filter(({ id }) => selection.has(id))));
        },
        say: show,
        isStopped: () => stopped.signal.aborted,
      });
      return told(`${someOf(done, links.length, 'link')} ${now}`, done === links.length, error, refused);
    } finally {
      reloadLinks();
    }
  };
  const undoOf = (made: Made, links: readonly Selected[], now: string): Done['undo'] =>
    links.length > 0 && links.length <= mostUndone && mayUndo() ? (say) => takeBack(made, links, now, say) : undefined;

  const update = async (fields: Fields, what: string, say: Say): Promise<Done> => {
    const record = recording();
    const send = (ids: string[]) =>
      record.send((headers) => api.PATCH('/api/v1/links/bulk', { headers, body: { ids, fields: fields as object } }));
    const outcome = await inRequests(selection.links(), send, say);
    const changed = outcome.done.filter((link) => isChangedBy(link, fields));
    select((now) => now.with(outcome.done.filter(({ id }) => now.has(id)).map((link) => after(link, fields))));
    reloadLinks();
    return outcomeOf(outcome, what, undoOf(record.made(), changed, 'restored'));
  };
  const replace = async (replacement: Replacement, say: Say): Promise<Done> => {
    const [{ replacedIn }, { replacing }] = await Promise.all([import('./replacement.ts'), import('./replace.ts')]);
    const record = recording();
    const outcome = await inRequests(selection.links(), replacing(replacement, record), say, {
      oneEach: { atATime },
    });
    const changed = (link: Selected) => ({ ...link, url: replacedIn(link.url, replacement) });
    select((now) => now.with(outcome.done.filter(({ id }) => now.has(id)).map(changed)));
    reloadLinks();
    return outcomeOf(outcome, 'changed', undoOf(record.made(), outcome.done, 'restored'));
  };
  const remove = async (say: Say): Promise<Done> => {
    const record = recording();
    const send = (ids: string[]) => record.send((headers) => api.POST('/api/v1/links/bulk-delete', { headers, body: { ids } }));
    // Links that are gone after a request without an answer were deleted by that request.
    const outcome = await inRequests(selection.links(), send, say, {
      isDone: (code) => code === 'not_found' && record.isUnsure(),
    });
    const { done } = outcome;
    if (done.length > 0) forgetLinks(new Set(done.map(({ id }) => id)));
    const undo = undoOf(record.made(), done, 'back, with 0 clicks');
    return outcomeOf(outcome, undo || done.length === 0 ? 'deleted' : 'deleted. Undo them in the history', undo);
  };

  const selectAll = async (say: Say): Promise<Done> => {
    const walking = new AbortController();
    walk.current = walking;
    let hasStopped = false;
    let found = emptySelection;
    const show = (waits = '') =>
      say(waits || `${count(found.size)} found`, () => {
        hasStopped = true;
      });
    const filters = JSON.parse(query) as ReturnType<typeof listQuery>;
    try {
      let cursor: string | null | undefined;
      do {
        show();
        const data = await patiently(() => linkPage(filters, cursor ?? undefined, walking.signal), show);
        found = found.with(data.links.map(selectedOf));
        cursor = data.nextCursor;
      } while (cursor && !hasStopped);
      walking.signal.throwIfAborted();
      select(found);
      return {};
    } catch (error) {
      return isAborted(error) ? {} : told('The links could not all be selected', false, error);
    }
  };
  return {
    change,
    failed,
    closeFailed: () => setFailed(undefined),
    update: (fields, what) => void change.run((say) => update(fields, what, say)),
    replace: (replacement) => void change.run((say) => replace(replacement, say)),
    remove: () => void change.run(remove),
    selectAll: () => !change.isBusy && void change.run(selectAll),
  };
}
