import { ProblemError } from '../../typescript/problem.ts';
import { failureOf } from '../service/failures.ts';
import { deleteLink, patchLink, tellOfLinks, undoDeletion } from '../service/links.ts';
import { type Say, untilAnswered } from '../service/patience.ts';
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

/** Switches a link off or on. The page shows it at once, and takes it back if the service refuses. */
export async function switchLink(link: Link): Promise<void> {
  const isActive = !link.isActive;
  const state = isActive ? 'active' : 'inactive';
  tellOfLinks({ kind: 'changed', link: { ...link, isActive, state } });
  try {
    const { link: changed } = await surely(() => patchLink(link.id, { isActive }));
    const undo = () => void surely(() => patchLink(changed.id, { isActive: link.isActive })).catch(toastFailure);
    toast(`${shortAddress(link.shortUrl)} is switched ${isActive ? 'on' : 'off'}.`, {
      tone: 'good',
      action: { label: 'Undo', run: undo },
    });
  } catch (error) {
    tellOfLinks({ kind: 'changed', link });
    toastFailure(error, 'links:write');
  }
}

/** Makes a deleted link again, and says so while it takes its time. */
export async function restoreLink(link: Pick<Link, 'id' | 'hasPassword'>): Promise<Link | undefined> {
  const shown = progressToast('Undoing…');
  try {
    const restored = await undoDeletion(link.id);
    const hint = link.hasPassword ? ' It had a password and is switched off until you set one.' : '';
    toast(`${shortAddress(restored.shortUrl)} is back, with 0 clicks.${hint}`, { tone: 'good' });
    return restored;
  } catch (error) {
    toastFailure(error, 'history:read');
    return undefined;
  } finally {
    shown.end();
  }
}

/** @returns whether the link is gone. */
export async function removeLink(link: Link): Promise<boolean> {
  try {
    await surely(() => deleteLink(link.id));
  } catch (error) {
    // Gone already: what was wanted.
    if (!(error instanceof ProblemError && error.status === 404)) {
      toastFailure(error, 'links:write');
      return false;
    }
    tellOfLinks({ kind: 'deleted', ids: new Set([link.id]) });
  }
  toast(`${shortAddress(link.shortUrl)} is deleted.`, { action: { label: 'Undo', run: () => void restoreLink(link) } });
  return true;
}
