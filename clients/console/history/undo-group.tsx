import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toastDone } from '../parts/actions.ts';
import { Button } from '../parts/button.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { Dialog } from '../parts/kit/dialog.tsx';
import { count, counted, someOf } from '../parts/time.ts';
import { api } from '../service/client.ts';
import { reloadLinks } from '../service/links.ts';
import { all } from '../service/queries.ts';
import { type Group, grouped, longestMs } from './groups.ts';
import { undoMany } from './undo-many.ts';
import { isLeft, keyOf, type Later, type OnUndone } from './undone.ts';
import { Values } from './values.tsx';
import { type Entry, type Names, sharedDifferences, undoneDifference } from './words.ts';

type UndoGroupProps = {
  readonly group: Group;
  readonly later: Later;
  readonly names: Names;
  readonly onUndone: OnUndone;
  readonly onClose: () => void;
};

/** Every change of a group's request, including those that are not loaded. */
async function wholeGroup(group: Group, signal: AbortSignal): Promise<Group> {
  const [newest] = group;
  const { id, type } = newest.actor;
  const at = Date.parse(newest.at);
  const [from, to] = [at - longestMs, at + longestMs].map((time) => new Date(time).toISOString());
  const query = { actor: id ?? type, from, to };
  const near = (await all(api.pages('/api/v1/history', { params: { query }, signal }))) as Entry[];
  return grouped(near).find((some) => some.some((entry) => keyOf(entry) === keyOf(newest))) ?? group;
}

/**
 * Says what undoing the changes of several links will do, and undoes as many as it can. Entries that were undone are
 * left alone: somebody may have changed the same again.
 */
export function UndoGroupDialog({ group, later, names, onUndone, onClose }: UndoGroupProps) {
  const [newest] = group;
  // The state before this dialog undid anything.
  const [before] = useState(later);
  const isDeletion = newest.action === 'link.deleted';
  const found = useQuery({
    queryKey: ['history', 'group', newest.requestId, newest.id],
    queryFn: ({ signal }) => wholeGroup(group, signal),
    staleTime: 0,
    refetchOnMount: 'always',
  });
  const change = useChange('links:write');
  const [tried, setTried] = useState(0);
  const [refused, setRefused] = useState<readonly string[]>([]);
  const isStopped = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  // If they are loaded again meanwhile, the button stays and keeps the focus.
  const isLoaded = found.isFetchedAfterMount && !found.error;
  const entries = isLoaded ? found.data?.filter((entry) => isLeft(entry, before)) : undefined;
  const isReady = entries !== undefined;
  useEffect(() => {
    if (isReady) button.current?.focus();
  }, [isReady]);
  const undo = async (some: readonly Entry[]) => {
    isStopped.current = false;
    setTried(0);
    const isDone = await change.run(async (say) => {
      try {
        const watch = { onProgress: setTried, onUndone, say, isStopped: () => isStopped.current };
        const { done, refused, error } = await undoMany(some, watch);
        setRefused(refused);
        const text = `${someOf(done, some.length, 'link')} ${isDeletion ? 'back, with 0 clicks' : 'restored'}.`;
        toastDone({ text, tone: done === some.length ? 'good' : 'bad' });
        if (error !== undefined) throw error;
        return refused.length === 0 ? {} : undefined;
      } finally {
        reloadLinks();
      }
    });
    if (isDone) onClose();
  };
  return (
    <Dialog title={isDeletion ? 'Undo these deletions?' : 'Undo these changes?'} onClose={onClose} isClosable={!change.isBusy}>
      {found.error ? (
        <FailureNote
          error={found.error}
          what="The changes could not be loaded."
          permission="history:read"
          onRetry={() => void found.refetch()}
        />
      ) : entries === undefined ? (
        <p aria-busy="true">Loading all links of this change…</p>
      ) : isDeletion ? (
        <p>
          Recreates <strong>{counted(entries.length, 'link')}</strong>, with new ids and 0 clicks.
          {entries.some(({ changes }) => changes.password) && ' Those that had a password come back switched off.'}
          {entries.some(({ changes }) => changes.tagIds) && ' Tags that no longer exist are left out.'}
        </p>
      ) : (
        <Plan entries={entries} names={names} />
      )}
      {refused.length > 0 && (
        <div className="notice bad" role="alert">
          <p>{isDeletion ? 'These are not back:' : 'These stay as they are:'}</p>
          <ul className="failed">
            {refused.map((text) => (
              <li key={text}>
                <bdi>{text}</bdi>
              </li>
            ))}
          </ul>
        </div>
      )}
      {!change.isBusy && change.note}
      {change.isBusy && entries && (
        <div className="stack">
          <progress max={entries.length} value={tried} aria-label="Links done" />
          <p role="status">{change.said || `Undoing… ${count(tried)} of ${count(entries.length)}`}</p>
        </div>
      )}
      <p className="actions end">
        {change.isBusy ? (
          <Button
            onClick={() => {
              isStopped.current = true;
            }}
          >
            Stop
          </Button>
        ) : (
          <Button onClick={onClose}>{refused.length > 0 ? 'Close' : 'Cancel'}</Button>
        )}
        {refused.length === 0 && (
          <Button
            ref={button}
            kind="primary"
            disabled={!entries?.length || change.isBusy}
            onClick={() => entries && undo(entries)}
          >
            {entries ? `Undo ${counted(entries.length, isDeletion ? 'deletion' : 'change')}` : 'Undo'}
          </Button>
        )}
      </p>
    </Dialog>
  );
}

/** What the links get back: all the same, or each its own values. */
function Plan({ entries, names }: { readonly entries: readonly Entry[]; readonly names: Names }) {
  const shared = sharedDifferences(entries, names).map(({ field }) => undoneDifference(entries, field, names));
  const isAll = entries.every(({ changes }) => Object.keys(changes).length === shared.length);
  return (
    <>
      <p>
        Changes <strong>{counted(entries.length, 'link')}</strong>
        {isAll ? ':' : `: each gets back what it had before.${shared.length > 0 ? ' All of them get:' : ''}`}
      </p>
      {shared.length > 0 && <Values all={shared} />}
      <p>Other fields stay as they are, and so do links that have been changed again since. You will see which.</p>
    </>
  );
}
