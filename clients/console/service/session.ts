import { ProblemError } from '../../typescript/problem.ts';
import { parseAddress } from './address.ts';
import { keyring } from './keyring.ts';
import { root } from './location.ts';
import { endSignIn, isOffered, makeKey, otherAccountAddress, type SignedIn, whoIsSignedIn } from './sign-in.ts';
import { forgetImports } from './unfinished.ts';
import { watched } from './watched.ts';

// Who is signed in, in one of two ways. A key that was pasted lives in this tab's session storage, and ends with the tab.
// Or a person has signed in with the stage's provider: then a cookie that no script sees makes keys for one workspace, which
// are kept here and replaced before they end.

const pastedKey = 'links-key';
const lastWorkspace = 'links-workspace';
const waitingInvitation = 'links-invitation';
const signedOut = 'links-signed-out';

type Session = {
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
  /** The name of the workspace that the person has worked in and is no longer a member of. */
  readonly removedFrom: string | undefined;
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
  removedFrom: undefined,
  invitation: sessionStorage.getItem(waitingInvitation) ?? undefined,
};
const sessionWatch = watched(() => session);
let waiting: (() => void)[] = [];

function set(change: Partial<Session>): void {
  session = { ...session, ...change };
  sessionWatch.emit();
}

export const useSession = sessionWatch.useValue;

/** The key that the person's session has made. */
const keys = keyring();

/**
 * The key for a request. If none can be made because the session has ended, it waits until the person has signed in again.
 *
 * @throws ProblemError if the service does not answer, or if the person is no longer a member; the signal's reason if the
 *   request is aborted
 */
export async function keyInUse(signal: AbortSignal | null | undefined): Promise<string> {
  for (;;) {
    const { key, workspaceId } = session;
    if (key !== undefined) return key;
    if (workspaceId === undefined) throw new Error('nobody is signed in');
    try {
      return await keys.get(() => makeKey(workspaceId));
    } catch (error) {
      if (isStatus(error, 404)) leaveWorkspace();
      if (!isStatus(error, 401)) throw error;
      await untilSignedIn(signal);
    }
  }
}

/**
 * The service has refused a key. That of a session is made anew once, because the person may have another role by now;
 * otherwise they have to sign in again.
 *
 * @param attempt how many keys it has refused for this request.
 * @throws the signal's reason if the request is aborted
 */
