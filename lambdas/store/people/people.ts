import { newPersonId } from '../../core/ids.ts';
import { idlePersonDays, type Person } from '../../core/member/person.ts';
import type { Identity } from '../../core/sign-in/claims.ts';
import { identityHash } from '../../core/sign-in/identity-hash.ts';
import { sessionHours } from '../../core/sign-in/session.ts';
import type { Item } from '../table/client.ts';
import { commit } from '../table/commit.ts';
import { isKept } from '../table/expiry.ts';
import { all, any, type Expression, has, hasStill, is, isAbsent, lacks, plus, set } from '../table/expressions.ts';
import { maybeFlag, maybeText, text } from '../table/fields.ts';
import { identityHashIn, identityKey, indexed, peopleIndex, personKey, toKey } from '../table/keys.ts';
import { getItem, query } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { checking, deleteItem, deleting, putting, updating, type Write } from '../table/writes.ts';

/**
 * A person is two items:
 *
 * - Their **identity**: who they are to the provider, under a hash that names nobody. It leads to the id that
 *   memberships have. It stays while the person is or was a member of a workspace, so that a removal is remembered.
 *   Otherwise it expires with the other item.
 * - The **person**: what the provider said at the last sign-in. It expires 30 days after the session that began then.
 *   The next sign-in writes it again, under the same id if the identity is still there.
 *
 * Each write of either is a transaction that fails once the identity is gone or leads to somebody else. So requests
 * that are under way while a person is erased bring nothing back:
 *
 *     person    accepts an invitation, and is read
 *     operator  erases the person: one transaction deletes identity and person
 *     person    the transaction that makes them a member fails, because it needs the identity
 *
 * Every identity is in the index, so that the operator finds everybody, with or without a membership.
 */

const toPerson = (item: Item): Person => ({
  id: text(item, 'id'),
  identity: text(item, 'identity'),
  email: text(item, 'email'),
  name: maybeText(item, 'name') ?? null,
  emailVerified: maybeFlag(item, 'emailVerified'),
  lastSignedInAt: text(item, 'lastSignedInAt'),
});

/** The person with that id; undefined if there is none, if they were erased, or if they have not signed in for long. */
export async function getPerson(personId: string): Promise<Person | undefined> {
  const item = await getItem(personKey(personId));
  return item && isKept(item) ? toPerson(item) : undefined;
}

/** The condition that no later sign-in was noted. @param at when this one was, in ISO 8601 */
const isLatestSignIn = (at: string): Expression =>
  any(lacks('lastSignedInAt'), { text: '#lastSignedInAt < :at', values: { ':at': at } });

/**
 * The person with this identity at the provider, with the email address and the name that the provider gives now. A new
 * person gets a random id. Any number of simultaneous first sign-ins get the same id. A sign-in that is noted after a
 * later one changes nothing.
 *
 * @param receivedAt when the gateway received the request, in milliseconds since 1970.
 * @param hours how long the new session lasts.
 */
export async function rememberPerson(
  identity: Identity,
  receivedAt: number,
  hours: number = sessionHours.usual,
): Promise<Person> {
  const hash = identityHash(identity);
  const { email, emailVerified, name } = identity;
  const lastSignedInAt = new Date(receivedAt).toISOString();
  const ttl = expiryAfter(receivedAt, hours);
  return retrying(async () => {
    const known = await getItem(identityKey(hash));
    const id = known ? text(known, 'personId') : newPersonId();
    const person: Person = { id, identity: hash, email, name, emailVerified, lastSignedInAt };
    const { items } = await commit({
      identity: known ? prolonging(known, hash, ttl) : puttingIdentity(hash, id, ttl),
      person: noting(person, ttl),
    });
    // If only the person's condition failed, a later sign-in has been noted.
    if (!items.identity) return person;
    // Somebody else has created or erased the person since the read, or the person has joined their first workspace.
    return overtaken;
  });
}

const puttingIdentity = (hash: string, personId: string, ttl: number): Write =>
  putting({ ...identityKey(hash), ...indexed(peopleIndex, personId), personId, ttl }, isAbsent);

