import { useSyncExternalStore } from 'react';
import { ProblemError } from '../../typescript/problem.ts';
import { parseAddress } from './address.ts';
import { root } from './location.ts';
import { endSignIn, isOffered, type MadeKey, makeKey, otherAccountAddress, type SignedIn, whoIsSignedIn } from './sign-in.ts';
import { forgetImports } from './unfinished.ts';

// Who is signed in, in one of two ways. A key that was pasted lives in this tab's session storage, and ends with the tab.
// Or a person has signed in with the stage's provider: then a cookie that no script sees makes keys for one workspace, which
// are kept here and replaced before they end.

const pastedKey = 'links-key';
const lastWorkspace = 'links-workspace';
const waitingInvitation = 'links-invitation';
const signedOut = 'links-signed-out';

export type Session = {
  /** The key that was pasted. */
  readonly key: string | undefined;
  /** Who has signed in with the provider; undefined if nobody has, or if a key is used instead. */
  readonly signedIn: SignedIn | undefined;
  /** The workspace that the person works in. */
  readonly workspaceId: string | undefined;
  /** Whether the page does not yet know who is signed in, and why it could not find out. */
  readonly isStarting: boolean;
  readonly failure: unknown;
  /** Whether the service no longer accepts the key, or the cookie. The page stays as it is, and asks to sign in again. */
  readonly hasEnded: boolean;
  /** The secret of an invitation that the person has opened and not yet accepted. */
  readonly invitation: string | undefined;
};

let session: Session = {
  key: sessionStorage.getItem(pastedKey) ?? undefined,
  signedIn: undefined,
  workspaceId: undefined,
  isStarting: false,
  failure: undefined,
  hasEnded: false,
  invitation: sessionStorage.getItem(waitingInvitation) ?? undefined,
};
const listeners = new Set<() => void>();
let waiting: (() => void)[] = [];