export async function keyRefused(refused: string, attempt: number, signal: AbortSignal | null | undefined): Promise<void> {
  if (session.key !== undefined && session.key !== refused) return;
  if (session.key === undefined) {
    keys.drop(refused);
    void look();
  }
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
async function forgetPerson(where: 'here' | 'everywhere'): Promise<string | null> {
  sessionStorage.removeItem(pastedKey);
  localStorage.removeItem(lastWorkspace);
  for (const name of Object.keys(localStorage)) if (name.startsWith('links-draft')) localStorage.removeItem(name);
  forgetImports();
  // If it fails, the person is still signed in, and the page that is loaded shows that.
  if (!session.signedIn) return null;
  const continueAt = await endSignIn(where).catch(() => null);
  sessionStorage.setItem(signedOut, 'yes');
  tabs?.postMessage('signed out' satisfies Message);
  return continueAt;
}

export const signOut = async (where: 'here' | 'everywhere' = 'here'): Promise<void> =>
  location.assign((await forgetPerson(where)) ?? `${root}/console`);

/**
 * Lets the person sign in with another account. Whomever Keycloak knows it asks for their password only, also if it must ask
 * again: so the person signs out there first, if that is possible.
 */
export async function changeAccount(): Promise<void> {
  const otherwise = otherAccountAddress();
  location.assign((await forgetPerson('here')) ?? otherwise);
}

const isStatus = (error: unknown, status: number): boolean => error instanceof ProblemError && error.status === status;

/** Asks the person to sign in again, and waits. @throws the signal's reason if the request is aborted. */
function untilSignedIn(signal: AbortSignal | null | undefined): Promise<void> {
  if (!session.hasEnded) set({ hasEnded: true });
  return new Promise((resolve, reject) => {
    waiting.push(resolve);
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** What the page learns while it is open: that the person has another role now, or that what it shows is no longer theirs to see. */
type News = 'role' | 'removal';
const readers = new Set<(news: News) => void>();

/** Calls a function whenever the page learns that the person may do something else than before. */
export const onNews = (read: (news: News) => void): void => void readers.add(read);

function tell(news: News): void {
  for (const read of readers) read(news);
}

/** The person is no longer a member. What the page shows goes, and so does what has not been saved: nobody could save it. */
function leaveWorkspace(): void {
  const { signedIn, workspaceId } = session;
  if (workspaceId === undefined) return;
  const others = signedIn?.workspaces.filter(({ id }) => id !== workspaceId) ?? [];
  const name = signedIn?.workspaces.find(({ id }) => id === workspaceId)?.name;
  keys.drop();
  set({ signedIn: signedIn && { ...signedIn, workspaces: others }, workspaceId: undefined, removedFrom: name ?? workspaceId });
  tell('removal');
  // Requests that wait for a key fail.
  goOn();
}

/** How often a page that somebody sees looks who they are and what they may do, in milliseconds. */
const lookEveryMs = 50_000;
let looking: Promise<void> | undefined;
let lookedAt = 0;

/** Looks whether the person is still signed in, and what they may do now. Of all who ask at once, one does it. */
function look(): Promise<void> {
  lookedAt = performance.now();
  looking ??= follow().finally(() => {
    looking = undefined;
  });
  return looking;
}

/** Follows what the service says: somebody else gets a page of their own, and another role what it may do. */
async function follow(): Promise<void> {
  const { key, signedIn, workspaceId } = session;
  if (key !== undefined || !signedIn || workspaceId === undefined) return;
  let now: SignedIn | undefined;
  try {
    now = await whoIsSignedIn();
  } catch {
    return;
  }
  if (!now) return session.hasEnded ? undefined : set({ hasEnded: true });
  if (now.person.id !== signedIn.person.id) return location.reload();
  const membership = ({ workspaces }: SignedIn) => workspaces.find(({ id }) => id === workspaceId);
  if (membership(now)?.state !== 'active') return leaveWorkspace();
  const isSameRole = membership(now)?.role === membership(signedIn)?.role;
  if (JSON.stringify(now) !== JSON.stringify(signedIn)) set({ signedIn: now });
  if (!isSameRole || session.hasEnded) keys.drop();
  if (session.hasEnded) goOn();
  if (!isSameRole) tell('role');
}

function lookIfDue(): void {
  if (document.visibilityState === 'visible' && performance.now() - lookedAt >= lookEveryMs) void look();
}

/** Somebody may have signed in again in another tab. */
function lookIfEnded(): void {
  // One that is under way may have the answer from before.
  void Promise.resolve(looking).then(() => (session.hasEnded ? look() : undefined));
}

type Message = 'signed in' | 'signed out';
/** Other tabs of this browser. */
const tabs = isOffered ? new BroadcastChannel('links-signed-in') : undefined;

/** Tells other tabs that somebody has signed in. */
export const tellOtherTabs = (): void => tabs?.postMessage('signed in' satisfies Message);

if (tabs) {
  tabs.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data !== 'signed out') return lookIfEnded();
    if (!session.signedIn) return;
    // Nothing stays on the screen, or in the page's memory.
    set({ isStarting: true });
    sessionStorage.setItem(signedOut, 'yes');
    location.replace(`${root}/console`);
  };
  window.addEventListener('focus', lookIfEnded);
  document.addEventListener('visibilitychange', lookIfDue);
  setInterval(lookIfDue, lookEveryMs / 5);
}

/** Finds out who is signed in, unless a key was pasted, and which of their workspaces the address means. */
export async function startSession(): Promise<void> {
  if (!isOffered || (session.key !== undefined && session.invitation === undefined)) return;
  set({ isStarting: true, failure: undefined, removedFrom: undefined });
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
