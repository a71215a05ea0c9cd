import { ProblemError } from '../../typescript/problem.ts';
import { type Made, recording } from '../service/changes.ts';
import { failureOf } from '../service/failures.ts';
import { deleteLink, forgetLinks, reloadLinks, showLink } from '../service/links.ts';
import { type Say, untilAnswered } from '../service/patience.ts';
import { mayUndo } from '../service/queries.ts';
import type { Link } from '../service/types.ts';
import { shortAddress } from './short-address.ts';
import { progressToast, toast } from './toasts.tsx';

export { shortAddress };

// Changes that several places of the page make, each with its Undo.

/**
 * What to say once a change is made.
 *
 * @property tone `bad` if part of it failed
 * @property undo undoes it, and returns what to say about that.
 * @property next a further action to offer.
 */
export type Done = {
  readonly text?: string;
  readonly tone?: 'good' | 'bad';
  readonly undo?: ((say: Say) => Promise<Done>) | undefined;
  readonly next?: { readonly label: string; readonly run: () => void } | undefined;
};

/** Says that something failed. */
export const toastFailure = (error: unknown, permission?: string): void => {
  toast(failureOf(error, navigator.onLine, permission).text, { tone: 'bad' });
};

/** What to say about an undone change. */
export const undone: Done = { text: 'The change is undone.' };

/** Says that something is done, and offers Undo and the next action. */
export function toastDone({ text, tone = 'good', undo, next }: Done): void {
  const run = () =>
    void carryOut(async (say) => {
      say('Undoing…');
      return undo?.((waits, stop) => say(waits || 'Undoing…', stop));
    });
  if (text !== undefined) toast(text, { tone, ...(undo && { action: { label: 'Undo', run } }), ...(next && { other: next }) });
}

/**
 * Makes a change for which the page has no place for notes: messages say what it waits for, and whether it is done or
 * why not.
 *
 * @returns whether it is done.
 */
export async function carryOut(work: (say: Say) => Promise<Done | undefined>, permission?: string): Promise<boolean> {
  let shown: ReturnType<typeof progressToast> | undefined;
  const say: Say = (text, stop) => {
    const action = stop && { label: 'Stop', run: stop };
    if (text === '') return;
    if (shown) shown.say(text, action);
    else shown = progressToast(text, action);
  };
  try {
    const done = await work(say);
    if (done) toastDone(done);
    return true;
  } catch (error) {
    toastFailure(error, permission);
    return false;
  } finally {
    shown?.end();
  }
}

/** Undo of a change or a deletion of one link; undefined without the permission. */
export const undoOf = (made: Made, { id, shortUrl }: Link): Done['undo'] =>
  mayUndo()
    ? async (say) => ({ text: await (await import('../service/made.ts')).undoMade(made, id, shortAddress(shortUrl), say) })
    : undefined;

/** Switches a link off or on. The page shows it at once, and reverts it if the service refuses. */
export async function switchLink(link: Link): Promise<void> {
  const isActive = !link.isActive;
  const state = isActive ? 'active' : 'inactive';
  showLink({ ...link, isActive, state });
  const name = shortAddress(link.shortUrl);
  const what = `switched ${isActive ? 'on' : 'off'}`;
  const isDone = await carryOut(async (say) => {
    const { switchTo } = await import('../service/made.ts');
    const made = await switchTo(link.id, { isActive }, say);
    return made ? { text: `${name} is ${what}.`, undo: undoOf(made, link) } : { text: `${name} was already ${what}.` };
  }, 'links:write');
  if (!isDone) showLink(link);
}

/**
 * Archives a link, or takes it out of the archive. It moves to the other list, which only the service knows in full.
 */
export async function archiveLink(link: Link): Promise<void> {
  const isArchived = !link.isArchived;
  const name = shortAddress(link.shortUrl);
  await carryOut(async (say) => {
    const { switchTo } = await import('../service/made.ts');
    const made = await switchTo(link.id, { isArchived }, say);
    reloadLinks();
    if (!made) return { text: `${name} was already ${isArchived ? 'archived' : 'taken out of the archive'}.` };
    const what = isArchived ? 'archived. It still works' : 'no longer archived';
    return { text: `${name} is ${what}.`, undo: undoOf(made, link) };
  }, 'links:write');
}

/**
 * Deletes a link, and offers to undo that.
 *
 * @param etag the version to delete; any version without it
 * @returns whether the link is deleted.
 */
export const removeLink = (link: Link, etag?: string): Promise<boolean> =>
  carryOut(async (say) => {
    const record = recording();
    const name = shortAddress(link.shortUrl);
    try {
      await untilAnswered(() => record.send((headers) => deleteLink(link.id, etag, headers)), say);
    } catch (error) {
      // It is already deleted, as wanted.
      if (!(error instanceof ProblemError && error.status === 404)) throw error;
      forgetLinks(new Set([link.id]));
      if (!record.isUnsure()) return { text: `${name} was already deleted.` };
    }
    return { text: `${name} is deleted.`, undo: undoOf(record.made(), link) };
  }, 'links:write');
