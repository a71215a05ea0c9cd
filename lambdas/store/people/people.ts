import { newPersonId, newRequestToken } from '../../core/ids.ts';
import type { Person } from '../../core/member/person.ts';
import type { Identity } from '../../core/sign-in/claims.ts';
import { identityHash } from '../../core/sign-in/identity-hash.ts';
import { backOff } from '../../runtime/deadline.ts';
import type { Item } from '../table/client.ts';
import { failedCondition, ifConditionFails, is, isAbsent, isPresent } from '../table/conditions.ts';
import { maybeText, text } from '../table/fields.ts';
import { identityKey, personKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { deleting, putting, transact, updateItem } from '../table/writes.ts';

const toPerson = (item: Item): Person => ({
  id: text(item, 'id'),
  email: text(item, 'email'),
  name: maybeText(item, 'name') ?? null,
  emailVerified: typeof item.emailVerified === 'boolean' ? item.emailVerified : undefined,
});

/** The person with that id; undefined if there is none, or if they were erased. */
export async function getPerson(personId: string): Promise<Person | undefined> {
  const item = await getItem(personKey(personId));
  return item && toPerson(item);
}

/**
 * The person who is this to their provider, with the address and the name that the provider says now. Somebody new gets a
 * random id. Of any number of first sign-ins at once, all get the same.
 */
export async function rememberPerson(identity: Identity, receivedAt: number): Promise<Person> {
  const hash = identityHash(identity);
  const { email, emailVerified, name } = identity;
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const known = await getItem(identityKey(hash));
    const id = known ? text(known, 'personId') : newPersonId();
    const person: Person = { id, email, name, emailVerified };
    if (known ? await update(person) : await create(person, hash, receivedAt)) return person;
    // Somebody else has created or erased the person since the read.
  }
}

/** @returns whether the person is there, which they are not after an erasure. */
async function update({ id, ...said }: Person): Promise<boolean> {
  const all = Object.entries(said);
  const sets = all.flatMap(([name, value]) => (value == null ? [] : [[name, value] as const]));
  const removes = all.flatMap(([name, value]) => (value == null ? [`#${name}`] : []));
  const changed = {
    text: [
      `SET ${sets.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      ...(removes.length > 0 ? [`REMOVE ${removes.join(', ')}`] : []),
    ].join(' '),
    values: Object.fromEntries(sets.map(([name, value]) => [`:${name}`, value])),
  };
  return ifConditionFails(
    updateItem(personKey(id), changed, isPresent).then(() => true),
    () => false,
  );
}

/** @returns false if somebody else was faster. */
async function create({ id, ...said }: Person, hash: string, receivedAt: number): Promise<boolean> {
  const createdAt = new Date(receivedAt).toISOString();
  const known = Object.fromEntries(Object.entries(said).filter(([, value]) => value != null));
  const person = { ...personKey(id), id, identity: hash, ...known, createdAt };
  const writes = [putting({ ...identityKey(hash), personId: id }, isAbsent), putting(person, isAbsent)];
  return (await failedCondition(transact(writes, newRequestToken()))) === undefined;
}

/**
 * Erases a person: their address and name, and who they are to their provider. Their sessions end with that. If they sign in
 * again, they are somebody else. No-op if there is no such person.
 */
export async function erasePerson(personId: string): Promise<void> {
  const item = await getItem(personKey(personId));
  if (!item) return;
  const identity = identityKey(text(item, 'identity'));
  // The second may have become another person's.
  await failedCondition(
    transact([deleting(personKey(personId)), deleting(identity, is('personId', personId))], newRequestToken()),
  );
}
