import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { Button } from '../parts/button.tsx';
import { FailureNote } from '../parts/failure.tsx';
import { useChange } from '../parts/kit/change.tsx';
import { Dialog } from '../parts/kit/dialog.tsx';
import { Foot } from '../parts/kit/form-dialog.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { linkAt } from '../service/links.ts';
import { screenAddress } from '../service/location.ts';
import { restoreTemplate, revert } from '../service/made.ts';
import { doneText, needOf, planOf, refusalsIn } from './undo.ts';
import type { OnUndone } from './undone.ts';
import { Values } from './values.tsx';
import { deedOf, type Entry, type Names } from './words.ts';

type UndoProps = {
  readonly entry: Entry;
  readonly names: Names;
  readonly onUndone: OnUndone;
  readonly onClose: () => void;
};

/** The fields that visitors do not notice. */
const unseen = ['title', 'notes', 'tagIds', 'externalId', 'managedBy', 'webhookUrls'];

/** Says what undoing an entry will do, and does it. */
export function UndoDialog({ entry, names, onUndone, onClose }: UndoProps) {
  const isTemplate = entry.action === 'template.deleted';
  const isDeletion = isTemplate || entry.action === 'link.deleted';
  const { subject } = deedOf(entry);
  const { id } = entry.subject;
  const link = useQuery({
    ...linkAt(id).query,
    enabled: !isDeletion,
    staleTime: 0,
  });
  const change = useChange(needOf(entry));
  const plan = link.data && !link.isFetching ? planOf(entry, link.data.value, names) : undefined;
  const refusals = refusalsIn(change.error);
  const isGone = !isDeletion && link.error instanceof ProblemError && link.error.status === 404;
  const canUndo = isDeletion || (plan !== undefined && plan.clashes.length === 0 && plan.changes.length > 0);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (canUndo) button.current?.focus();
  }, [canUndo]);
  const undo = async () => {
    const isDone = await change.run(async (say) => {
      say('Undoing…');
      if (isTemplate) {
        const { name } = await restoreTemplate(entry, (text) => say(text || 'Undoing…'));
        onUndone([entry], undefined);
        return { text: `The template ${name} is back.` };
      }
      try {
        const restored = await revert(entry, (text) => say(text || 'Undoing…'));
        onUndone([entry], restored);
        return { text: doneText(entry, restored) };
      } catch (error) {
        if (!isDeletion) void link.refetch();
        throw error;
      }
    });
    if (isDone) onClose();
  };
  return (
    <Dialog title={isDeletion ? 'Undo this deletion?' : 'Undo this change?'} onClose={onClose}>
      {isDeletion ? (
        <p>
          {isTemplate ? 'Brings back' : 'Recreates'} <bdi className="undo-subject">{subject}</bdi>
          {isTemplate ? '.' : ', with a new id and 0 clicks.'}
          {entry.changes.password && ' It had a password and comes back switched off.'}
          {entry.changes.tagIds && ' Tags that no longer exist are left out.'}
        </p>
      ) : isGone ? (
        <p className="notice">The link has been deleted since. Undo its deletion first.</p>
      ) : link.error ? (
        <FailureNote
          error={link.error}
          what="The link could not be loaded."
          permission="links:read"
          onRetry={() => void link.refetch()}
        />
      ) : plan ? (
        <>
          {plan.changes.length > 0 && (
            <>
              <p>
                <bdi className="undo-subject">{subject}</bdi> will have
              </p>
              <Values all={plan.changes} />
            </>
          )}
          {plan.notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
          {plan.clashes.length > 0 ? (
            <div className="notice warning">
              {plan.clashes.map((clash) => (
                <p key={clash}>{clash}</p>
              ))}
              <p>So this change cannot be undone. You can edit the link instead.</p>
            </div>
          ) : (
            plan.changes.length > 0 && (
              <p>
                {plan.changes.some(({ field }) => !unseen.includes(field)) && 'Visitors notice within a second. '}Other fields
                stay as they are.
              </p>
            )
          )}
        </>
      ) : (
        <p aria-busy="true">Loading the link…</p>
      )}
      {refusals.length > 0 ? (
        <div className="notice bad" role="alert">
          {refusals.map((text) => (
            <p key={text}>{text}</p>
          ))}
        </div>
      ) : (
        change.note
      )}
      <Foot onClose={onClose}>
        {!isDeletion && !isGone && (refusals.length > 0 || (plan?.clashes.length ?? 0) > 0) && (
          <PageLink to={{ ...screenAddress('links'), linkId: id }} className="button" onGo={onClose}>
            Open link
          </PageLink>
        )}
        <Button ref={button} kind="primary" disabled={!canUndo || change.isBusy} onClick={undo}>
          {isDeletion ? 'Undo deletion' : 'Undo change'}
        </Button>
      </Foot>
    </Dialog>
  );
}
