import { identityHash, logoutHash, providerSessionHash } from '../../core/sign-in/identity-hash.ts';
import { clockTolerance, type LoggedOut } from '../../core/sign-in/logout.ts';
import { commit, type Writes } from '../table/commit.ts';
import { hasStill, isAbsent, lacks, plus, set } from '../table/expressions.ts';
import { maybeNumber, text, textSet } from '../table/fields.ts';
import { identityKey, logoutKey, providerSessionKey, signInKey, signInRosterKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleting, putting, updating } from '../table/writes.ts';
import { listSessions, type SignInSession } from './sign-ins.ts';

/**
 * Sign-outs by the provider. Each logout token is used once, in the transaction that ends the sessions. That also
 * leaves a mark, so that a sign-in that the provider confirmed earlier, and that is still under way, begins no session:
 *
 *     person    comes back from the provider; the code is exchanged for an ID token
 *     provider  signs the person out; all sessions end, and the person's roster says when
 *     person    the session would begin, but the ID token is older than that
 *
 * Each of the provider's sessions has an item, which says whose sessions began with it, and later, that it has ended.
 */

/** How long a mark stays, in seconds: far longer than any request takes. */
const markSeconds = 86_400;

/**
 * Ends the sessions that a logout token is about: those that began with the provider's session that it names, or if it
 * names none, all of the person's.
 *
 * @param now when the gateway received the token, in milliseconds since 1970.
 * @returns the sessions that have ended; undefined if the token was used before.
 */
export async function logOut(told: LoggedOut, now: number): Promise<readonly SignInSession[] | undefined> {
  const { issuer, jti, endsAt } = told;
  const used = putting({ ...logoutKey(logoutHash(issuer, jti)), ttl: Math.ceil(endsAt) + clockTolerance }, isAbsent);
  return retrying(async () => {
    const { sessions, mark } = told.sid === undefined ? await allOf(told, now) : await thoseOf(told, told.sid, now);
    const ending = Object.fromEntries(sessions.map(({ id }) => [id, deleting(signInKey(id))]));
    const { failed, items } = await commit({ used, ...mark, ...ending });
    if (!failed) return sessions;
    if (items.used) return undefined;
    // Another session has begun since the mark was read.
    return overtaken;
  });
}

/** The sessions that a token ends, and the write that leaves the mark. */
type Ending = { readonly sessions: readonly SignInSession[]; readonly mark: Writes };

/** All sessions of a person. Somebody who has never signed in here, or was erased, has none. */
async function allOf({ issuer, subject = '', issuedAt }: LoggedOut, now: number): Promise<Ending> {
  const identity = await getItem(identityKey(identityHash({ issuer, subject })));
  if (!identity) return { sessions: [], mark: {} };
  const personId = text(identity, 'personId');
  const key = signInRosterKey(personId);
  const roster = await getItem(key);
  const sessions = await listSessions(personId, now);
  const update = set({
    loggedOutAt: Math.max(issuedAt, (roster && maybeNumber(roster, 'loggedOutAt')) ?? 0),
    ttl: Math.max(Math.ceil(now / 1_000) + markSeconds, (roster && maybeNumber(roster, 'ttl')) ?? 0),
    revision: plus(1),
  });
  return { sessions, mark: { roster: updating(key, update, roster ? hasStill('revision', roster) : lacks('revision')) } };
}

/** The sessions that began with one of the provider's. */
async function thoseOf({ issuer }: LoggedOut, sid: string, now: number): Promise<Ending> {
  const hash = providerSessionHash(issuer, sid);
  const key = providerSessionKey(hash);
  const item = await getItem(key);
  const people = item ? textSet(item, 'personIds') : [];
  const sessions = (await Promise.all([...people].map((personId) => listSessions(personId, now)))).flat();
  const times = { endedAt: new Date(now).toISOString(), ttl: Math.ceil(now / 1_000) + markSeconds };
  const update = set({ ...times, revision: plus(1) });
  return {
    sessions: sessions.filter(({ providerSession }) => providerSession === hash),
    mark: { providerSession: updating(key, update, item ? hasStill('revision', item) : lacks('revision')) },
  };
}
