import { useState } from 'react';
import { linksPerRequest } from '../../../lambdas/core/limits.ts';
import { ProblemError } from '../../typescript/problem.ts';
import { shortAddress, toastFailure } from '../parts/actions.ts';
import { DeleteDialog } from '../parts/delete-dialog.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Icon } from '../parts/icons.tsx';
import { TagPicker } from '../parts/tag-picker.tsx';
import { count, counted } from '../parts/time.ts';
import { toast } from '../parts/toasts.tsx';
import type { listQuery } from '../service/address.ts';
import { api } from '../service/client.ts';
import { tellOfLinks, undoDeletion } from '../service/links.ts';
import { queries, useTags } from '../service/queries.ts';
import { emptySelection, type Selected, type Selection } from './selection.ts';

type Failed = { readonly link: Selected; readonly message: string };
type Outcome = { readonly done: readonly Selected[]; readonly failed: readonly Failed[] };
type Answer = { readonly failed: readonly { readonly id: string; readonly message: string }[] };

/** Deletions of more links than this are undone from the history: each takes a few requests. */
const mostUndone = 100;

/**
 * Changes links, as many a request as the API takes. It waits for the limit on such requests, because half a change helps
 * nobody.
 *
 * @param onProgress called with how many are done, and how many seconds it waits.
 */
async function inParts(
  links: readonly Selected[],
  send: (ids: string[]) => Promise<Answer>,
  onProgress: (done: number, waits: number) => void,
): Promise<Outcome> {
  const done: Selected[] = [];
  const failed: Failed[] = [];
  for (let from = 0; from < links.length; from += linksPerRequest) {
    const part = links.slice(from, from + linksPerRequest);
    const answer = await patiently(
      () => send(part.map(({ id }) => id)),
      (seconds) => onProgress(from, seconds),
    );
    const messages = new Map(answer.failed.map(({ id, message }) => [id, message]));
    for (const link of part) {
      const message = messages.get(link.id);
      if (message === undefined) done.push(link);
      else failed.push({ link, message });
    }
    onProgress(from + part.length, 0);
  }
  return { done, failed };
}

async function patiently<T>(send: () => Promise<T>, onWait: (seconds: number) => void): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ProblemError) || error.status !== 429) throw error;
      for (let left = error.retryAfter ?? 1; left > 0; left--) {
        onWait(left);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
    }
  }
}

type BulkBarProps = {
  readonly selection: Selection;
  readonly select: (next: Selection) => void;
  /** The query of the list, as JSON. */
  readonly query: string;
};

/** How many links are selected, and what can be done to all of them. */
export function BulkBar({ selection, select, query }: BulkBarProps) {
  const tags = useTags();
  const [progress, setProgress] = useState('');
  const [isAsking, ask] = useState(false);
  const [failed, showFailed] = useState<readonly Failed[]>();

  const run = async (send: (ids: string[]) => Promise<Answer>, what: string): Promise<readonly Selected[]> => {
    const links = selection.links();
    setProgress(`0 of ${count(links.length)}`);
    try {
      const outcome = await inParts(links, send, (done, waits) =>
        setProgress(`${count(done)} of ${count(links.length)}${waits > 0 ? ` · too many requests, next in ${waits} s` : ''}`),
      );
      const text = `${counted(outcome.done.length, 'link')} ${what}`;
      if (outcome.failed.length === 0) toast(`${text}.`, { tone: 'good' });
      else {
        const show = { label: 'Show', run: () => showFailed(outcome.failed) };
        toast(`${text}, ${outcome.failed.length} failed.`, { tone: 'bad', action: show });
      }
      return outcome.done;
    } catch (error) {
      toastFailure(error, 'links:write');
      return [];
    } finally {
      setProgress('');
    }
  };
  const update = async (fields: object, what: string) => {
    await run(async (ids) => (await api.PATCH('/api/v1/links/bulk', { body: { ids, fields } })).data, what);
    void queries.invalidateQueries({ queryKey: ['link'] });
    tellOfLinks({ kind: 'many' });
  };
  const remove = async () => {
    ask(false);
    const gone = await run(async (ids) => (await api.POST('/api/v1/links/bulk-delete', { body: { ids } })).data, 'deleted');
    if (gone.length === 0) return;
    tellOfLinks({ kind: 'deleted', ids: new Set(gone.map(({ id }) => id)) });
    if (gone.length <= mostUndone)
      toast(`Undo ${counted(gone.length, 'deletion')}?`, { action: { label: 'Undo', run: () => void restoreAll(gone) } });
  };
  const selectAll = async () => {
    const filters = JSON.parse(query) as ReturnType<typeof listQuery>;
    let all = emptySelection;
    try {
      let cursor: string | null | undefined;
      do {
        const params = { query: { ...filters, limit: 100, ...(cursor && { cursor }) } };
        const { data } = await patiently(
          () => api.GET('/api/v1/links', { params }),
          () => {},
        );
        all = all.with(data.links);
        setProgress(`${count(all.size)} found`);
        cursor = data.nextCursor;
      } while (cursor);
      select(all);
    } catch (error) {
      toastFailure(error, 'links:read');
    } finally {
      setProgress('');
    }
  };
  const isBusy = progress !== '';
  return (
    <div className="bulk" role="toolbar" aria-label="Selected links">
      <strong>{count(selection.size)} selected</strong>
      <button
        type="button"
        className="icon-button"
        aria-label="End the selection"
        disabled={isBusy}
        onClick={() => select(emptySelection)}
      >
        <Icon name="close" />
      </button>
      {isBusy ? (
        <span role="status">{progress}</span>
      ) : (
        <>
          <TagPicker
            label="Add tags"
            tags={tags.data ?? []}
            chosen={[]}
            onChange={(ids) => void update({ addTagIds: ids }, 'tagged')}
          />
          <TagPicker
            label="Remove tags"
            tags={tags.data ?? []}
            chosen={[]}
            onChange={(ids) => void update({ removeTagIds: ids }, 'untagged')}
          />
          <button type="button" className="button" onClick={() => void update({ isActive: false }, 'switched off')}>
            Switch off
          </button>
          <button type="button" className="button" onClick={() => void update({ isActive: true }, 'switched on')}>
            Switch on
          </button>
          <button type="button" className="button bad" onClick={() => ask(true)}>
            Delete
          </button>
          <button type="button" className="link-button" onClick={() => void selectAll()}>
            Select all that match
          </button>
        </>
      )}
      {isAsking && <DeleteDialog links={selection.links()} onClose={() => ask(false)} onDelete={() => void remove()} />}
      {failed && <FailedDialog failed={failed} onClose={() => showFailed(undefined)} />}
    </div>
  );
}

async function restoreAll(links: readonly Selected[]): Promise<void> {
  const done = toast('Undoing…');
  let restored = 0;
  for (const { id } of links) {
    try {
      await undoDeletion(id);
      restored++;
    } catch (error) {
      toastFailure(error, 'history:read');
    }
  }
  done();
  toast(`${counted(restored, 'link')} of ${count(links.length)} are back, with 0 clicks.`, {
    tone: restored === links.length ? 'good' : 'bad',
  });
}

const FailedDialog = ({ failed, onClose }: { readonly failed: readonly Failed[]; readonly onClose: () => void }) => (
  <Dialog title={`${counted(failed.length, 'link')} failed`} onClose={onClose}>
    <ul className="failed">
      {failed.map(({ link, message }) => (
        <li key={link.id}>
          <bdi className="mono">{shortAddress(link.shortUrl)}</bdi>: {message}
        </li>
      ))}
    </ul>
  </Dialog>
);
