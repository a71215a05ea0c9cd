import { useEffect, useRef, useState } from 'react';
import { toastFailure } from '../parts/actions.ts';
import { count, counted } from '../parts/time.ts';
import { progressToast, toast } from '../parts/toasts.tsx';
import type { listQuery } from '../service/address.ts';
import { api } from '../service/client.ts';
import { failureOf, isAborted } from '../service/failures.ts';
import { tellOfLinks, undoDeletion } from '../service/links.ts';
import { fewAtATime, patiently } from '../service/patience.ts';
import { queries } from '../service/queries.ts';
import { after, type Change, type Failed, inParts, type Outcome, type Send, undoOf } from './bulk.ts';
import { emptySelection, type Select, type Selected, type Selection, selectedOf } from './selection.ts';

/** Deletions of more links than this are undone from the history: each takes two requests. */
const mostUndone = 1_000;
const restoredAtATime = 4;

/** What can be done to the selected links, and how far it is. */
export type Bulk = {
  /** What is under way; '' if nothing is. */
  readonly progress: string;
  /** Ends the walk through the list, with what it has found. Undefined if none is under way. */
  readonly stop: (() => void) | undefined;
  readonly failed: readonly Failed[] | undefined;
  readonly closeFailed: () => void;
  readonly update: (change: Change, what: string) => void;
  readonly remove: () => void;
  readonly selectAll: () => void;
};

/** @param query of the list, as JSON. */
export function useBulk(selection: Selection, select: Select, query: string): Bulk {
  const [progress, setProgress] = useState('');
  const [failed, setFailed] = useState<readonly Failed[]>();
  const walk = useRef<AbortController>(undefined);
  const [isWalking, setWalking] = useState(false);
  const hasStopped = useRef(false);
  // What a walk finds belongs to the filter that it began with.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter ends it
  useEffect(() => () => walk.current?.abort(), [query]);

  const run = async (links: readonly Selected[], send: Send): Promise<Outcome> => {
    const say = (tried: number, waits = '') => setProgress(`${count(tried)} of ${count(links.length)}${waits && ` · ${waits}`}`);
    let tried = 0;
    say(0);
    try {
      const onProgress = (n: number) => {
        tried = n;
        say(n);
      };
      return await inParts(links, send, onProgress, (text) => say(tried, text));
    } finally {
      setProgress('');
    }
  };

  /** Says what was done, what failed, and how to take it back. */
  const tell = ({ done, failed: refused, error }: Outcome, what: string, undo?: () => void): void => {
    const parts = [`${counted(done.length, 'link')} ${what}`, ...(refused.length > 0 ? [`${count(refused.length)} failed`] : [])];
    const why = error === undefined ? '' : ` ${failureOf(error, navigator.onLine, 'links:write').text}`;
    const show = { label: 'Show', run: () => setFailed(refused) };
    toast(`${parts.join(', ')}.${why}`, {
      tone: why === '' && refused.length === 0 ? 'good' : 'bad',
      ...(undo && done.length > 0 && { action: { label: 'Undo', run: undo } }),
      ...(refused.length > 0 && { other: show }),
    });
  };

  const patch =
    (change: Change): Send =>
    async (ids) =>
      (await api.PATCH('/api/v1/links/bulk', { body: { ids, fields: change as object } })).data;

  const change = async (links: readonly Selected[], fields: Change): Promise<Outcome> => {
    const outcome = await run(links, patch(fields));
    select((now) => now.with(outcome.done.filter(({ id }) => now.has(id)).map((link) => after(link, fields))));
    return outcome;
  };
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: ['link'] });
    tellOfLinks({ kind: 'many' });
  };
  const takeBack = async (links: readonly Selected[], fields: Change) => {
    const outcomes: Outcome[] = [];
    for (const group of undoOf(links, fields)) {
      outcomes.push(
        await change(
          group.links.map((link) => after(link, fields)),
          group.change,
        ),
      );
    }
    refresh();
    const error = outcomes.find((one) => one.error !== undefined)?.error;
    tell({ done: outcomes.flatMap((one) => one.done), failed: outcomes.flatMap((one) => one.failed), error }, 'changed back');
  };
  const update = async (fields: Change, what: string) => {
    const outcome = await change(selection.links(), fields);
    refresh();
    const before = outcome.done;
    const isUndoable = undoOf(before, fields).length > 0;
    tell(outcome, what, isUndoable ? () => void takeBack(before, fields) : undefined);
  };

  const restore = async (links: readonly Selected[]) => {
    const refused: Failed[] = [];
    let isStopped = false;
    let restored = 0;
    const shown = progressToast('Undoing…', {
      label: 'Stop',
      run: () => {
        isStopped = true;
      },
    });
    const each = async (link: Selected) => {
      try {
        await undoDeletion(link.id, 'quietly');
        restored++;
      } catch (error) {
        refused.push({ link, message: failureOf(error, navigator.onLine, 'history:read').text });
      }
      shown.say(`Undoing… ${count(restored)} of ${count(links.length)}`);
    };
    await fewAtATime(links, restoredAtATime, each, () => isStopped);
    shown.end();
    tellOfLinks({ kind: 'many' });
    toast(`${count(restored)} of ${counted(links.length, 'link')} are back, with 0 clicks.`, {
      tone: restored === links.length ? 'good' : 'bad',
      ...(refused.length > 0 && { other: { label: 'Show', run: () => setFailed(refused) } }),
    });
  };
  const remove = async () => {
    const send: Send = async (ids) => (await api.POST('/api/v1/links/bulk-delete', { body: { ids } })).data;
    const outcome = await run(selection.links(), send);
    const { done } = outcome;
    if (done.length > 0) tellOfLinks({ kind: 'deleted', ids: new Set(done.map(({ id }) => id)) });
    if (done.length <= mostUndone) tell(outcome, 'deleted', () => void restore(done));
    else tell(outcome, 'deleted. Undo them in the history');
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
        const params = { query: { ...filters, limit: 100, ...(cursor && { cursor }) } };
        const { data } = await patiently(
          () => api.GET('/api/v1/links', { params, signal: walking.signal }),
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
