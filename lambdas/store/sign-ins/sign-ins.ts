import { signInEnded } from '../../core/errors.ts';
import { signInsPerPerson } from '../../core/limits.ts';
import { newSessionSecret, personOfSignIn, sessionHours, signInIdOf } from '../../core/sign-in/session.ts';
import type { Item } from '../table/client.ts';
import { commit } from '../table/commit.ts';
import { hasStill, isAbsent, lacks, plus, set } from '../table/expressions.ts';
import { defined, maybeNumber, maybeText, text } from '../table/fields.ts';
import { providerSessionKey, signInKey, signInRosterKey, signInsOf } from '../table/keys.ts';
import { getItem, query } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleteItem, deleting, putting, updating, type Write } from '../table/writes.ts';

/**
 * A person's sessions are in one partition, with a roster that changes whenever one begins. To begin one, a function
 * reads the roster, then all sessions, and writes on the condition that the roster has the same revision. So there are
 * never more than 50, however many begin at once:
 *
 *     two tabs   read the same 50 sessions
 *     one        transaction: its session begins, the oldest ends, the roster is at revision 8
 *     other      transaction: refused, because the roster was at revision 7; it reads again, and ends the next oldest
 *
 * Ending a session only deletes its item, which doesn't need the roster.
 */

/** A person's session: they have signed in, and not out. */
export type SignInSession = {
  /** See `signInIdOf`. */
  readonly id: string;
  readonly personId: string;
  /** Times in ISO 8601. */
  readonly createdAt: string;
  readonly endsAt: string;
  /** The provider's session with which it began: see `providerSessionHash`. */
  readonly providerSession?: string;
};

/** What the provider's ID token says about the sign-in. */
export type SignInProof = {
  /** When it was issued, in seconds since 1970, by the provider's clock. */
  readonly issuedAt: number;
  /** The provider's session, if it names one: see `providerSessionHash`. */
  readonly providerSession: string | undefined;
};

export type SessionOptions = {
  /** How long it lasts, unless the person signs out. */
  readonly hours?: number;
  /** The ids of sessions that it replaces. They may be those of somebody else who used the same browser. */
  readonly replaces?: readonly string[];
  readonly proof?: SignInProof | undefined;
};

/** A session that begins. */
type Begun = { readonly secret: string; readonly session: SignInSession };

/**
 * Begins a session. If the person has as many as they may, the oldest ends.
 *
 * @param receivedAt when the gateway received the request, in milliseconds since 1970.
 * @returns the secret for the person's cookie, which is stored nowhere else.
 * @throws RequestError `unauthorized` if the provider has signed the person out since it issued the ID token: see
 *   `logouts.ts`
 */
export async function createSession(
  personId: string,
  receivedAt: number,
  { hours = sessionHours.usual, replaces = [], proof }: SessionOptions = {},
): Promise<Begun> {
  const secret = newSessionSecret(personId);
  const id = signInIdOf(secret) as string;
  const end = receivedAt + hours * 3_600_000;
  const times = { createdAt: new Date(receivedAt).toISOString(), endsAt: new Date(end).toISOString() };
  const providerSession = proof?.providerSession;
  const session = { id, personId, ...times, ...defined({ providerSession }) };
  const ttl = Math.ceil(end / 1_000);
  return retrying(async () => {
    const roster = await getItem(signInRosterKey(personId));
    if (proof && proof.issuedAt <= ((roster && maybeNumber(roster, 'loggedOutAt')) ?? 0)) throw signInEnded();
    const others = (await listSessions(personId, receivedAt)).filter((one) => !replaces.includes(one.id));
    const crowdedOut = others.slice(signInsPerPerson - 1).map((one) => one.id);
    const ending = [...new Set([...replaces, ...crowdedOut])].map((one) => [one, deleting(signInKey(one))] as const);
    const { failed, items } = await commit({
      session: putting({ ...signInKey(id), ...session, ttl }, isAbsent),
      roster: updating(
        signInRosterKey(personId),
        // What `logouts.ts` leaves there may have to stay longer than a short session.
        set({ ttl: Math.max(ttl, (roster && maybeNumber(roster, 'ttl')) ?? 0), revision: plus(1) }),
        roster ? hasStill('revision', roster) : lacks('revision'),
      ),
      provider: providerSession === undefined ? undefined : beginningWith(providerSession, personId, ttl),
      ...Object.fromEntries(ending),
    });
    if (!failed) return { secret, session };
    if (items.provider) throw signInEnded();
    // Another session of the person has begun since the roster was read.
    return overtaken;
  });
}

/** The write that notes whose session began with one of the provider's. It fails once the provider's has ended. */
const beginningWith = (providerSession: string, personId: string, ttl: number): Write => {
  const update = set({ ttl, personIds: plus(new Set([personId])), revision: plus(1) });
  return updating(providerSessionKey(providerSession), update, lacks('endedAt'));
};

const toSession = (item: Item): SignInSession => ({
  id: text(item, 'id'),
  personId: text(item, 'personId'),
  createdAt: text(item, 'createdAt'),
  endsAt: text(item, 'endsAt'),
  ...defined({ providerSession: maybeText(item, 'providerSession') }),
});

const isOver = ({ endsAt }: SignInSession, now: number): boolean => Date.parse(endsAt) <= now;

/**
 * The session whose secret a cookie has; undefined if there is none, or if it has ended. A text that cannot be a secret
 * costs no read.
 */
export async function findSession(secret: string | undefined, receivedAt: number): Promise<SignInSession | undefined> {
  const id = secret === undefined ? undefined : signInIdOf(secret);
  const item = id && (await getItem(signInKey(id)));
  const session = item ? toSession(item) : undefined;
  return session && !isOver(session, receivedAt) ? session : undefined;
}

/**
 * The sessions of a person that have not ended, newest first. Strongly consistent.
 *
 * @param now in milliseconds since 1970
 */
export async function listSessions(personId: string, now: number): Promise<SignInSession[]> {
  const sessions = (await Array.fromAsync(query(signInsOf(personId)))).map(toSession);
  return sessions
    .filter((session) => !isOver(session, now))
    .sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt) || (one.id < other.id ? -1 : 1));
}

/** Ends a session, and with it the keys that it has made, within a minute. Ending it again changes nothing. */
export const endSession = (id: string): Promise<void> => deleteItem(signInKey(id));

/**
 * Ends a session of a person.
 *
 * @param now in milliseconds since 1970.
 * @returns whether there was such a session of theirs.
 */
export async function endSessionOf(personId: string, id: string, now: number): Promise<boolean> {
  if (personOfSignIn(id) !== personId) return false;
  const item = await getItem(signInKey(id));
  if (!item || isOver(toSession(item), now)) return false;
  await endSession(id);
  return true;
}

/**
 * Ends all sessions of a person, all or none. One that begins meanwhile continues.
 *
 * @param now in milliseconds since 1970
 */
export async function endSessions(personId: string, now: number): Promise<void> {
  const sessions = await listSessions(personId, now);
  if (sessions.length === 0) return;
  await commit(Object.fromEntries(sessions.map(({ id }) => [id, deleting(signInKey(id))])));
}
