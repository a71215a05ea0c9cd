import { useSyncExternalStore } from 'react';
import { forgetImports } from './unfinished.ts';

// Who is signed in: the key that was pasted. It lives in this tab's session storage, and ends with the tab.

const place = 'links-key';

type Session = {
  readonly key: string | undefined;
  /** Whether the service no longer accepts the key. The page stays as it is, and asks for another one. */
  readonly hasEnded: boolean;
};

let session: Session = { key: sessionStorage.getItem(place) ?? undefined, hasEnded: false };
const listeners = new Set<() => void>();
let waiting: (() => void)[] = [];

function set(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

export const useSession = (): Session =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );

export const keyInUse = (): string | undefined => session.key;

/** The shape of a key; `lambdas/core/key/api-key.ts` checks the rest. */
export const isKeyShaped = (text: string): boolean => /^lk_[0-9A-Za-z]{36}$/.test(text);

export function signIn(key: string): void {
  sessionStorage.setItem(place, key);
  set({ key, hasEnded: false });
  for (const goOn of waiting) goOn();
  waiting = [];
}

/** Forgets the key, and everything that was kept for its owner in this browser. */
export function signOut(): void {
  sessionStorage.removeItem(place);
  for (const name of Object.keys(localStorage)) if (name.startsWith('links-draft')) localStorage.removeItem(name);
  forgetImports();
  location.reload();
}

/**
 * Waits until the person has signed in again, because the service refused this key.
 *
 * @throws the signal's reason if the request is aborted.
 */
export function signedInAgain(refused: string | undefined, signal: AbortSignal | null | undefined): Promise<void> {
  if (session.key !== refused) return Promise.resolve();
  if (!session.hasEnded) set({ ...session, hasEnded: true });
  return new Promise((resolve, reject) => {
    waiting.push(resolve);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Takes the key of an address such as `…#key=lk_…`, which `npm start` prints, and removes it from the address at once.
 * Only on this machine, where nobody else can read the address, and never instead of a key that is already there: a link
 * from elsewhere could otherwise make somebody work in another workspace.
 */
export function takeKeyFromAddress(): void {
  const [, key] = /^#key=(.*)$/.exec(location.hash) ?? [];
  if (key === undefined) return;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  const isOwnMachine = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  if (isOwnMachine && session.key === undefined && isKeyShaped(key)) signIn(key);
}
