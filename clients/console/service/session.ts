import { ProblemError } from '../../typescript/problem.ts';
import { parseAddress } from './address.ts';
import { keyring } from './keyring.ts';
import { root } from './location.ts';
import { endSignIn, isOffered, makeKey, otherAccountAddress, type SignedIn, whoIsSignedIn } from './sign-in.ts';
import { forgetImports } from './unfinished.ts';
import { watched } from './watched.ts';

// Who is signed in, in one of two ways. A pasted key is in this tab's session storage, and ends with the tab. Or a
// person has signed in with the stage's provider: then an HttpOnly cookie makes keys for one workspace, which are kept
// here and replaced before they end.

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
  /** Whether the page does not know yet who is signed in, and why it could not find out. */
  readonly isStarting: boolean;
  readonly failure: unknown;
  /**
   * Whether the service no longer accepts the key, or the cookie. The page stays as it is, and asks to sign in again.
   */
  readonly hasEnded: boolean;
  /** The name of the workspace in which the person has worked, but is no longer a member. */
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
 * The key for a request. If none can be made because the session has ended, it waits until the person has signed in
 * again.
 *
 * @throws ProblemError if the service does not answer, or if the person is no longer a member; the signal's reason if
 * the request is aborted
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
 * The service has refused a key. A session gets one new key, because the person's role may have changed; otherwise they
 * have to sign in again.
 *
 * @param attempt how many keys the service has refused for this request.
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

/** Uses a key of another workspace, on a new page: no request of the former key may continue with this one. */
export function signInElsewhere(key: string, workspaceId: string): void {
  sessionStorage.setItem(pastedKey, key);
  location.assign(`${root}/console/${workspaceId}/links`);
}

/** Continues the requests that wait for a key. */
function goOn(): void {
  set({ hasEnded: false });
  for (const one of waiting) one();
  waiting = [];
}

/** Whether somebody has signed out in this tab, and nobody has signed in since. */
export const hasSignedOut = (): boolean => sessionStorage.getItem(signedOut) !== null;

/**
 * Forgets who was here, and everything that was kept for them in this browser. An opened invitation stays: it may be
 * for somebody other than the one who signs out.
 *
 * @returns where to sign out at the provider, too; null if that isn't possible.
 */
async function forgetPerson(where: 'here' | 'everywhere'): Promise<string | null> {
  sessionStorage.removeItem(pastedKey);
  localStorage.removeItem(lastWorkspace);
  for (const name of Object.keys(localStorage)) if (name.startsWith('links-draft')) localStorage.removeItem(name);
  forgetImports();
  // If it fails, the person is still signed in, and the reloaded page shows that.
  if (!session.signedIn) return null;
  const continueAt = await endSignIn(where).catch(() => null);
  sessionStorage.setItem(signedOut, 'yes');
  tabs?.postMessage('signed out' satisfies Message);
  return continueAt;
}

export const signOut = async (where: 'here' | 'everywhere' = 'here'): Promise<void> =>
  location.assign((await forgetPerson(where)) ?? `${root}/console`);

/**
 * Lets the person sign in with another account. Keycloak asks people whom it knows only for their password, even if it
 * must ask again: so the person signs out there first, if possible.
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

/**
 * What the page learns while it is open: that the person's role has changed, or that they may no longer see the page.
 */
type News = 'role' | 'removal';
const readers = new Set<(news: News) => void>();

/** Calls a function whenever the page learns that the person's permissions have changed. */
export const onNews = (read: (news: News) => void): void => void readers.add(read);

function tell(news: News): void {
  for (const read of readers) read(news);
}

/** The person is no longer a member. The page's content and unsaved changes are discarded: nobody could save them. */
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

/** How often a visible page checks who is signed in and what they may do, in milliseconds. */
const lookEveryMs = 50_000;
let looking: Promise<void> | undefined;
let lookedAt = 0;

/** Checks whether the person is still signed in, and what they may do now. Concurrent callers share one check. */
function look(): Promise<void> {
  lookedAt = performance.now();
  looking ??= follow().finally(() => {
    looking = undefined;
  });
  return looking;
}

/** Follows the service's answer: another person gets a new page, and a changed role its permissions. */
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
  // A check under way may have an older answer.
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
    // Leaves nothing on the screen or in the page's memory.
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

/** Opens another workspace of the person, on a new page, so that nothing of the former one is left. */
export function openWorkspace(id: string): void {
  // They may have used a pasted key, too.
  sessionStorage.removeItem(pastedKey);
  location.assign(`${root}/console/${id}/links`);
}

/** Forgets the invitation that waits. */
export function dropInvitation(): void {
  sessionStorage.removeItem(waitingInvitation);
  set({ invitation: undefined, ...(session.key !== undefined && { signedIn: undefined, workspaceId: undefined }) });
}

/**
 * Takes the secret of an invitation, or a key, from the fragment of the address, and removes it from there at once.
 * `npm start` prints `…#key=lk_…`.
 *
 * A key is only accepted on this machine, where nobody else can read the address, and never if somebody is already
 * signed in: otherwise a link from elsewhere could make somebody work in another workspace.
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
