import { useEffect, useRef, useState } from 'react';
import { shortAddress, toastFailure } from '../parts/actions.ts';
import { count, counted, someOf } from '../parts/time.ts';
import { progressToast, toast } from '../parts/toasts.tsx';
import type { listQuery } from '../service/address.ts';
import { type Made, recording } from '../service/changes.ts';
import { api } from '../service/client.ts';
import { failureOf, isAborted } from '../service/failures.ts';
import { forgetLinks, reloadLinks } from '../service/links.ts';
import { inParts, type Outcome, type Send } from '../service/many.ts';
import { patiently } from '../service/patience.ts';
import { mayUndo } from '../service/queries.ts';
import { after, type Change, isChangedBy } from './bulk.ts';
import { linkPage } from './list.ts';
import { emptySelection, type Select, type Selected, type Selection, selectedOf } from './selection.ts';

/** What was done to more links than this is undone from the history, which shows how far it is. */
const mostUndone = 1_000;

/** What can be done to the selected links, and how far it is. */
export type Bulk = {
  /** What is under way; '' if nothing is. */
  readonly progress: string;
  /** Ends the walk through the list, with what it has found. Undefined if none is under way. */
  readonly stop: (() => void) | undefined;
  /** What failed, by name, and why. */
  readonly failed: readonly string[] | undefined;
  readonly closeFailed: () => void;
  readonly update: (change: Change, what: string) => void;
  readonly remove: () => void;
  readonly selectAll: () => void;
};

/** @param query of the list, as JSON. */
export function useBulk(selection: Selection, select: Select, query: string): Bulk {
  const [progress, setProgress] = useState('');
  const [failed, setFailed] = useState<readonly string[]>();
  const walk = useRef<AbortController>(undefined);
  const [isWalking, setWalking] = useState(false);
  const hasStopped = useRef(false);
  // What a walk finds belongs to the filter that it began with.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter ends it
  useEffect(() => () => walk.current?.abort(), [query]);

  const run = async (links: readonly Selected[], send: Send, isDone?: (code: string) => boolean): Promise<Outcome<Selected>> => {
    const say = (tried: number, waits = '') => setProgress(`${count(tried)} of ${count(links.length)}${waits && ` · ${waits}`}`);
    let tried = 0;
    say(0);
    try {
      const onProgress = (n: number) => {
        tried = n;
        say(n);
      };
      return await inParts(links, ({ id }) => id, send, { onProgress, say: (text) => say(tried, text), isDone });
    } finally {
      setProgress('');
    }
  };

  /** Says what was done, what failed, and how to take it back. */
  const tell = ({ done, failed: refused, error }: Outcome<Selected>, what: string, undo?: () => void): void => {
    const parts = [`${counted(done.length, 'link')} ${what}`, ...(refused.length > 0 ? [`${count(refused.length)} failed`] : [])];
    const why = error === undefined ? '' : ` ${failureOf(error, navigator.onLine, 'links:write').text}`;
    const show = {
      label: 'Show',
      run: () => setFailed(refused.map(({ item, message }) => `${shortAddress(item.shortUrl)}: ${message}`)),
    };
    toast(`${parts.join(', ')}.${why}`, {
      tone: why === '' && refused.length === 0 ? 'good' : 'bad',
      ...(undo && done.length > 0 && { action: { label: 'Undo', run: undo } }),
      ...(refused.length > 0 && { other: show }),
    });
  };

  /** Undoes what a change did to links, by its entries in the history. @param links those that it should have changed */
  const takeBack = async (made: Made, links: readonly Selected[], now: string) => {
    const stopped = new AbortController();
    const shown = progressToast('Undoing…', { label: 'Stop', run: () => stopped.abort() });
    try {
      const { undoChange } = await import('../history/undo-many.ts');
      const former = new Map(links.map((link) => [link.id, link]));
      const {
        done,
        refused: why,
        error,
      } = await undoChange(made, links, {
        onProgress: (tried) => shown.say(`Undoing… ${count(tried)} of ${count(links.length)}`),
        onUndone: (some) => {
          const back = some.flatMap(({ subject }) => former.get(subject.id) ?? []);
          select((selection) => selection.with(back.filter(({ id }) => selection.has(id))));
        },
        say: (text) => shown.say(text || 'Undoing…'),
        isStopped: () => stopped.signal.aborted,
      });
      const ended = error === undefined ? '' : ` ${failureOf(error, navigator.onLine, 'links:write').text}`;
      toast(`${someOf(done, links.length, 'link')} ${now}.${ended}`, {
        tone: done === links.length ? 'good' : 'bad',
        ...(why.length > 0 && { other: { label: 'Show', run: () => setFailed(why) } }),
      });
    } catch (error) {
      toastFailure(error, 'history:read');
    } finally {
      shown.end();
      reloadLinks();
    }
  };
  const undoOf = (made: Made, links: readonly Selected[], now: string) =>
    links.length > 0 && links.length <= mostUndone && mayUndo() ? () => void takeBack(made, links, now) : undefined;

  const update = async (fields: Change, what: string) => {
    const record = recording();
    const body = (ids: string[]) => ({ body: { ids, fields: fields as object } });
    const outcome = await run(selection.links(), (ids) => record.send(() => api.PATCH('/api/v1/links/bulk', body(ids))));
    const changed = outcome.done.filter((link) => isChangedBy(link, fields));
    select((now) => now.with(outcome.done.filter(({ id }) => now.has(id)).map((link) => after(link, fields))));
    reloadLinks();
    tell(outcome, what, undoOf(record.made(), changed, 'as before'));
  };
  const remove = async () => {
    const record = recording();
    const send = (ids: string[]) => record.send(() => api.POST('/api/v1/links/bulk-delete', { body: { ids } }));
    // Links that are gone after a request without an answer were deleted by it.
    const outcome = await run(selection.links(), send, (code) => code === 'not_found' && record.isUnsure());
    const { done } = outcome;
    if (done.length > 0) forgetLinks(new Set(done.map(({ id }) => id)));
    const undo = undoOf(record.made(), done, 'back, with 0 clicks');
    tell(outcome, undo || done.length === 0 ? 'deleted' : 'deleted. Undo them in the history', undo);
  };

  const selectAll = async () => {
    walk.current?.abort();
    const walking = new AbortController();
    walk.current = walking;
    hasStopped.current = false;
    setWalking(true);
    const filters = JSON.parse(query) as ReturnType<typeof listQuery>;
    let found = emptySelection;
    try {
      let cursor: string | null | undefined;
      do {
        const data = await patiently(
          () => linkPage(filters, cursor ?? undefined, walking.signal),
          (text) => setProgress(text || `${count(found.size)} found`),
        );
        found = found.with(data.links.map(selectedOf));
        setProgress(`${count(found.size)} found`);
        cursor = data.nextCursor;
      } while (cursor && !hasStopped.current);
      walking.signal.throwIfAborted();
      select(found);
    } catch (error) {
      if (!isAborted(error)) toastFailure(error, 'links:read');
    } finally {
      if (walk.current === walking) {
        setProgress('');
        setWalking(false);
      }
    }
  };
  return {
    progress,
    stop: isWalking
      ? () => {
          hasStopped.current = true;
        }
      : undefined,
    failed,
    closeFailed: () => setFailed(undefined),
    update: (fields, what) => void update(fields, what),
    remove: () => void remove(),
    selectAll: () => void selectAll(),
  };
}