/** The write that postpones an identity's expiry if it expires, and otherwise only checks that it is as it was read. */
function prolonging(identity: Item, hash: string, ttl: number): Write {
  const isTheirs = is('personId', text(identity, 'personId'));
  return identity.ttl === undefined
    ? checking(identityKey(hash), all(isTheirs, lacks('ttl')))
    : updating(identityKey(hash), set({ ttl }), all(isTheirs, has('ttl')));
}

/** The write that notes what the provider has said, unless a later sign-in is noted. */
function noting(person: Person, ttl: number): Write {
  const update = set({ ...person, emailVerified: person.emailVerified ?? null, ttl });
  return updating(personKey(person.id), update, isLatestSignIn(person.lastSignedInAt));
}

/**
 * The write that keeps the identity of a person who joins a workspace. It fails if they have been erased, or if the
 * identity leads to somebody else by now.
 */
export const keepingIdentity = ({ id, identity }: Pick<Person, 'id' | 'identity'>): Write =>
  updating(identityKey(identity), set({ revision: plus(1), ttl: null }), is('personId', id));

/**
 * The write that gives an identity to a person who has lost it, and is a member of a workspace.
 *
 * @param other the identity as it was read, which leads to somebody else; undefined if it is gone.
 */
export const returningIdentity = (personId: string, hash: string, other: Item | undefined): Write => {
  const update = set({ ...indexed(peopleIndex, personId), personId, revision: plus(1), ttl: null });
  const isAsRead = other ? all(is('personId', text(other, 'personId')), hasStill('revision', other)) : isAbsent;
  return updating(identityKey(hash), update, isAsRead);
};

/**
 * The write of the identity of a person who loses a membership, on the condition that no other membership of theirs has
 * begun or ended since it was read. Without any, the identity expires as if they had signed in now.
 *
 * @param identity as it was read.
 */
export const releasingIdentity = (identity: Item, hasOthers: boolean, now: number): Write => {
  const isAsRead = all(is('personId', text(identity, 'personId')), hasStill('revision', identity));
  const update = set({ revision: plus(1), ttl: hasOthers ? undefined : expiryAfter(now) });
  return updating(toKey(identity), update, isAsRead);
};

/**
 * When a person who signed in at that time expires, in seconds since 1970.
 *
 * @param at in milliseconds since 1970.
 * @param hours how long the session lasts.
 */
const expiryAfter = (at: number, hours: number = sessionHours.usual): number =>
  Math.ceil(at / 1_000) + hours * 3_600 + idlePersonDays * 86_400;

/** The identity of a person; undefined if it is gone, or if it leads to somebody else. */
export async function getIdentity(personId: string): Promise<Item | undefined> {
  const hash = await identityOf(personId);
  const item = hash === undefined ? undefined : await getItem(identityKey(hash));
  return item?.personId === personId ? item : undefined;
}

/** The hash of a person's identity; undefined if neither item is there. */
async function identityOf(personId: string): Promise<string | undefined> {
  const person = await getItem(personKey(personId));
  if (person) return text(person, 'identity');
  // If the person has expired, the identity is old enough to be in the index.
  const [entry] = await Array.fromAsync(query({ gsi1pk: peopleIndex, between: [personId, personId] }));
  return entry && identityHashIn(toKey(entry));
}

/**
 * The ids of everybody who has signed in, with the hashes of their identities, without those who have expired or were
 * erased. The index lags a moment behind.
 */
export const everybody = async (): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (await Array.fromAsync(query({ gsi1pk: peopleIndex }))).map((entry) => [text(entry, 'gsi1sk'), identityHashIn(toKey(entry))]),
  );

/**
 * Erases what the provider said of a person, and their identity, which ends their sessions. If they sign in again, they
 * are a new person. Idempotent.
 *
 * @returns whether there was such a person.
 */
export async function forgetPerson(personId: string): Promise<boolean> {
  const hash = await identityOf(personId);
  if (hash === undefined) return false;
  const { failed } = await commit({
    identity: deleting(identityKey(hash), any(isAbsent, is('personId', personId))),
    person: deleting(personKey(personId)),
  });
  // The identity is somebody else's by now, and stays.
  if (failed) await deleteItem(personKey(personId));
  return true;
}
