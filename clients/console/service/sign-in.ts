import { ProblemError } from '../../typescript/problem.ts';
import type { MadeKey } from './keyring.ts';
import { root } from './location.ts';

// Signing in with the stage's provider. The browser sends the session's cookie, which no script can read; it makes
// keys, which end after a quarter of an hour and are kept only in memory.

/** Whether the stage has a provider. */
export const isOffered = document.getElementById('console')?.dataset.signIn === 'yes';

/** The person and their workspaces. In a `pending` one, an owner has to approve them. */
export type SignedIn = {
  readonly person: {
    readonly id: string;
    readonly email: string;
    readonly emailVerified: boolean | null;
    readonly name: string | null;
  };
  readonly workspaces: readonly {
    readonly id: string;
    readonly name: string;
    readonly memberId: string;
    readonly role: string;
    readonly state: 'active' | 'pending';
  }[];
};

/** Sends a request about the person's sessions. @param path after `/sign-ins`. @throws ProblemError */
async function ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Response> {
  const response = await fetch(`${root}/sign-ins${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  if (response.ok) return response;
  throw new ProblemError(response.status, await response.text(), false, Number(response.headers.get('Retry-After')) || undefined);
}

/** Who is signed in; undefined if nobody is. @throws ProblemError */
export async function whoIsSignedIn(): Promise<SignedIn | undefined> {
  try {
    return await (await ask('GET', '/current')).json();
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) return undefined;
    throw error;
  }
}

/** How long before its end a key is replaced, in milliseconds. */
const reserve = 120_000;

/**
 * Makes a key of a workspace. @throws ProblemError `unauthorized` if nobody is signed in, `not_found` if they are not a
 * member
 */
export async function makeKey(workspaceId: string): Promise<MadeKey> {
  const response = await ask('POST', '/current/keys', { workspaceId });
  const { key, expiresAt } = (await response.json()) as { key: string; expiresAt: string };
  // The service's clock says how long it lives: this computer's may be wrong.
  const lifetime = Date.parse(expiresAt) - Date.parse(response.headers.get('Date') ?? new Date().toUTCString());
  return { key, freshUntil: performance.now() + Math.max(lifetime - reserve, lifetime / 2) };
}

/** The result of accepting an invitation. */
export type Accepted = { readonly workspaceId: string; readonly state: 'active' | 'pending' };

/** Accepts an invitation. @throws ProblemError */
export const acceptInvitation = async (secret: string): Promise<Accepted> =>
  (await ask('POST', '/current/invitations', { secret })).json();

/** A session of the person. */
export type PersonsSession = {
  readonly id: string;
  readonly createdAt: string;
  readonly endsAt: string;
  readonly isCurrent: boolean;
};

/** The sessions of the person, newest first. @throws ProblemError */
export const listSessions = async (): Promise<readonly PersonsSession[]> =>
  ((await (await ask('GET', '')).json()) as { signIns: readonly PersonsSession[] }).signIns;

/** Ends a session of the person. @throws ProblemError `not_found` if it has ended */
export async function endSession(id: string): Promise<void> {
  await ask('DELETE', `/${id}`);
}

/**
 * Signs out, here or everywhere.
 *
 * @returns where to sign out at the provider, too; null if that isn't possible.
 * @throws ProblemError
 */
export async function endSignIn(where: 'here' | 'everywhere'): Promise<string | null> {
  const { continueAt } = (await (await ask('DELETE', where === 'here' ? '/current' : '')).json()) as {
    continueAt: string | null;
  };
  return continueAt;
}

/** Where to sign in, to come back to an address of the console. @param returnTo with its query, after the root */
export const signInAddress = (returnTo: string): string => `${root}/sign-in?return=${encodeURIComponent(returnTo)}`;

/** Where to sign in with another account than the one that the provider knows, to come back to this page. */
export const otherAccountAddress = (): string => `${signInAddress(thisAddress())}&prompt=login`;

/** The address of this page, for the way back. */
export const thisAddress = (): string => `${location.pathname.slice(root.length)}${location.search}`;
