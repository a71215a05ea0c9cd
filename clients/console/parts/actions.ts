import { ProblemError } from '../../typescript/problem.ts';
import { type Made, recording } from '../service/changes.ts';
import { failureOf } from '../service/failures.ts';
import { deleteLink, forgetLinks, showLink } from '../service/links.ts';
import { type Say, untilAnswered } from '../service/patience.ts';
import { mayUndo } from '../service/queries.ts';
import type { Link } from '../service/types.ts';
import { shortAddress } from './short-address.ts';
import { progressToast, toast } from './toasts.tsx';

// What can be done to a link from several places, each with its Undo.

/** Says that something failed. */
export const toastFailure = (error: unknown, permission?: string): void => {
  toast(failureOf(error, navigator.onLine, permission).text, { tone: 'bad' });
};

export { shortAddress };

/** Does something, and says what it waits for. */
export async function saying<T>(work: (say: Say) => Promise<T>): Promise<T> {
  let shown: ReturnType<typeof progressToast> | undefined;
  const say = (text: string) => {
    if (text === '') return;
    if (shown) shown.say(text);
    else shown = progressToast(text);
  };
  try {
    return await work(say);
  } finally {
    shown?.end();
  }
}

/** Sends something that may be carried out twice until it is answered. */
export const surely = <T>(send: () => Promise<T>): Promise<T> => saying((say) => untilAnswered(send, say));

/** Undo of a change or a deletion of one link; undefined without the permission. */
function undoOf(made: Made, { id, shortUrl }: Link): { readonly label: string; readonly run: () => void } | undefined {
  const undo = async () => {
    const shown = progressToast('Undoing…');
    try {
      const { undoMade } = await import('../service/made.ts');
      const said = await undoMade(made, id, shortAddress(shortUrl), (waits) => shown.say(waits || 'Undoing…'));
      toast(said, { tone: 'good' });
    } catch (error) {
      toastFailure(error, 'links:write');
    } finally {
      shown.end();
    }
  };
  return mayUndo() ? { label: 'Undo', run: () => void undo() } : undefined;
}

/** Says that a link is changed, and offers to undo it. */
export function toastChanged(text: string, made: Made, link: Link): void {
  const action = undoOf(made, link);
  toast(text, { tone: 'good', ...(action && { action }) });
}

/** Switches a link off or on. The page shows it at once, and takes it back if the service refuses. */
export async function switchLink(link: Link): Promise<void> {
  const isActive = !link.isActive;
  const state = isActive ? 'active' : 'inactive';
  showLink({ ...link, isActive, state });
  const name = shortAddress(link.shortUrl);
  const what = `switched ${isActive ? 'on' : 'off'}`;
  try {
    const { switchTo } = await import('../service/made.ts');
    const made = await saying((say) => switchTo(link.id, isActive, say));
    if (made) toastChanged(`${name} is ${what}.`, made, link);
    else toast(`${name} was ${what} before.`);
  } catch (error) {
    showLink(link);
    toastFailure(error, 'links:write');
  }
}

/**
 * Deletes a link, and offers to undo that.
 *
 * @param etag the version that is deleted; without it, whatever is there
 * @returns whether the link is gone.
 */
export async function removeLink(link: Link, etag?: string): Promise<boolean> {
  const record = recording();
  const name = shortAddress(link.shortUrl);
  try {
    await surely(() => record.send(() => deleteLink(link.id, etag)));
  } catch (error) {
    // Gone already: what was wanted.
    if (!(error instanceof ProblemError && error.status === 404)) {
      toastFailure(error, 'links:write');
      return false;
    }
    forgetLinks(new Set([link.id]));
    if (!record.isUnsure()) {
      toast(`${name} was deleted before.`);
      return true;
    }
  }
  const action = undoOf(record.made(), link);
  toast(`${name} is deleted.`, { ...(action && { action }) });
  return true;
}