function set(change: Partial<Session>): void {
  session = { ...session, ...change };
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

/** The key that the person's session has made, or is making. */
let made: Promise<MadeKey> | undefined;

/** One request makes a key for all that wait for one. */
async function keyOfSession(workspaceId: string): Promise<string> {
  const current = await made;
  if (current && performance.now() < current.freshUntil) return current.key;
  made = makeKey(workspaceId);
  made.catch(() => {
    made = undefined;
  });
  return (await made).key;
}

/**
 * The key for a request. If none can be made because the session has ended, it waits until the person has signed in again.
 *
 * @throws ProblemError if the service does not answer; the signal's reason if the request is aborted
 */
export async function keyInUse(signal: AbortSignal | null | undefined): Promise<string> {
  for (;;) {
    const { key, workspaceId } = session;
    if (key !== undefined) return key;
    if (workspaceId === undefined) throw new Error('nobody is signed in');
    try {
      return await keyOfSession(workspaceId);
    } catch (error) {
      if (!isOver(error)) throw error;
      await untilSignedIn(signal);
    }
  }
}

/**
 * The service has refused a key. That of a session is made anew once; otherwise the person has to sign in again.
 *
 * @param attempt how many keys it has refused for this request.
 * @throws the signal's reason if the request is aborted
 */
export async function keyRefused(refused: string, attempt: number, signal: AbortSignal | null | undefined): Promise<void> {
  if (session.key !== undefined && session.key !== refused) return;
  if (session.key === undefined && (await made?.catch(() => undefined))?.key === refused) made = undefined;
  if (session.key !== undefined || attempt > 1) await untilSignedIn(signal);
}

/** The shape of a key; `lambdas/core/key/api-key.ts` checks the rest. */
export const isKeyShaped = (text: string): boolean => /^lk_[0-9A-Za-z]{36}$/.test(text);

/** Uses a key that was pasted, until the tab is closed. */
export function signIn(key: string): void {
  sessionStorage.setItem(pastedKey, key);
  set({ key, signedIn: undefined, workspaceId: undefined });
  goOn();
}

/**
 * Uses a key of another workspace, as a new page: nothing that was asked for with the key before may go on with this one.
 */
export function signInElsewhere(key: string, workspaceId: string): void {
  sessionStorage.setItem(pastedKey, key);
  location.assign(`${root}/console/${workspaceId}/links`);
}

/** Lets the requests go on that wait for a key. */
function goOn(): void {
  set({ hasEnded: false });
  for (const one of waiting) one();
  waiting = [];
}

/** Whether somebody has signed out in this tab, and nobody has signed in since. */
export const hasSignedOut = (): boolean => sessionStorage.getItem(signedOut) !== null;

/**
 * Forgets who was here, and everything that was kept for them in this browser. An invitation that was opened stays: it may be
 * for somebody else than the one who signs out.
 *
 * @returns where to sign out at the provider, too; null if that isn't possible.
 */
async function forgetPerson(): Promise<string | null> {
  sessionStorage.removeItem(pastedKey);
  localStorage.removeItem(lastWorkspace);
  for (const name of Object.keys(localStorage)) if (name.startsWith('links-draft')) localStorage.removeItem(name);
  forgetImports();
  // If it fails, the person is still signed in, and the page that is loaded shows that.
  if (!session.signedIn) return null;
  const continueAt = await endSignIn().catch(() => null);
  sessionStorage.setItem(signedOut, 'yes');
  return continueAt;
}

export const signOut = async (): Promise<void> => location.assign((await forgetPerson()) ?? `${root}/console`);

/**
 * Lets the person sign in with another account. Whomever Keycloak knows it asks for their password only, also if it must ask
 * again: so the person signs out there first, if that is possible.
 */
export async function changeAccount(): Promise<void> {
  const otherwise = otherAccountAddress();
  location.assign((await forgetPerson()) ?? otherwise);
}

/** Whether an answer says that somebody has to sign in again: the session has ended, or they are no longer a member. */
const isOver = (error: unknown): boolean => error instanceof ProblemError && (error.status === 401 || error.status === 404);

/** Asks the person to sign in again, and waits. @throws the signal's reason if the request is aborted. */
function untilSignedIn(signal: AbortSignal | null | undefined): Promise<void> {
  if (!session.hasEnded) set({ hasEnded: true });
  return new Promise((resolve, reject) => {
    waiting.push(resolve);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** Other tabs of this browser, which wait until somebody has signed in. */
const tabs = isOffered ? new BroadcastChannel('links-signed-in') : undefined;

/** Tells other tabs that somebody has signed in. */
export const tellOtherTabs = (): void => tabs?.postMessage('');

/** Looks whether the person has signed in again elsewhere. Somebody else gets a page of their own. */
async function lookAgain(): Promise<void> {
  const { hasEnded, signedIn, workspaceId } = session;
  if (!hasEnded || !signedIn || workspaceId === undefined) return;
  const now = await whoIsSignedIn().catch(() => undefined);
  if (!now) return;
  const isMember = now.workspaces.some(({ id, state }) => id === workspaceId && state === 'active');
  if (now.person.id !== signedIn.person.id || !isMember) return location.reload();
  made = undefined;
  set({ signedIn: now });
  goOn();
}
if (tabs) {
  tabs.onmessage = () => void lookAgain();
  window.addEventListener('focus', () => void lookAgain());
}

/** Finds out who is signed in, unless a key was pasted, and which of their workspaces the address means. */
export async function startSession(): Promise<void> {
  if (!isOffered || (session.key !== undefined && session.invitation === undefined)) return;
  set({ isStarting: true, failure: undefined });
  try {
    const signedIn = await whoIsSignedIn();
    if (signedIn) {
      sessionStorage.removeItem(signedOut);
      set({ signedIn, workspaceId: workspaceFor(signedIn) });
    }
  } catch (failure) {
    set({ failure });
  }
  set({ isStarting: false });
}

/** The workspace of the address, if the person is a member; without one, the last one that they worked in, or any. */
function workspaceFor({ workspaces }: SignedIn): string | undefined {
  const own = workspaces.filter(({ state }) => state === 'active').map(({ id }) => id);
  const { workspaceId } = parseAddress(location.pathname.slice(`${root}/console`.length), '');
  const last = localStorage.getItem(lastWorkspace);
  const wanted = workspaceId ?? (last !== null && own.includes(last) ? last : own[0]);
  if (wanted === undefined || !own.includes(wanted)) return undefined;
  localStorage.setItem(lastWorkspace, wanted);
  return wanted;
}

/** Opens another workspace of the person, as a new page: nothing of the one before is left. */
export function openWorkspace(id: string): void {
  // They may have had a key as well.
  sessionStorage.removeItem(pastedKey);
  location.assign(`${root}/console/${id}/links`);
}

/** Forgets the invitation that waits. */
export function dropInvitation(): void {
  sessionStorage.removeItem(waitingInvitation);
  set({ invitation: undefined, ...(session.key !== undefined && { signedIn: undefined, workspaceId: undefined }) });
}

/**
 * Takes what an address brings after `#`, and removes it from the address at once: the secret of an invitation, or a key,
 * as in `…#key=lk_…`, which `npm start` prints.
 *
 * A key only on this machine, where nobody else can read the address, and never instead of a key or a person already there:
 * a link from elsewhere could otherwise make somebody work in another workspace.
 */
export function takeFromAddress(): void {
  const [, what, value] = /^#(key|invitation)=(.*)$/.exec(location.hash) ?? [];
  if (what === undefined || value === undefined) return;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  if (what === 'invitation') {
    sessionStorage.setItem(waitingInvitation, value);
    set({ invitation: value });
    return;
  }
  const isOwnMachine = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  const isNobodyHere = session.key === undefined && session.signedIn === undefined && !session.isStarting;
  if (isOwnMachine && isNobodyHere && isKeyShaped(value)) signIn(value);
}
